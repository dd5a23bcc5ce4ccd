import type { CallContext, Claims, Harness, Outcome, Shape, TestRun } from "../contract/harness.ts";
import { madeByHelper } from "../contract/helper-input.ts";
import type { ToolResult } from "../contract/run-record.ts";
import type { LoadSkill, ToolCall, Turn } from "../contract/turn.ts";
import { badArgument, validArgument } from "../contract/valid-argument.ts";
import { UsageError } from "../errors.ts";
import { turnsAllowed } from "../world/budget.ts";
import { parseJson } from "../world/json.ts";
import type { World } from "../world/world.ts";
import { resultText } from "./result-text.ts";

/** A tool call as a dispatcher gets it: what a provider's client hands over, one call at a time. */
export interface DispatchedCall<Args> extends CallContext {
  readonly callId: string;
  readonly name: string;
  /** The argument text as the model wrote it, or its JSON value. */
  readonly args: Args;
  /** What stands beside the arguments in the call object. */
  readonly extra?: NonNullable<ToolCall["extra"]>;
  /** Why the turn that holds this call stopped: `length` means that it was cut off. */
  readonly stop: Turn["stop"];
  readonly signal: AbortSignal;
}

/** An answer to a call, where the dispatcher wants to say more than a value. */
export interface DispatchReply {
  readonly text: string;
  readonly isError?: boolean;
}

/** What a dispatcher is made a harness with, apart from the form in which it takes arguments. */
export interface DispatcherBase<Args, Prepared> {
  readonly name: string;
  readonly claims: Claims;
  /** The other facts about it; `loop` and `argumentText` follow from the rest. */
  readonly shape?: Omit<Shape, "loop" | "argumentText">;
  readonly world?: World;
  /** Before each run: a registry built from `run.tools`, a session. What it returns is handed to `dispatch` and `loadSkill`. */
  prepare?(run: TestRun): Prepared | Promise<Prepared>;
  /**
   * Runs one call. What it returns is the result: a {@link DispatchReply} (an object with `text`, at most `isError` beside it), or
   * any value, which becomes text. What it throws goes through to the kit as a crash, unless `refusesWith` or `stopsWith` knows it.
   */
  dispatch(call: DispatchedCall<Args>, run: TestRun, prepared: Prepared): unknown;
  /** Loads a skill; needed where tools are offered after one. It answers as `dispatch` does. */
  loadSkill?(load: LoadSkill, run: TestRun, prepared: Prepared): unknown;
  /**
   * The thrown errors that stand for a refused or failed call (unknown tool, handler failed): their text for the model. `undefined`:
   * not one of these. Never asked about a TypeError, RangeError or ReferenceError, which are faults of the dispatcher's own code.
   */
  refusesWith?(error: unknown): string | undefined;
  stopsWith?(error: unknown): Outcome["status"] | undefined;
  accepts?: Harness["accepts"] & {};
  normalise?: Harness["normalise"] & {};
}

export type DispatcherOptions<Prepared = undefined> =
  | ({ readonly args: "raw" } & DispatcherBase<string, Prepared>)
  | ({ readonly args: "parsed" } & DispatcherBase<unknown, Prepared>);

/**
 * A harness around a bare dispatcher: a function that takes one tool call and runs it. The loop around it is the kit's: it hands
 * over each call of a turn, one after another, and asks for the next turn, until a turn has no calls or the budget is used up.
 *
 * The loop does none of the dispatcher's work. It hands over calls to unknown tools, calls beside an answer and calls of a turn
 * that was cut off: a dispatcher that claims `stopReason` reads `call.stop`. Only where `args` is `"parsed"` does text that is not
 * JSON stay outside, answered with an error as a provider's client would (`""` is an empty object where `shape.emptyArguments` says so).
 *
 * @example
 * export const harness = dispatcherHarness({
 *   name: "gym", claims: { approvals: "none", deny: false, hiddenTools: "none", results: true }, args: "raw",
 *   dispatch: (call, run) => dispatch(new Map(run.tools.map((tool) => [tool.name, tool.execute])), call.name, call.args),
 * });
 * @throws UsageError `bad-argument`, or `no-skill-loader` where tools are offered after a skill and `loadSkill` is not given.
 */
