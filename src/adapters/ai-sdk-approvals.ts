import type { TestRun } from "../contract/harness.ts";
import { UndecidedError } from "../errors.ts";
import type { LoopStep } from "./ai-sdk-types.ts";

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
    const approved = await untilAborted(run.signal, isApproved(run, toolCall));
    if (approved === undefined) isOpen = true;
    else content.push({ type: "tool-approval-response", approvalId, approved });
  }
  if (isOpen) return undefined;
  return { approved: content.some(({ approved }) => approved), message: { role: "tool", content } };
}

/** Undefined where it is not decided yet. A human who can't be reached has not agreed. */
async function isApproved(run: TestRun, { toolCallId, toolName, input }: ApprovalRequest["toolCall"]) {
  try {
    return await run.requestApproval({ callId: toolCallId, tool: toolName, args: input });
  } catch (error) {
    return error instanceof UndecidedError ? undefined : false;
  }
}

async function untilAborted<Value>(signal: AbortSignal, waiting: Promise<Value>): Promise<Value> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    signal.throwIfAborted();
    return await Promise.race([waiting, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
