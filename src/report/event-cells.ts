import type { LogEntry } from "../contract/run-record.ts";
import type { EventOf, TraceEvent } from "../contract/trace.ts";
import type { Proposal } from "../contract/turn.ts";
import { eventWords, settledWords } from "./event-words.ts";
import { jsonWords, proposalWords } from "./proposal-words.ts";
import type { TraceMemory } from "./trace-memory.ts";
import { quoted, visible } from "./visible-text.ts";

/** Who did what an event tells of, in the order of the columns. */
export const parties = ["harness", "model", "human", "handlers"] as const;

export type Party = (typeof parties)[number];

/** An event as it stands in the column of the one who did it. */
export interface Cell {
  readonly party: Party;
  /** Its own lines; each may be longer than the column. */
  readonly words: readonly string[];
}

/**
 * One event as a cell of the timeline. The column says who it was, so that the words need not.
 *
 * @example
 * // a handler-started event of "refund"
 * cellOf(event, 3, new TraceMemory(trace))
 * // { party: "handlers", words: ['"refund" runs with {}'] }
 */
export function cellOf(event: TraceEvent, at: number, memory: TraceMemory): Cell {
  const { party, words } = bareCellOf(event, at, memory);
  if (event.late !== true) return { party, words };
  const [first = "", ...below] = words;
  return { party, words: [`after the end: ${first}`, ...below] };
}

function bareCellOf(event: TraceEvent, at: number, memory: TraceMemory): Cell {
  switch (event.type) {
    case "proposed":
      return { party: "model", words: [proposed(event.proposal)] };
    case "model-failed":
      return { party: "model", words: [`the request fails: ${event.failure}`] };
    case "kit-refused":
      return { party: "model", words: sentence(event) };
    case "approval-asked":
      return {
        party: "human",
        words: [`${idBefore(event.callId)}${quoted(event.tool)} with ${jsonWords(event.args)}?`],
      };
    case "approval-given":
      return {
        party: "human",
        words: [
          `${idBefore(event.callId)}"${event.decision}", ${quoted(event.tool)} is ${event.granted ? "" : "not "}approved`,
        ],
      };
    case "human-hangs":
      return { party: "human", words: [`does not answer about ${quoted(event.tool)}`] };
    case "handler-started":
      return {
        party: "handlers",
        words: [`${idBefore(event.callId)}${quoted(event.tool)} runs with ${jsonWords(event.args)}`],
      };
    case "handler-settled":
      return {
        party: "handlers",
        words: [`${idBefore(memory.callIdOf(event.effect))}${quoted(event.tool)} ${settledWords(event)}`],
      };
    case "handler-hangs":
      return {
        party: "handlers",
        words: [`${idBefore(memory.callIdOf(event.effect))}${quoted(event.tool)} does not settle`],
      };
    case "tampered":
      return { party: "handlers", words: [`${quoted(event.tool)} tampers with the tools (${visible(event.edit)})`] };
    case "inherited-called":
      return { party: "handlers", words: [`the inherited ${quoted(event.name)} is called`] };
    case "asked":
      return { party: "harness", words: askedWords(event, at, memory) };
    case "ended":
      return { party: "harness", words: [...sentence(event), ...logWords(event.log, at, memory)] };
    default:
      return { party: "harness", words: sentence(event) };
  }
}

function askedWords(event: EventOf<"asked">, at: number, memory: TraceMemory): readonly string[] {
  const { log, ...rest } = event;
  const missing = memory.unanswered(event, at).map((id) => `no result for ${quoted(id)}`);
  return ["asks the model", ...sentence(rest).slice(1), ...missing.slice(0, 8), ...logWords(log, at, memory)];
}

/** What was written since the log was last shown; all of it where that was changed. */
function logWords(log: readonly LogEntry[] | undefined, at: number, memory: TraceMemory): readonly string[] {
  if (log === undefined) return [];
  const added = memory.added(log, at);
  const entries = added ?? log;
  if (entries.length === 0) return added === undefined ? ["log, changed: empty"] : [];
  const more = entries.length > 8 ? [`and ${entries.length - 8} more`] : [];
  const words = [...entries.slice(0, 8).map(entryWords), ...more].join(", ");
  return [`${added === undefined ? "log, changed" : "log"}: ${words}`];
}

function entryWords({ type, callId, tool }: LogEntry): string {
  const about = callId ?? tool;
  return about === undefined ? type : `${type} ${quoted(about)}`;
}

function proposed(proposal: Proposal): string {
  if (proposal.kind === "text") return `says ${quoted(proposal.text)}`;
  return `${idBefore(proposal.callId)}${proposalWords(proposal).replace(/^call /, "")}`;
}

function idBefore(callId: string | undefined): string {
  return callId === undefined ? "" : `${quoted(callId)}: `;
}

function sentence(event: TraceEvent): readonly string[] {
  const { late: _late, ...inTime } = event;
  return eventWords(inTime as TraceEvent);
}
