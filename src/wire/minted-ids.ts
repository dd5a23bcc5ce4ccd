import { field, textField } from "./message-content.ts";
import type { Sent } from "./new-results.ts";

/**
 * The ids that a client's helper made up for calls which came without one (the official `openai` client's do, at random). The conversation
 * that the client sends back says what each call is called there: a result for such an id is a result for the call without one.
 */
export class MintedIds {
  #lastIds: readonly string[] = [];
  readonly #minted = new Set<string>();

  /** A reply with these calls was given. */
  delivered(callIds: readonly string[]): void {
    this.#lastIds = callIds;
  }

  /** The conversation in the body of a request, with the ids as the model gave them. */
  undone(body: unknown, conversation: readonly Sent[]): readonly Sent[] {
    if (this.#lastIds.includes("")) this.#learnFrom(field(body, "messages"));
    if (this.#minted.size === 0) return conversation;
    return conversation.map((sent) =>
      sent.kind === "result" && this.#minted.has(sent.result.callId)
        ? { kind: "result", result: { ...sent.result, callId: "" } }
        : sent,
    );
  }

  #learnFrom(messages: unknown): void {
    if (!Array.isArray(messages)) return;
    const calls = field(
      messages.findLast((message) => field(message, "role") === "assistant"),
      "tool_calls",
    );
    if (!Array.isArray(calls) || calls.length !== this.#lastIds.length) return;
    for (const [index, id] of this.#lastIds.entries()) {
      if (id === "") this.#minted.add(textField(calls[index], "id"));
    }
  }
}
