import type { Json } from "../world/json.ts";
import type { ToolSpec } from "../world/tool.ts";
import type { World } from "../world/world.ts";
import type { LogEntry, ModelInput, Outcome } from "./run-record.ts";
import type { Turn } from "./turn.ts";

/**
 * What a user implements: one function around the harness under test, and what its users rely on.
 *
 * @example
 * export const harness: Harness = {
 *   name: "support-bot",
 *   claims: { approvals: "ends-run", deny: true, hiddenTools: "none" },
 *   run: (run) => supportBot({ tools: run.tools, model: run.nextTurn, maxSteps: run.maxSteps }),
 * };
 */
export interface Harness {
  readonly name: string;
  /** What its users rely on. A rule whose need is not claimed is reported unsupported, never green. */
  readonly claims: Claims;
  /** Facts about it that are neither good nor bad. */
  readonly shape?: Shape;
  /** A fixed world: the user's own tools and policy. Absent: worlds are generated. */
  readonly world?: World;
  /** Plays one run. Errors may go through: no try/catch is needed. */
  run(run: TestRun): Promise<Outcome>;
  /** The thrown stops that the harness documents (max turns, unknown tool). Any other error is a crash. */
  stopsWith?(error: unknown): Outcome["status"] | undefined;
  /** Generated worlds that it cannot host are not generated. */
  accepts?(world: World): boolean;
  /** What its schema makes of valid arguments (defaults, trims, transforms). Throws where they are not valid. */
  normalise?(tool: string, args: Json): unknown;
  /** Before the first run, and after the last: a server or a process around all runs. */
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/** One run: everything the harness needs from outside. */
export interface TestRun {
  readonly tools: readonly Tool[];
  readonly skills: readonly string[];
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  /** Asks the scripted model for its next turn. One call is one step. */
  nextTurn(input?: ModelInput): Promise<Turn>;
  /** Asks the scripted human. `args` as a value, not as text. */
  requestApproval(call: ApprovalRequest): Promise<boolean>;
  /** For tools that can't be injected: reports the invocation, and gives the scripted outcome. */
  toolCalled(tool: string, args: unknown, call?: CallContext): Promise<unknown>;
}

export interface Tool extends ToolSpec {
  execute(args: unknown, call?: CallContext): Promise<unknown>;
}

export interface CallContext {
  readonly callId?: string;
  readonly signal?: AbortSignal;
}

export interface ApprovalRequest {
  readonly callId?: string;
  readonly tool: string;
  readonly args: unknown;
}

/** What users expect of the harness: a claim that the code does not keep is a violation. */
export interface Claims {
  /** `ends-run`: an ask call ends the run with needs-approval. `asked`: `requestApproval` is called. */
  readonly approvals: "ends-run" | "asked" | "none";
  /** Some tools are denied by policy. */
  readonly deny: boolean;
  /** Declared tools that are not offered: until a skill is loaded, or at all. */
  readonly hiddenTools: "by-skill" | "fixed" | "none";
  /** Several calls in a turn. Default true; text beside a call is always possible. */
  readonly parallelCalls?: boolean;
  /** Validates arguments against `inputSchema`. Default false. */
  readonly argumentSchemas?: boolean;
  /** The permission may depend on the arguments. Default false. */
  readonly argumentPolicies?: boolean;
  /** Passes results to `nextTurn`. Default false. */
  readonly results?: boolean;
  /** Passes its log to `nextTurn` and in the outcome. Default false. */
  readonly log?: boolean;
  /** Passes the names of the tools shown to the model. Default false. */
  readonly menu?: boolean;
  /** Obeys `run.signal`. Default false. */
  readonly abort?: boolean;
  /** Reads why a turn stopped. Default false. */
  readonly stopReason?: boolean;
  /** Milliseconds after which it ends a handler or a human that never answers, at most a day. */
  readonly deadlineMs?: number;
  /** `run`: `maxSteps` bounds the whole run. `resume`: it starts again at each approval. Default `run`. */
  readonly budget?: "run" | "resume" | "none";
  /** Runs may go side by side. Default true. */
  readonly concurrentRuns?: boolean;
  /** One approval may cover later calls of that tool. Default false. */
  readonly sessionGrants?: boolean;
}

export interface Shape {
  /** `none`: a bare dispatcher. Default `own`. */
  readonly loop?: "own" | "none";
  /** `parsed`: its model layer hands it values, so unparsable text can't reach it. Default `raw`. */
  readonly argumentText?: "raw" | "parsed";
  /** What the argument text "" means. Default `refused`. */
  readonly emptyArguments?: "refused" | "empty-object";
  /** Its results carry `isError`. Default true. */
  readonly errorFlag?: boolean;
  /** The tool names that it can declare. */
  readonly toolNames?: RegExp;
  /** A call id may come again in a later turn. Default true. */
  readonly idsAcrossTurns?: boolean;
  /** Default true; false: prototypes and the planted name can't be watched. */
  readonly sameProcess?: boolean;
  /**
   * `told`: its tools are its own, in a place where nothing of the kit can stand, so that an effect is known from an answer alone.
   * Rules that need to see a handler are not judged then. Default `witnessed`.
   */
  readonly effects?: "witnessed" | "told";
  /** Milliseconds, at most a day, in which effects may still arrive after `run` settled, for harnesses in another process. */
  readonly settleMs?: number;
}

export type { LogEntry, ModelInput, Outcome };
