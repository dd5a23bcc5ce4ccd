import { isMadeByHelper } from "../contract/helper-input.ts";
import type { LogEntry, ModelInput, ToolResult } from "../contract/run-record.ts";
import type { EventOf } from "../contract/trace.ts";
import type { Hints } from "./hints.ts";
import { messageOf, plain } from "./plain.ts";

type Told = Omit<EventOf<"asked">, "type" | "step">;

const NOTHING: Told = {};
const ENTRY_TYPES: ReadonlySet<unknown> = new Set<LogEntry["type"]>(["proposal", "result", "blocked", "error", "stop"]);

/**
 * What the harness told the model before a turn, as it is at this moment: the harness may go on filling the very lists that it passed.
 */
export function snapshotOf(input: ModelInput | undefined, hints: Hints): Told {
  if (typeof input !== "object" || input === null) return NOTHING;
  const results = listOf(input.results, toolResult, hints);
  const log = snapshotLog(input.log, hints);
  const menu = listOf(input.menu, text, hints);
  const spelledAs = spellings(input.spelledAs);
  if (!isMadeByHelper(input)) {
    if (results !== undefined) hints.note("results");
    if (menu !== undefined) hints.note("menu");
    if (log !== undefined) hints.note("log");
  }
  const told: { -readonly [Key in keyof Told]: Told[Key] } = {};
  if (results !== undefined) told.results = results;
  if (log !== undefined) told.log = log;
  if (menu !== undefined) told.menu = menu;
  if (spelledAs !== undefined) told.spelledAs = spelledAs;
  return told;
}

export function snapshotLog(log: unknown, hints: Hints): readonly LogEntry[] | undefined {
  return listOf(log, logEntry, hints);
}

function listOf<Item>(list: unknown, read: (item: unknown) => Item | undefined, hints: Hints): Item[] | undefined {
  if (list === undefined || list === null) return undefined;
  const items: Item[] = [];
  try {
    for (const item of list as Iterable<unknown>) {
      const copy = read(item);
      if (copy === undefined) hints.note("malformed-input");
      else items.push(copy);
    }
  } catch {
    hints.note("malformed-input");
  }
  return items;
}

function toolResult(item: unknown): ToolResult | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { callId, text: content, isError } = item as { [key in keyof ToolResult]?: unknown };
  if (typeof callId !== "string") return undefined;
  const result = { callId, text: typeof content === "string" ? content : jsonText(content) };
  return typeof isError === "boolean" ? { ...result, isError } : result;
}

function logEntry(item: unknown): LogEntry | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { type, step, callId, tool, detail } = item as { [key in keyof LogEntry]?: unknown };
  if (!ENTRY_TYPES.has(type)) return undefined;
  const entry: { -readonly [Key in keyof LogEntry]: LogEntry[Key] } = { type: type as LogEntry["type"] };
  if (typeof step === "number") entry.step = step;
  if (typeof callId === "string") entry.callId = callId;
  if (typeof tool === "string") entry.tool = tool;
  if (detail !== undefined) entry.detail = typeof detail === "string" ? detail : jsonText(detail);
  return entry;
}

function spellings(spelledAs: unknown): { readonly [shown: string]: string } | undefined {
  if (typeof spelledAs !== "object" || spelledAs === null) return undefined;
  return Object.fromEntries(Object.entries(spelledAs).map(([shown, tool]) => [shown, String(tool)]));
}

function text(item: unknown): string | undefined {
  return typeof item === "string" ? item : undefined;
}

function jsonText(value: unknown): string {
  if (value === undefined) return "";
  try {
    return JSON.stringify(plain(value));
  } catch (error) {
    return messageOf(error);
  }
}
