import type { ToolResult } from "../contract/run-record.ts";

/** One message of a conversation, as far as results go: what the model said, or the result of one call. */
export type Sent = { readonly kind: "reply" } | { readonly kind: "result"; readonly result: ToolResult };

export interface ResultReader {
  /** The results in a conversation that were not in the last one delivered. */
  read(conversation: readonly Sent[]): readonly ToolResult[];
  /** The conversation was answered by a turn with these calls: its results are old from now on. */
  delivered(conversation: readonly Sent[], callIds: readonly string[]): void;
}

/**
 * Tells the new results of a conversation from those sent before. A loop sends the whole conversation each time, and may also
 * shorten it, reword old results, put a reply before each of its results, or ask again after a failed request; call ids may
 * come again. So results are counted for each id: those beyond the number seen so far are new, and, where old ones were
 * dropped, those for the last turn's calls that stand after its reply. What stands there before the first turn is an example.
 */
export function resultReader(): ResultReader {
  const seen = new Map<string, number>();
  let lastCalls: ReadonlySet<string> | undefined;

  return {
    read(conversation) {
      if (lastCalls === undefined) return [];
      const lastReply = conversation.findLastIndex((sent) => sent.kind === "reply");
      const fresh: number[] = [];
      for (const [callId, positions] of positionsById(conversation)) {
        const unseen = positions.slice(seen.get(callId) ?? 0);
        const after = lastCalls.has(callId) ? positions.filter((position) => position > lastReply) : [];
        fresh.push(...(unseen.length > 0 ? unseen : after));
      }
      const sorted = fresh.sort((left, right) => left - right).map((position) => conversation[position]);
      return sorted.flatMap((sent) => (sent?.kind === "result" ? [sent.result] : []));
    },
    delivered(conversation, callIds) {
      for (const [callId, positions] of positionsById(conversation)) {
        seen.set(callId, Math.max(positions.length, seen.get(callId) ?? 0));
      }
      lastCalls = new Set(callIds);
    },
  };
}

function positionsById(conversation: readonly Sent[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  conversation.forEach((sent, position) => {
    if (sent.kind !== "result") return;
    const known = positions.get(sent.result.callId);
    if (known === undefined) positions.set(sent.result.callId, [position]);
    else known.push(position);
  });
  return positions;
}
