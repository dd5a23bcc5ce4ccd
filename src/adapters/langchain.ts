import { setMaxListeners } from "node:events";
import type { BaseMessage } from "@langchain/core/messages";
import type { Claims, Harness, Outcome, TestRun } from "../contract/harness.ts";
import { validArgument } from "../contract/valid-argument.ts";
import { ModelError } from "../errors.ts";
import { type AgentOptions, agentHarness } from "./agent-harness.ts";
import { approvalRequest, askAll } from "./langchain-approvals.ts";
import { isScripted, type ScriptedChatModel, scriptedChatModel } from "./langchain-model.ts";
import { type LangchainParts, langchainParts } from "./langchain-parts.ts";
import { type LangchainSdk, loadLangchain } from "./langchain-sdk.ts";
import type { SchemaOf } from "./langchain-tools.ts";
import { holdTracing, releaseTracing } from "./langchain-tracing.ts";
import { usualToolNames } from "./skill-room.ts";

export type { LangchainParts };

/** What `createAgent`, `createReactAgent` and a compiled graph of messages have in common. */
export interface LangchainAgent {
  invoke(input: never, config: never): Promise<unknown>;
  stream(input: never, config: never): Promise<AsyncIterable<unknown>>;
}

export interface LangchainOptions extends AgentOptions {
  /** Builds the agent of one run, as your code does. */
  agent(parts: LangchainParts): LangchainAgent | Promise<LangchainAgent>;
  /**
   * Runs it by `stream` with the model's chunks, as for a user who watches, instead of by `invoke`. The model's argument text then comes
   * in pieces, and LangChain itself puts them together. Default false.
   */
  readonly stream?: boolean;
  /**
   * What your code hands to `invoke` or `stream` beside the thread and the signal: `context`, `recursionLimit`. The latter counts steps of
   * the graph: default `2 * maxSteps` for `createReactAgent`, which has no other budget, and far away for `createAgent`.
   */
  config?(parts: LangchainParts): object;
  /**
   * Your own zod schema of a tool, as `tool` of LangChain takes it. Default: the JSON Schema of the tool, which LangChain validates by
   * code of its own. Where zod makes something else of the arguments, give `world` and `normalise` as `defineWorld` makes them.
   */
  readonly schema?: SchemaOf;
}

/**
 * An agent of LangChain 1, `createAgent` or LangGraph's `createReactAgent`, as a harness, with your own middleware and guards around the
 * scripted model and tools.
 *
 * - The claims are those of `createAgent` with {@link LangchainParts.middleware}. `createReactAgent` takes no middleware, so it has neither
 *   approvals nor hidden tools: claim `approvals: "none"`, `hiddenTools: "none"` and `argumentPolicies: false`.
 * - A human is asked about each action that `humanInTheLoopMiddleware` interrupts with, and the run is resumed by a `Command`. Where one
 *   is left open, or something else interrupted, it ends as `needs-approval`.
 * - Argument text is read by the parser that LangChain's integrations use. With `stream` it comes in `tool_call_chunks`, cut anywhere.
 * - Skills are loaded by a tool `load_skill`.
 * - A failing request is an error as LangChain's integrations throw it. The model tries nothing again, as with `maxRetries: 0`.
 * - LangSmith hears nothing: from `open` to `close` the variables that turn tracing on are unset.
 *
 * @example
 * export const harness = langchainHarness({
 *   name: "support-bot",
 *   agent: ({ model, tools, middleware, checkpointer }) => createAgent({ model, tools, middleware, checkpointer }),
 * });
 * @throws UsageError `bad-argument`; from `open`, `missing-sdk` or `untested-sdk`.
 */
