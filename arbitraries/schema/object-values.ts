import fc, { type Arbitrary } from "fast-check";
import type { JsonSchema } from "../../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/world/json.ts";
import type { Below, Values } from "./values.ts";

const most = 8;

/** Objects: the required properties alone, then all of them, then other values for each. No undeclared keys. */
export function objectValues(schema: JsonSchema, below: Below): Values | undefined {
  const required = (Array.isArray(schema.required) ? schema.required : []) as readonly string[];
  if (required.includes("__proto__")) return undefined;
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const fields = new Map<string, Values>();
  for (const key of new Set([...required, ...Object.keys(properties)])) {
    // Another case sees to this key, whose handling is a matter of its own.
    if (key === "__proto__") continue;
    const values = below(Object.hasOwn(properties, key) ? properties[key] : undeclared(key, schema));
    if (values !== undefined && values.canonical.length > 0) fields.set(key, values);
    else if (required.includes(key)) return undefined;
  }
  for (const [key, values] of fields.size === 0 ? entriesOf(schema, below) : []) fields.set(key, values);
  const needed = typeof schema.minProperties === "number" ? schema.minProperties : 0;
  const kept = [...required, ...[...fields.keys()].filter((key) => !required.includes(key))];
  const least = kept.slice(0, Math.max(needed, required.length));
  const object = (keys: readonly string[], shift: number): JsonObject =>
    Object.fromEntries(keys.map((key) => [key, pick(fields.get(key)!, shift)]));
  const canonical: JsonObject[] = [object(least, 0), object(kept, 0), object(least, 1), object(kept, 1)];
  for (const key of kept) {
    for (const value of fields.get(key)!.canonical.slice(1)) canonical.push({ ...object(least, 0), [key]: value });
  }
  const model: Record<string, Arbitrary<Json>> = {};
  for (const [key, values] of fields) model[key] = values.arbitrary;
  const arbitrary = fc.record(model, { requiredKeys: [...least], noNullPrototype: true }) as Arbitrary<Json>;
  return { canonical: distinct(canonical).slice(0, most), arbitrary };
}

/** What a required key that no property declares has to satisfy. */
function undeclared(key: string, schema: JsonSchema): Json | undefined {
  const patterns = isJsonObject(schema.patternProperties) ? schema.patternProperties : {};
  const pattern = Object.keys(patterns).find((text) => new RegExp(text, "u").test(key));
  return pattern === undefined ? schema.additionalProperties : patterns[pattern];
}

/** A dictionary has no properties of its own, but a schema for its keys and one for its values. */
function entriesOf(schema: JsonSchema, below: Below): readonly (readonly [string, Values])[] {
  const patterns = isJsonObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const [pattern, patterned] = patterns[0] ?? [];
  const values = below(patterned ?? (isJsonObject(schema.additionalProperties) ? schema.additionalProperties : false));
  if (values === undefined || values.canonical.length === 0) return [];
  const names = below(
    pattern !== undefined ? { type: "string", pattern } : (schema.propertyNames ?? { enum: ["first", "second"] }),
  );
  const keys = (names?.canonical ?? []).filter((key) => typeof key === "string" && key !== "__proto__") as string[];
  return keys.slice(0, Math.max(3, Number(schema.minProperties ?? 0))).map((key) => [key, values]);
}

function pick(values: Values, index: number): Json {
  return values.canonical[index % values.canonical.length]!;
}

function distinct(objects: readonly JsonObject[]): readonly JsonObject[] {
  return [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()];
}
