import type { JsonSchema } from "../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../src/world/json.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import { argumentsFor, isSatisfied } from "./arguments-for.ts";
import { boundaryTexts, tellingNumbers } from "./schema/boundary-values.ts";
import { referenced } from "./schema/merged-schema.ts";

const most = 24;
const handful = 6;
const deepest = 6;
const byTool = new WeakMap<ToolSpec, readonly JsonObject[]>();

/**
 * Valid arguments on both sides of what a tool's policy looks at, the most telling first: more digits and fewer than the
 * rule has, the largest that the schema takes, the bounds and their neighbours. None for tools with one permission.
 *
 * @example
 * // a rule asks above 2000, the schema takes 1 to 100000: { cents: 15000 }, { cents: 100000 }, { cents: 900 } ...
 */
export function policySides(tool: ToolSpec): readonly JsonObject[] {
  const found = byTool.get(tool) ?? search(tool);
  byTool.set(tool, found);
  return found;
}

/** The few of these that are worth a script of their own, out of what a tool may be called with. */
export function tellingSides(tool: ToolSpec, args: readonly JsonObject[]): readonly JsonObject[] {
  const known = new Set(args.slice(1).map((each) => JSON.stringify(each)));
  return policySides(tool)
    .slice(0, handful)
    .filter((each) => known.has(JSON.stringify(each)));
}

function search({ permission: policy, inputSchema }: ToolSpec): readonly JsonObject[] {
  if (typeof policy === "string") return [];
  const own = partsOf(inputSchema);
  const lists = policy.rules.flatMap(({ when }) => {
    const met = argumentsFor({ ...inputSchema, allOf: [...allOf(inputSchema), when] }).pool[0];
    const base = met ?? argumentsFor(inputSchema).pool[0];
    if (base === undefined) return [];
    return [...partsOf(when)].map(([place, parts]) => {
      const path = JSON.parse(place) as readonly string[];
      const bounds = own.get(place) ?? [];
      const values = [...tellingNumbers(parts, bounds), ...boundaryTexts(parts, bounds, valueAt(base, path))];
      return values.map((value) => put(base, path, value)).filter((args) => isSatisfied(inputSchema, args));
    });
  });
  return [...new Map(inTurns(lists).map((args) => [JSON.stringify(args), args])).values()].slice(0, most);
}

const composing = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/** What a schema says of each value, by the path to it, whatever it is composed of. */
function partsOf(root: JsonSchema): ReadonlyMap<string, readonly JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  const read = (part: Json | undefined, path: readonly string[], depth: number): void => {
    if (!isJsonObject(part) || depth > deepest) return;
    if (path.length > 0) found.set(JSON.stringify(path), [...(found.get(JSON.stringify(path)) ?? []), part]);
    if (typeof part.$ref === "string") read(referenced(root, part.$ref).part, path, depth + 1);
    for (const next of composing.flatMap((key) => part[key] ?? [])) read(next, path, depth + 1);
    const properties = isJsonObject(part.properties) ? part.properties : {};
    for (const [key, next] of Object.entries(properties)) {
      if (key !== "__proto__") read(next, [...path, key], depth + 1);
    }
  };
  read(root, [], 0);
  return found;
}

function valueAt(args: Json | undefined, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (here, key) => (isJsonObject(here) && Object.hasOwn(here, key) ? here[key] : undefined),
    args,
  );
}

function put(args: JsonObject, [key, ...rest]: readonly string[], value: Json): JsonObject {
  if (key === undefined) return args;
  const below = Object.hasOwn(args, key) ? args[key] : {};
  return { ...args, [key]: rest.length === 0 ? value : put(isJsonObject(below) ? below : {}, rest, value) };
}

function allOf(schema: JsonSchema): readonly JsonObject[] {
  return Array.isArray(schema.allOf) ? (schema.allOf as readonly JsonObject[]) : [];
}

function inTurns(lists: readonly (readonly JsonObject[])[]): readonly JsonObject[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, row) => lists.flatMap((list) => list.slice(row, row + 1))).flat();
}
