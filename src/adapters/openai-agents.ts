import type { Model, NonStreamRunOptions, RunConfig, Runner } from "@openai/agents";
import type { Claims, Harness, Outcome, Shape, TestRun, Tool } from "../contract/harness.ts";
import { ModelError } from "../errors.ts";
import type { Json } from "../world/json.ts";
import { findTool } from "../world/world.ts";
import { type AgentOptions, agentHarness } from "./agent-harness.ts";
import { type AnyAgent, type AnyState, decideAll } from "./openai-agents-approvals.ts";
import { agentsModel, ModelRequestError } from "./openai-agents-model.ts";
import { withoutStrictNulls } from "./openai-agents-strict.ts";
import { type AgentsParameters, type AgentsTool, agentsTools } from "./openai-agents-tools.ts";
import { loadSdk } from "./sdk-package.ts";
import { skillRoom } from "./skill-room.ts";

export type { AgentsParameters, AgentsTool, AnyAgent };

/** What your agent is built from, in the SDK's own types. */
export interface OpenaiAgentsParts {
  /** The scripted model. */
  readonly model: Model;
  /** The run's tools: with `needsApproval`, `isEnabled` and guardrails as their permissions say, and the one that loads a skill. */
  readonly tools: AgentsTool[];
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  /** The run itself, for tools that you make yourself. */
  readonly run: TestRun;
}

export interface OpenaiAgentsOptions extends AgentOptions {
  /** Builds your agent. Called once a run, and again where a run is resumed from a serialised state. */
  agent(parts: OpenaiAgentsParts): AnyAgent | Promise<AnyAgent>;
  /** Play it with `stream: true`. Default false. */
  readonly stream?: boolean;
  /** How a run that waits for approval goes on: with the state that it left in memory (default), or one read back from text. */
  readonly resume?: "memory" | "serialised";
  /**
   * The `parameters` of a tool, where they are more than its JSON Schema: your zod object, from which the world's schema was made. Where
   * it is given `argumentSchemas` is claimed, since the SDK promises to validate these.
   */
  parameters?(tool: Tool): AgentsParameters | undefined;
  /** `strict` of tools with a JSON Schema. Default false: it is sent as it is. */
  readonly strict?: boolean;
  /** More options for `runner.run`, such as `toolNotFoundBehavior` or `errorHandlers`. */
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own types ask for it
  readonly runOptions?: Omit<NonStreamRunOptions<any, any>, "stream" | "signal" | "maxTurns">;
  /** More options for the `Runner`, such as guardrails of all agents. Tracing is off, whatever they say. */
  readonly runner?: Partial<RunConfig>;
}

type Sdk = typeof import("@openai/agents");

/**
 * A harness over the OpenAI Agents SDK: a `Runner` that runs your agent with a scripted model.
 *
 * @example
 * export const harness = openaiAgentsHarness({
 *   name: "bot",
 *   agent: ({ model, tools }) => new Agent({ name: "bot", model, tools, inputGuardrails: [myGuardrail] }),
 * });
 * @throws UsageError `bad-argument`; from the campaign `missing-sdk` or `untested-sdk`.
 */
export function openaiAgentsHarness(options: OpenaiAgentsOptions): Harness {
  let stage: Stage | undefined;
  const harness = agentHarness(options, "agent", {
    of: "openaiAgentsHarness",
    // The options may still be none at all.
    claims: claimsOf(options?.parameters !== undefined),
    shape,
    async open() {
      const { sdk } = await loadSdk(
        { name: "@openai/agents", majors: ["0.20"], load: () => import("@openai/agents") },
        options.anyVersion,
      );
      const traceAgain = stopTracing(sdk);
      stage = { sdk, runner: new sdk.Runner({ ...options.runner, tracingDisabled: true }), traceAgain };
    },
    async close() {
      stage?.traceAgain();
    },
    run: (run) => playRun(stage!, options, run),
    stopsWith: (error) => stage && documentedStop(stage.sdk, error),
  });
  return { ...harness, ...strictNormalise(options) };
}