export function dispatcherHarness<Prepared = undefined>(options: DispatcherOptions<Prepared>): Harness {
  const argument = {
    of: "dispatcherHarness",
    is: "the options",
    please: "give `name`, `claims`, `args` and `dispatch`",
  };
  validArgument(options, argument, { claims: "object", dispatch: "function" });
  if (options.args !== "raw" && options.args !== "parsed") {
    throw badArgument(argument, '"raw" or "parsed"', (options as { args?: unknown }).args, "args");
  }
  if (options.claims.hiddenTools === "by-skill" && options.loadSkill === undefined) {
    throw new UsageError(
      "no-skill-loader",
      'Expected `loadSkill` to be given where `claims.hiddenTools` is "by-skill", got none. Do give `loadSkill`, or claim "fixed" or "none".',
    );
  }
  const { name, claims, world, stopsWith, accepts, normalise } = options;
  return {
    name,
    claims,
    shape: { ...options.shape, loop: "none", argumentText: options.args },
    run: (run) => play(run, options),
    ...(world && { world }),
    ...(stopsWith && { stopsWith: (error) => stopsWith.call(options, error) }),
    ...(accepts && { accepts: (candidate) => accepts.call(options, candidate) }),
    ...(normalise && { normalise: (tool, args) => normalise.call(options, tool, args) }),
  };
}

async function play<Prepared>(run: TestRun, options: DispatcherOptions<Prepared>): Promise<Outcome> {
  const prepared = (await options.prepare?.(run)) as Prepared;
  // Read only where it is claimed: reading it says that it is obeyed.
  const aborted = () => options.claims.abort === true && run.signal.aborted;
  let results: readonly ToolResult[] = [];
  for (let step = 0; step < turnsAllowed(run.maxSteps); step += 1) {
    if (aborted()) return { status: "aborted" };
    const turn = await run.nextTurn(madeByHelper({ results }));
    const calls = turn.proposals.filter((proposal) => proposal.kind !== "text");
    if (calls.length === 0) return { status: "answered" };
    const answered: ToolResult[] = [];
    for (const call of calls) {
      if (aborted()) return { status: "aborted" };
      answered.push({ callId: call.callId, ...(await answer(call, turn.stop, run, options, prepared)) });
    }
    results = answered;
  }
  return { status: "out-of-steps" };
}

async function answer<Prepared>(
  call: ToolCall | LoadSkill,
  stop: Turn["stop"],
  run: TestRun,
  options: DispatcherOptions<Prepared>,
  prepared: Prepared,
): Promise<DispatchReply> {
  try {
    if (call.kind === "tool-call") return await dispatchCall(call, stop, run, options, prepared);
    if (options.loadSkill === undefined) return { text: "skills can't be loaded here", isError: true };
    return replyOf(await options.loadSkill(call, run, prepared));
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) throw error;
    const text = options.refusesWith?.(error);
    if (text === undefined) throw error;
    return { text, isError: true };
  }
}

async function dispatchCall<Prepared>(
  call: ToolCall,
  stop: Turn["stop"],
  run: TestRun,
  options: DispatcherOptions<Prepared>,
  prepared: Prepared,
): Promise<DispatchReply> {
  const handOver = async <Args>(dispatch: DispatcherBase<Args, Prepared>["dispatch"], args: Args) => {
    const { callId, name, extra } = call;
    const handed: DispatchedCall<Args> = {
      callId,
      name,
      args,
      ...(extra && { extra }),
      stop,
      get signal() {
        return run.signal;
      },
    };
    return replyOf(await dispatch.call(options, handed, run, prepared));
  };
  if (options.args === "raw") return handOver(options.dispatch, call.args);
  const empty = call.args === "" && options.shape?.emptyArguments === "empty-object";
  const args = empty ? {} : parseJson(call.args);
  if (args === undefined) return { text: "the arguments are not JSON", isError: true };
  return handOver(options.dispatch, args);
}

function replyOf(value: unknown): DispatchReply {
  if (!isReply(value)) return { text: resultText(value) };
  return { text: value.text, ...(value.isError && { isError: true }) };
}

function isReply(value: unknown): value is DispatchReply {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "text")) return false;
  const { text, isError, ...rest } = value as { text: unknown; isError?: unknown };
  const flag = isError === undefined || typeof isError === "boolean";
  return typeof text === "string" && flag && Object.keys(rest).length === 0;
}
