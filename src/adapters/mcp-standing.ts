import { type JsonSchema, satisfies } from "../world/input-schema.ts";
import { depthOf, isJsonObject, type Json, type JsonObject, parseJson } from "../world/json.ts";
import type { ToolSpec } from "../world/tool.ts";

/**
 * What may be expected of a server for a call. `open`: it may accept the call or not, and from outside nobody can tell what its handler
 * got: keys that its schema does not know may have been dropped, `null` may stand for no arguments, and of a key that is there twice
 * either value may count.
 */
export type CallStanding = "undeclared" | "malformed" | "invalid" | "open" | "valid";

/** How a call stands with the tools that a server lists. */
export function standingOf(tools: readonly ToolSpec[], name: string, args: string): CallStanding {
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return "undeclared";
  const { inputSchema } = tool;
  const value = args === "" ? {} : parseJson(args);
  if (value === null && satisfies(inputSchema, {})) return "open";
  if (!isJsonObject(value)) return "malformed";
  if (satisfies(inputSchema, value)) return hasTwins(args) ? "open" : "valid";
  return hasTwins(args) || satisfies(loosened(inputSchema), value) ? "open" : "invalid";
}

/** Levels of nesting that every reader of JSON can be expected to bear. */
const bearable = 100;

/**
 * Whether a server has to answer a call with these arguments under its id. Where it can't read the frame there is no id: text that is
 * not JSON, and what readers of JSON may refuse, such as a key that is there twice, or arguments too deep for them.
 */
export function mustBeAnswered(args: string): boolean {
  if (args === "") return true;
  const value = parseJson(args);
  return value !== undefined && depthOf(value) <= bearable && !hasTwins(args);
}

const loose = new WeakMap<object, JsonSchema>();

/** The schema without what a server may mend by dropping keys that it does not know, or by filling in defaults. */
function loosened(schema: JsonSchema): JsonSchema {
  const known = loose.get(schema);
  if (known !== undefined) return known;
  const made = loosenedPart(schema) as JsonSchema;
  loose.set(schema, made);
  return made;
}

/** Where a part of a schema says what must not be, less strict would be stricter: such parts stay. */
const kept: ReadonlySet<string> = new Set(["not", "if", "const", "enum", "default", "examples"]);

function loosenedPart(part: Json): Json {
  if (Array.isArray(part)) return part.map(loosenedPart);
  if (!isJsonObject(part)) return part;
  const members = Object.entries(part).flatMap(([key, value]): [string, Json][] => {
    if (/^(additional|unevaluated)Properties$/.test(key) && value === false) return [];
    if (key === "maxProperties" || key === "propertyNames") return [];
    if (key === "required" && Array.isArray(value)) return [[key, withoutDefaults(value as readonly Json[], part)]];
    return [[key, kept.has(key) ? value : loosenedPart(value)]];
  });
  return Object.fromEntries(members);
}

function withoutDefaults(required: readonly Json[], { properties = {} }: JsonObject): Json {
  return required.filter((name) => {
    const property = isJsonObject(properties) && typeof name === "string" ? properties[name] : undefined;
    return !isJsonObject(property) || property.default === undefined;
  });
}

/** Whether a valid JSON text has an object with one key twice. Once through the text: arguments may be long, and deep. */
function hasTwins(json: string): boolean {
  const keys: Set<string>[] = [];
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[{}]/g)) {
    if (token === "{") keys.push(new Set());
    else if (token === "}") keys.pop();
    else if (token.endsWith(":")) {
      const key = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)) as string;
      const known = keys.at(-1);
      if (known?.has(key)) return true;
      known?.add(key);
    }
  }
  return false;
}
