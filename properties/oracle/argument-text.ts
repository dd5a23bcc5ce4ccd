import { depthOf, type Json, type JsonObject, parseArguments } from "../../src/world/json.ts";

/** Deeper or longer arguments than these may be refused by a correct harness, and may be run by another correct one. */
const DEEPEST = 100;
const LONGEST = 10_000;

/** The same few short texts come again and again; a long one is asked about by several rules, and then no more. */
const SHORT = 2_000;
const MOST_SHORT = 4_000;
const MOST_LONG = 8;
const shortReadings = new Map<string, ArgumentReading>();
const longReadings = new Map<string, ArgumentReading>();

/**
 * What an argument text says. `values`: one object; two where a key comes twice, since parsers differ on which of them
 * counts; none where the text is malformed. `plain`: nothing about it is left to the harness.
 *
 * @example
 * readArguments('{"order":"A-1"}', false) // { values: [{ order: "A-1" }], plain: true }
 */
export interface ArgumentReading {
  readonly values: readonly JsonObject[];
  readonly plain: boolean;
}

const EMPTY: ArgumentReading = { values: [{}], plain: false };
const MALFORMED: ArgumentReading = { values: [], plain: false };

export function readArguments(text: string, emptyIsObject: boolean): ArgumentReading {
  if (text === "" && emptyIsObject) return EMPTY;
  if (!mayBeObject(text)) return MALFORMED;
  const readings = text.length > SHORT ? longReadings : shortReadings;
  const known = readings.get(text);
  if (known !== undefined) return known;
  if (readings.size >= (text.length > SHORT ? MOST_LONG : MOST_SHORT)) readings.clear();
  const reading = read(text);
  readings.set(text, reading);
  return reading;
}

/** The first value of a text: what `JSON.parse` makes of it, where that is an object. */
export function argumentsIn(text: string): JsonObject | undefined {
  return readArguments(text, false).values[0];
}

function read(text: string): ArgumentReading {
  const value = parseArguments(text);
  if (value === undefined) return MALFORMED;
  if (isOrdinary(text, value)) return { values: [value], plain: true };
  const { keys, polluting } = surveyKeys(value);
  if (keys !== keysWritten(text)) return { values: [value, firstKeysWin(text) as JsonObject], plain: false };
  return { values: [value], plain: !polluting && text.length <= LONGEST && depthOf(value) <= DEEPEST };
}

/** Short, and as `JSON.stringify` writes it: then no key comes twice, and it can't be deep. Nearly all texts are like this. */
function isOrdinary(text: string, value: JsonObject): boolean {
  return text.length <= DEEPEST && !/__proto__|"constructor"/.test(text) && JSON.stringify(value) === text;
}

/** Most malformed texts are told by their ends, which is a lot cheaper than an error of `JSON.parse`. */
function mayBeObject(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith("{") && trimmed.endsWith("}");
}

function surveyKeys(value: Json): { keys: number; polluting: boolean } {
  let keys = 0;
  let polluting = false;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item !== "object" || item === null) continue;
    if (!Array.isArray(item)) {
      keys += Object.keys(item).length;
      polluting ||= Object.hasOwn(item, "__proto__") || reachesPrototype(item);
    }
    for (const child of Object.values(item)) pending.push(child);
  }
  return { keys, polluting };
}

const token = /[\s,:]*(?:("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|([^\s,:"[\]{}]+)|([[\]{}]))/y;

/** The keys in a valid JSON text, repeated ones included. */
function keysWritten(text: string): number {
  let keys = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) if (found[2] !== undefined) keys += 1;
  return keys;
}

interface Level {
  readonly into: Json[] | Map<string, Json>;
  key: string;
}

/** Reads a valid JSON text as a parser does that keeps the first of two equal keys. Iterative: texts nest deeply. */
function firstKeysWin(text: string): Json {
  const root: Level = { into: [], key: "" };
  const open: Level[] = [root];
  const put = (level: Level, value: Json): void => {
    if (Array.isArray(level.into)) level.into.push(value);
    else if (!level.into.has(level.key)) level.into.set(level.key, value);
  };
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [, quoted, colon, scalar, bracket] = found;
    const level = open.at(-1) ?? root;
    if (quoted !== undefined && colon !== undefined) level.key = JSON.parse(quoted) as string;
    else if (quoted !== undefined) put(level, JSON.parse(quoted) as Json);
    else if (scalar !== undefined) put(level, JSON.parse(scalar) as Json);
    else if (bracket === "{" || bracket === "[") open.push({ into: bracket === "{" ? new Map() : [], key: "" });
    else {
      open.pop();
      // fromEntries makes own keys, "__proto__" too.
      put(open.at(-1) ?? root, Array.isArray(level.into) ? level.into : Object.fromEntries(level.into));
    }
  }
  return (root.into as Json[])[0] ?? null;
}

/** Readers that guard against polluted prototypes refuse this form as they refuse `__proto__`. */
function reachesPrototype(item: object): boolean {
  if (!Object.hasOwn(item, "constructor")) return false;
  const held: unknown = item.constructor;
  return typeof held === "object" && held !== null && Object.hasOwn(held, "prototype");
}
