import type { Setting } from "../src/contract/script-class.ts";
import type { JsonSchema } from "../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../src/world/json.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import { argumentsFor, isSatisfied } from "./arguments-for.ts";

const most = 24;
const ofOnePlace = 4;
const deepest = 4;
const known = new WeakMap<NonNullable<Setting["refuses"]>, WeakMap<ToolSpec, readonly JsonObject[]>>();

/**
 * Arguments that only a refinement speaks against: valid by the JSON Schema, and refused by the schema that the harness
 * itself checks with. Each is what that schema takes, with one value replaced by one that is made without the examples,
 * or with one field left out. None where the harness does not tell what its schema refuses.
 *
 * @example
 * // z.object({ from: z.string().refine((text) => text.includes("@")) }), the example { from: "a@b.co" }: { from: "A-1" }
 */
export function refinementBreaks(tool: ToolSpec, { refuses }: Pick<Setting, "refuses">): readonly JsonObject[] {
  if (refuses === undefined) return [];
  const byTool = known.get(refuses) ?? new WeakMap<ToolSpec, readonly JsonObject[]>();
  known.set(refuses, byTool);
  const found = byTool.get(tool) ?? search(tool, refuses);
  byTool.set(tool, found);
  return found;
}

function search({ name, inputSchema }: ToolSpec, refuses: NonNullable<Setting["refuses"]>): readonly JsonObject[] {
  const seeded = argumentsFor(inputSchema).pool;
  const good = seeded.find((args) => !refuses(name, args));
  if (good === undefined) return [];
  const byPlace = new Map<string, Map<string, JsonObject>>();
  for (const made of [...argumentsFor(withoutExamples(inputSchema)).pool, ...seeded]) {
    for (const [place, value] of [...replaced(good, made, 0), ["", made] as const]) {
      const here = byPlace.get(place) ?? new Map<string, JsonObject>();
      byPlace.set(place, here);
      const text = JSON.stringify(value);
      if (here.size >= ofOnePlace || here.has(text) || !isJsonObject(value)) continue;
      if (isSatisfied(inputSchema, value) && refuses(name, value)) here.set(text, value);
    }
  }
  // What breaks more than one refinement shows less: it is taken last.
  const { "": whole = new Map<string, JsonObject>(), ...places } = Object.fromEntries(byPlace);
  const lists = [...Object.values(places)].map((each) => [...each.values()]);
  const rows = Array.from({ length: ofOnePlace }, (_, row) => lists.flatMap((list) => list.slice(row, row + 1)));
  const all = [...rows.flat(), ...whole.values()].map((args) => [JSON.stringify(args), args] as const);
  return [...new Map(all).values()].slice(0, most);
}

/** The first value with one place of it as in the other one, or gone where the other one does without; and which place. */
function* replaced(good: Json, made: Json, depth: number): Iterable<readonly [place: string, value: Json]> {
  if (depth > deepest) return;
  if (isJsonObject(good) && isJsonObject(made)) {
    for (const key of new Set([...Object.keys(good), ...Object.keys(made)])) {
      const { [key]: before, ...others } = good;
      if (!Object.hasOwn(made, key)) yield [`${key} gone`, others];
      else if (before === undefined) yield [key, { ...good, [key]: made[key]! }];
      else
        for (const [place, value] of replaced(before, made[key]!, depth + 1))
          yield [`${key}/${place}`, { ...good, [key]: value }];
    }
  } else if (Array.isArray(good) && Array.isArray(made) && good.length > 0 && made.length > 0) {
    for (const [place, value] of replaced(good[0]!, made[0]!, depth + 1)) yield [`0/${place}`, good.with(0, value)];
    yield ["all", made];
  } else {
    yield ["value", made];
  }
}

const data = ["const", "enum", "default"];

/** Examples are lists where a schema may stand; a property of that name is a schema. */
function withoutExamples(schema: JsonSchema): JsonSchema {
  const strip = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(strip);
    if (!isJsonObject(part)) return part;
    const kept = Object.entries(part).filter(([key, value]) => !(key === "examples" && Array.isArray(value)));
    return Object.fromEntries(kept.map(([key, value]) => [key, data.includes(key) ? value : strip(value)]));
  };
  return strip(schema) as JsonSchema;
}
