import type { TestRun } from "../contract/harness.ts";
import type { LoopStep } from "./ai-sdk-types.ts";
import { askHuman } from "./ask-human.ts";

interface ApprovalRequest {
  readonly type: "tool-approval-request";
  readonly approvalId: string;
  readonly toolCall: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown };
}

/** The requests of a step that a human has to decide on. Those that `toolApproval` of 7 decides itself are not among them. */
export function openRequests({ content }: LoopStep): readonly ApprovalRequest[] {
  return content.filter((part): part is ApprovalRequest => {
    const { type, isAutomatic } = part as { readonly type: string; readonly isAutomatic?: boolean };
    return type === "tool-approval-request" && isAutomatic !== true;
  });
}

interface Answer {
  /** Whether at least one was. */
  readonly approved: boolean;
  readonly message: object;
}

/**
 * Puts them to the scripted human, one after another, as an application does that shows them all.
 *
 * @returns the message that the SDK takes up the run with; undefined where at least one is left open.
 * @throws the reason of the signal, also while a human does not answer.
 */
export async function decisions(run: TestRun, requests: readonly ApprovalRequest[]): Promise<Answer | undefined> {
  const content: { readonly type: string; readonly approvalId: string; readonly approved: boolean }[] = [];
  let isOpen = false;
  for (const { approvalId, toolCall } of requests) {
    const { toolCallId: callId, toolName: tool, input: args } = toolCall;
    const approved = await askHuman(run, { callId, tool, args }, run.signal);
    if (approved === undefined) isOpen = true;
    else content.push({ type: "tool-approval-response", approvalId, approved });
  }
  if (isOpen) return undefined;
  return { approved: content.some(({ approved }) => approved), message: { role: "tool", content } };
}