/** What stands around all runs: the `Runner` too, as in an application. */
interface Stage {
  readonly sdk: Sdk;
  readonly runner: Runner;
  traceAgain(): void;
}

/** Spans that tools and guardrails start for themselves are none of the `Runner`'s, and would be sent to the service. */
function stopTracing(sdk: Sdk): () => void {
  const isOff = sdk.getGlobalTraceProvider().createTrace({ name: "probe" }) instanceof sdk.NoopTrace;
  sdk.setTracingDisabled(true);
  return () => sdk.setTracingDisabled(isOff);
}

function strictNormalise({
  world,
  normalise,
  parameters,
}: OpenaiAgentsOptions): Pick<OpenaiAgentsOptions, "normalise"> {
  if (world === undefined || parameters === undefined) return {};
  return {
    normalise(tool: string, args: Json) {
      const read = withoutStrictNulls(findTool(world, tool)?.inputSchema ?? {}, args);
      return normalise === undefined ? read : normalise(tool, read);
    },
  };
}

function claimsOf(validates: boolean): Claims {
  return {
    approvals: "asked",
    deny: true,
    hiddenTools: "by-skill",
    argumentSchemas: validates,
    argumentPolicies: true,
    results: true,
    menu: true,
    abort: true,
  };
}

/**
 * The SDK makes every other character of a tool's name an underscore, and takes a call id that comes again in a run for the same call,
 * sent again.
 */
const shape: Shape = { errorFlag: false, toolNames: /^(?!load_skill$)[a-zA-Z0-9_]{1,64}$/, idsAcrossTurns: false };

async function playRun({ sdk, runner }: Stage, options: OpenaiAgentsOptions, run: TestRun): Promise<Outcome> {
  const { maxSteps, signal } = run;
  const room = skillRoom(run);
  const wiring = { parameters: (tool: Tool) => options.parameters?.(tool), strict: options.strict === true };
  const model = agentsModel(run, sdk.Usage);
  const newAgent = async () => options.agent({ model, tools: agentsTools(sdk, room, wiring), maxSteps, signal, run });
  const settings = { ...options.runOptions, maxTurns: maxSteps, signal };
  const play = async (agent: AnyAgent, input: string | AnyState) => {
    if (options.stream !== true) return runner.run(agent, input, settings);
    const result = await runner.run(agent, input, { ...settings, stream: true });
    for await (const _event of result);
    // Once it is cancelled, what is still going on may take as long as it likes: nobody waits for it.
    if (result.cancelled) result.completed.catch(() => {});
    else await result.completed;
    return result;
  };

  let agent = await newAgent();
  let result = await play(agent, "Help the customer.");
  for (;;) {
    if ("cancelled" in result && result.cancelled) return { status: "aborted" };
    if (result.interruptions.length === 0) return { status: "answered" };
    let state: AnyState = result.state;
    if (options.resume === "serialised") {
      agent = await newAgent();
      state = await sdk.RunState.fromString(agent, state.toString());
    }
    const { decided, open } = await decideAll(run, state, state.getInterruptions());
    if (!decided) return { status: "needs-approval" };
    result = await play(agent, state);
    if (open && result.interruptions.length > 0) return { status: "needs-approval" };
  }
}

function documentedStop(sdk: Sdk, error: unknown): Outcome["status"] | undefined {
  if (error instanceof sdk.MaxTurnsExceededError) return "out-of-steps";
  if (error instanceof ModelRequestError || error instanceof ModelError) return "failed";
  const blocked = [
    sdk.ModelBehaviorError,
    sdk.InputGuardrailTripwireTriggered,
    sdk.OutputGuardrailTripwireTriggered,
    sdk.ToolInputGuardrailTripwireTriggered,
    sdk.ToolOutputGuardrailTripwireTriggered,
  ];
  return blocked.some((stop) => error instanceof stop) ? "blocked" : undefined;
}
