import type { Outcome } from "../contract/harness.ts";
import { badArgument } from "../contract/valid-argument.ts";
import type { LoopAgent, LoopResult, LoopStep } from "./ai-sdk-types.ts";

/** What an agent is called with. */
export interface LoopCall {
  readonly messages: readonly object[];
  readonly abortSignal: AbortSignal;
}

/** How one call of `generateText`, `streamText` or an agent ended. */
export interface LoopEnd {
  readonly steps: number;
  readonly last: LoopStep;
  /** What the SDK adds to the conversation. */
  readonly messages: readonly object[];
}

/**
 * What the user's function gave, driven to its end: a result as it is, a stream until all of it is read, an agent by the method that
 * was asked for.
 *
 * @throws whatever the SDK throws, or gives its stream as an error.
 */
export async function endOfLoop(given: unknown, call: LoopCall, streamed: boolean): Promise<LoopEnd | "aborted"> {
  const result = isAgent(given) ? await answerOf(given, call, streamed) : given;
  if (!isResult(result)) throw badArgument(returned, "what `generateText`, `streamText` or an agent gives", result);
  if ((await readToEnd(result)) === "aborted") return "aborted";
  const steps = (await result.steps) as readonly LoopStep[];
  const messages = "responseMessages" in result ? await result.responseMessages : (await result.response).messages;
  return { steps: steps.length, last: steps.at(-1) ?? noStep, messages: (messages ?? []) as readonly object[] };
}

const returned = { of: "aiSdkHarness", is: "what `agent` returned", please: "return it" };
const noStep: LoopStep = { content: [], finishReason: "other" };

function isAgent(given: unknown): given is LoopAgent {
  return typeof (given as LoopAgent | null | undefined)?.generate === "function";
}

function isResult(given: unknown): given is LoopResult & { readonly responseMessages?: unknown } {
  return typeof given === "object" && given !== null && "steps" in given;
}

function answerOf(agent: LoopAgent, call: LoopCall, streamed: boolean) {
  // Without `onError` errors of a stream are printed; here they are thrown.
  return streamed ? agent.stream({ ...call, onError() {} } as never) : agent.generate(call as never);
}

/** Where there is a stream, each of its parts is asked for. */
async function readToEnd(result: object): Promise<"aborted" | undefined> {
  const { stream, fullStream = stream } = result as { [key in "stream" | "fullStream"]?: AsyncIterable<StreamPart> };
  let end: StreamPart | undefined;
  for await (const part of fullStream ?? []) {
    if (part.type === "abort" || part.type === "error") end ??= part;
  }
  if (end?.type === "error") throw end.error;
  return end === undefined ? undefined : "aborted";
}

interface StreamPart {
  readonly type: string;
  readonly error?: unknown;
}

/** What the end of the loop means where no human has to decide. */
export function statusOf({ steps, last }: LoopEnd, maxSteps: number): Outcome["status"] {
  const parts = last.content as readonly StreamPart[];
  if (!parts.some(({ type }) => type === "tool-call")) return "answered";
  if (steps >= maxSteps) return "out-of-steps";
  // The loop goes on where the model asked for tools, unless the turn was cut off, filtered or broken: `finishReason` says so.
  const isWhole = last.finishReason === "tool-calls" || last.finishReason === "stop";
  return isWhole ? "answered" : "blocked";
}
