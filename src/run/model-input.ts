import { describedValue } from "../contract/described-value.ts";
import { isMadeByHelper } from "../contract/helper-input.ts";
import type { LogEntry, ModelInput, ToolResult } from "../contract/run-record.ts";
import type { EventOf } from "../contract/trace.ts";
import type { Hints } from "./hints.ts";
import { messageOf, plain } from "./plain.ts";
import { isEditedByTheModel } from "./spoil.ts";

type Told = Omit<EventOf<"asked">, "type" | "step">;

const NOTHING: Told = {};
const ENTRY_TYPES: ReadonlySet<unknown> = new Set<LogEntry["type"]>(["proposal", "result", "blocked", "error", "stop"]);

/**
 * What the harness told the model before a turn, as it is at this moment: the harness may go on filling the very lists that it passed.
 */
export function snapshotOf(input: ModelInput | undefined, hints: Hints): Told {
  if (typeof input !== "object" || input === null) return NOTHING;
  const results = listOf(memberOf(input, "results", hints), toolResult, ["results", hints]);
  const log = snapshotLog(memberOf(input, "log", hints), hints);
  const menu = listOf(memberOf(input, "menu", hints), text, ["menu", hints]);
  const spelledAs = spellings(memberOf(input, "spelledAs", hints), hints);
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
  return listOf(log, logEntry, ["log", hints]);
}

/** The name of a list of what the harness told, and where it is noted that something in it can't be read. */
type Place = readonly [list: "results" | "log" | "menu", hints: Hints];

function memberOf(input: ModelInput, name: keyof ModelInput, hints: Hints): unknown {
  try {
    return input[name];
  } catch (error) {
    hints.noteMalformed(`\`${name}\`, which throws ${JSON.stringify(messageOf(error))}`);
    return undefined;
  }
}

function listOf<Item>(
  list: unknown,
  read: (item: unknown, hints: Hints) => Item | undefined,
  [name, hints]: Place,
): Item[] | undefined {
  if (list === undefined || list === null) return undefined;
  const items: Item[] = [];
  try {
    for (const item of list as Iterable<unknown>) {
      const copy = read(item, hints);
      if (copy !== undefined) items.push(copy);
      // What the model has made of it is no mistake in the harness's own words.
      else if (!isEditedByTheModel(item)) hints.noteMalformed(`\`${name}[${items.length}]\`: ${described(item)}`);
    }
  } catch {
    hints.noteMalformed(`\`${name}\`: ${describedValue(list)} that can't be read as a list`);
  }
  return items;
}

/** An object by its members: what is missing is mostly spelled in another way. */
function described(item: unknown): string {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return describedValue(item);
  const names = Object.keys(item).slice(0, 8);
  const words = names.map((name) => describedValue(name)).join(", ");
  return names.length === 0 ? "an empty object" : `an object of ${words}`;
}

function toolResult(item: unknown, hints: Hints): ToolResult | undefined {
  if (typeof item !== "object" || item === null) return undefined;
  const { callId, text: content, isError } = item as { [key in keyof ToolResult]?: unknown };
  if (typeof callId !== "string") return undefined;
  if (content === undefined) hints.noteMalformed(`a result without a \`text\`, for ${describedValue(callId)}`);
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

function spellings(spelledAs: unknown, hints: Hints): { readonly [shown: string]: string } | undefined {
  if (typeof spelledAs !== "object" || spelledAs === null) return undefined;
  try {
    return Object.fromEntries(Object.entries(spelledAs).map(([shown, tool]) => [shown, String(tool)]));
  } catch (error) {
    hints.noteMalformed(`\`spelledAs\`, which throws ${JSON.stringify(messageOf(error))}`);
    return undefined;
  }
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
