import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { ActionRequest, HITLRequest, HITLResponse } from "langchain";
import type { TestRun } from "../contract/harness.ts";
import { type Json, sameJson } from "../world/json.ts";
import { askHuman } from "./ask-human.ts";

/** What `humanInTheLoopMiddleware` interrupts with, or nothing where something else interrupted. */
export function approvalRequest(value: unknown): HITLRequest | undefined {
  const requests = (value as Partial<HITLRequest> | undefined)?.actionRequests;
  return Array.isArray(requests) ? (value as HITLRequest) : undefined;
}

/**
 * Asks the human about each action, in order: LangChain matches decisions by position. An approver that fails said no.
 *
 * @returns undefined where one is still open: LangChain takes the decisions of a pause all at once.
 */
export async function askAll(
  { actionRequests }: HITLRequest,
  messages: readonly BaseMessage[],
  run: TestRun,
  signal: AbortSignal | undefined,
): Promise<HITLResponse | undefined> {
  const ids = callIds(actionRequests, messages);
  const decisions: HITLResponse["decisions"] = [];
  let isOpen = false;
  for (const [index, { name, args }] of actionRequests.entries()) {
    const callId = ids[index];
    const isApproved = await askHuman(run, { ...(callId !== undefined && { callId }), tool: name, args }, signal);
    if (isApproved === undefined) isOpen = true;
    else decisions.push({ type: isApproved ? "approve" : "reject" });
  }
  return isOpen ? undefined : { decisions };
}

/** Actions have no ids, but stand in the order of the calls that they are about. */
function callIds(requests: readonly ActionRequest[], messages: readonly BaseMessage[]): (string | undefined)[] {
  const last = messages.findLast((message) => message.type === "ai") as AIMessage | undefined;
  const calls = last?.tool_calls ?? [];
  let from = 0;
  return requests.map(({ name, args }) => {
    const place = calls.findIndex(
      (call, index) => index >= from && call.name === name && sameJson(call.args as Json, args as Json),
    );
    if (place === -1) return undefined;
    from = place + 1;
    return calls[place]?.id;
  });
}
