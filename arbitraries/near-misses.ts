import { type JsonSchema, satisfies } from "../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../src/world/json.ts";
import { argumentsFor } from "./arguments-for.ts";
import { breaksOf } from "./schema/keyword-breaks.ts";
import { placesIn } from "./schema/schema-places.ts";

/** Arguments that are valid but for one keyword. */
export interface NearMiss {
  readonly keyword: string;
  /** The part of the schema that the keyword stands in. */
  readonly path: readonly string[];
  readonly args: JsonObject;
}

const most = 64;
const bases = 12;
const compiled = 40;

const byObject = new WeakMap<object, readonly NearMiss[]>();
const byText = new Map<string, readonly NearMiss[]>();

/**
 * Arguments that break exactly one keyword of a tool's schema each, at any depth: a field missing, a wrong type, a value
 * just out of bounds, one key too many. Each is refused by the validator, and would be valid without that keyword.
 * None where nothing valid is known, or where the schema refuses nothing.
 *
 * @example
 * const schema = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
 * nearMisses(schema)[0] // { keyword: "required", path: [], args: {} }
 */
export function nearMisses(schema: JsonSchema): readonly NearMiss[] {
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  const found = byText.get(text) ?? search(schema);
  byText.set(text, found);
  byObject.set(schema, found);
  return found;
}

function search(schema: JsonSchema): readonly NearMiss[] {
  const found = new Map<string, NearMiss & { readonly variant: number }>();
  const seen = new Set<string>();
  let budget = compiled;
  for (const args of argumentsFor(schema).pool.slice(0, bases)) {
    for (const place of placesIn(schema, args)) {
      const counts = new Map<string, number>();
      for (const [keyword, value] of breaksOf(place, schema)) {
        const variant = counts.get(keyword) ?? 0;
        counts.set(keyword, variant + 1);
        const key = JSON.stringify([place.path, keyword, variant]);
        if (found.has(key)) continue;
        const broken = place.put(value);
        const text = JSON.stringify(broken);
        if (seen.has(text) || isValid(schema, broken)) continue;
        // A validator is compiled for this, which takes milliseconds: only where several parts describe one value.
        if (place.composed && (budget-- <= 0 || !isValid(withoutKeyword(schema, place.path, keyword), broken)))
          continue;
        seen.add(text);
        found.set(key, { keyword, path: place.path, args: broken, variant });
      }
    }
  }
  // Every keyword once before any of them a second time.
  const sorted = [...found.values()].sort((left, right) => left.variant - right.variant);
  return sorted.slice(0, most).map(({ keyword, path, args }) => ({ keyword, path, args }));
}

function isValid(schema: JsonSchema, args: JsonObject): boolean {
  try {
    return satisfies(schema, args);
  } catch {
    return true;
  }
}

/** The schema without one keyword of one of its parts. */
export function withoutKeyword(schema: JsonSchema, path: readonly string[], keyword: string): JsonSchema {
  const [step, ...rest] = path;
  if (step === undefined) {
    const { [keyword]: _gone, ...others } = schema;
    return others;
  }
  const part = (schema as JsonObject)[step];
  if (Array.isArray(part)) {
    const [index, ...further] = rest;
    const item = part[Number(index)] as Json;
    if (!isJsonObject(item)) return schema;
    return { ...schema, [step]: part.with(Number(index), withoutKeyword(item, further, keyword)) };
  }
  return isJsonObject(part) ? { ...schema, [step]: withoutKeyword(part, rest, keyword) } : schema;
}