export function langchainHarness(options: LangchainOptions): Harness {
  let loading: Promise<Loaded> | undefined;
  let runs = 0;
  const load = (): Promise<Loaded> => {
    loading ??= loadLangchain(options.anyVersion).then((sdk) => ({ sdk, Model: scriptedChatModel(sdk) }));
    return loading;
  };
  return agentHarness(options, "agent", {
    of: "langchainHarness",
    claims: documentedClaims,
    shape: {
      emptyArguments: options?.stream === true ? "empty-object" : "refused",
      toolNames: usualToolNames,
      // A call whose id had a result in an earlier turn counts as answered: `createReactAgent` skips it, `createAgent` does beside others.
      idsAcrossTurns: false,
    },
    async run(run) {
      runs += 1;
      return drive(run, runs, options, await load());
    },
    stopsWith,
    async open() {
      await load();
      holdTracing();
    },
    async close() {
      releaseTracing();
    },
  });
}

const documentedClaims: Claims = {
  approvals: "asked",
  deny: false,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  results: true,
  menu: true,
  abort: true,
};

interface Loaded {
  readonly sdk: LangchainSdk;
  readonly Model: ScriptedChatModel;
}

interface State {
  readonly messages: readonly BaseMessage[];
  readonly __interrupt__?: readonly { readonly value?: unknown }[];
}

async function drive(
  run: TestRun,
  number: number,
  options: LangchainOptions,
  { sdk, Model }: Loaded,
): Promise<Outcome> {
  const parts = langchainParts(run, sdk, new Model(run), options.schema);
  const agent = await options.agent(parts);
  const please = "return what `createAgent` or `createReactAgent` made";
  const argument = { of: "langchainHarness", is: "the agent", please };
  validArgument(agent, argument, { invoke: "function", stream: "function" });
  const signal = options.claims?.abort === false ? undefined : run.signal;
  // LangGraph listens to it once for each step of the graph, and Node would warn of that.
  if (signal) setMaxListeners(0, signal);
  const config = {
    recursionLimit: "graph" in agent ? FAR_AWAY : 2 * Math.floor(run.maxSteps),
    ...options.config?.(parts),
    configurable: { thread_id: `run-${number}` },
    ...(signal && { signal }),
  };
  const play = options.stream === true ? streamed : invoked;
  let state = await play(agent, { messages: [new sdk.messages.HumanMessage("Help the customer.")] }, config);
  for (;;) {
    const { messages, __interrupt__: interrupts = [] } = state;
    if (interrupts.length === 0) return { status: isLimitReached(messages) ? "out-of-steps" : "answered" };
    const request = approvalRequest(interrupts[0]?.value);
    const resume = request && (await askAll(request, messages, run, signal));
    if (resume === undefined) return { status: "needs-approval" };
    state = await play(agent, new sdk.langgraph.Command({ resume }), config);
  }
}

/** Steps of the graph, several of which make a turn: no limit for a run that has another. */
const FAR_AWAY = 10_000;

function invoked(agent: LangchainAgent, input: object, config: object): Promise<State> {
  return agent.invoke(input as never, config as never) as Promise<State>;
}

/** The last values that were streamed, as `invoke` gives them. */
async function streamed(agent: LangchainAgent, input: object, config: object): Promise<State> {
  let state: State = { messages: [] };
  const chunks = await agent.stream(input as never, { ...config, streamMode: ["values", "messages"] } as never);
  for await (const chunk of chunks) {
    const [mode, values] = chunk as readonly [string, object];
    if (mode === "values") state = { ...state, ...values };
  }
  return state;
}

/** `modelCallLimitMiddleware` ends a run with a message in the model's place. */
function isLimitReached(messages: readonly BaseMessage[]): boolean {
  const last = messages.at(-1);
  return last?.type === "ai" && !isScripted(last) && last.text.startsWith("Model call limits exceeded");
}

function stopsWith(error: unknown): Outcome["status"] | undefined {
  const { name } = error instanceof Error ? error : { name: undefined };
  if (name === "ModelCallLimitMiddlewareError" || name === "GraphRecursionError") return "out-of-steps";
  if (name === "ModelAbortError") return "aborted";
  return isModelFailure(error) ? "failed" : undefined;
}

/** Middleware wraps what it lets through. */
function isModelFailure(error: unknown): boolean {
  return error instanceof ModelError || (error instanceof Error && isModelFailure(error.cause));
}
