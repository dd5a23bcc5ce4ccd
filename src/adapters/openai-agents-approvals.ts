import type { Agent, RunState, RunToolApprovalItem } from "@openai/agents";
import type { ApprovalRequest, TestRun } from "../contract/harness.ts";
import { askHuman } from "./ask-human.ts";

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
    const answer = await askHuman(run, requestOf(item), run.signal);
    if (answer === undefined) open = true;
    else if (answer) state.approve(item);
    else state.reject(item);
    decided ||= answer !== undefined;
  }
  return { decided, open };
}

function requestOf(item: RunToolApprovalItem): ApprovalRequest {
  const { rawItem } = item;
  const callId = "callId" in rawItem ? rawItem.callId : undefined;
  return { ...(callId !== undefined && { callId }), tool: item.name ?? "", args: argumentsOf(item) };
}

/** What the human is shown: the arguments as a value, or, where they are none, their text. */
function argumentsOf({ arguments: text }: RunToolApprovalItem): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return text;
  }
}
