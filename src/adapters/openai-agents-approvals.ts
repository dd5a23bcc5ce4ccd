import type { Agent, RunState, RunToolApprovalItem } from "@openai/agents";
import type { TestRun } from "../contract/harness.ts";
import { UndecidedError } from "../errors.ts";

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own types ask for it
export type AnyAgent = Agent<any, any>;
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own types ask for it
export type AnyState = RunState<any, AnyAgent>;

/**
 * Puts each interruption of a paused run to the human, and tells the state what was said. A human who can't be reached says no; one who
 * has not decided leaves it open.
 *
 * @returns whether any was decided, and whether any stays open.
 */
export async function decideAll(run: TestRun, state: AnyState, interruptions: readonly RunToolApprovalItem[]) {
  let decided = false;
  let open = false;
  for (const item of interruptions) {
    run.signal.throwIfAborted();
    const answer = await answerOf(run, item);
    if (answer === undefined) open = true;
    else if (answer) state.approve(item);
    else state.reject(item);
    decided ||= answer !== undefined;
  }
  return { decided, open };
}

async function answerOf(run: TestRun, item: RunToolApprovalItem): Promise<boolean | undefined> {
  const { rawItem } = item;
  const callId = "callId" in rawItem ? rawItem.callId : undefined;
  try {
    return await unlessAborted(
      run.requestApproval({ ...(callId !== undefined && { callId }), tool: item.name ?? "", args: argumentsOf(item) }),
      run.signal,
    );
  } catch (error) {
    if (error instanceof UndecidedError) return undefined;
    run.signal.throwIfAborted();
    return false;
  }
}

/** What the human is shown: the arguments as a value, or, where they are none, their text. */
function argumentsOf({ arguments: text }: RunToolApprovalItem): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return text;
  }
}

/** An application stops waiting for a person once its user has left. */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stopListening = () => {};
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    stopListening = () => signal.removeEventListener("abort", stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stopListening();
  }
}
