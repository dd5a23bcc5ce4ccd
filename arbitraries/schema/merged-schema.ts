import type { JsonSchema } from "../../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject, sameJson } from "../../src/world/json.ts";

const most = 24;
const composing = ["$ref", "allOf", "anyOf", "oneOf", "if", "then", "else"];

/**
 * The plain schemas that a composed one comes down to: each is free of `$ref`, `allOf`, `anyOf`, `oneOf` and `if`, and
 * what satisfies one of them most likely satisfies the whole. At most two dozen; none where nothing can satisfy it.
 *
 * Two patterns become a list of patterns, which a plain schema never has: what matches each is put together.
 *
 * @example
 * alternativesOf({ anyOf: [{ type: "string" }, { type: "null" }] }, root) // [{ type: "string" }, { type: "null" }]
 */
export function alternativesOf(
  schema: Json | undefined,
  root: JsonSchema,
  path: readonly string[] = [],
): readonly JsonSchema[] {
  if (schema === false) return [];
  if (!isJsonObject(schema)) return [{}];
  let found: readonly JsonSchema[] = [without(schema, composing)];
  const narrow = (options: readonly JsonSchema[]) => {
    found = found.flatMap((base) => options.map((option) => merged(base, option))).slice(0, most);
  };
  const reference = schema.$ref;
  if (typeof reference === "string") {
    // A reference that leads back to itself without a step into a value adds nothing.
    if (path.includes(reference)) return [];
    narrow(alternativesOf(referenced(root, reference).part, root, [...path, reference]));
  }
  for (const part of list(schema.allOf)) narrow(alternativesOf(part, root, path));
  for (const options of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(options)) narrow(options.flatMap((option) => alternativesOf(option, root, path)).slice(0, most));
  }
  if (schema.if !== undefined) {
    const met = alternativesOf({ allOf: [schema.if, schema.then ?? true] }, root, path);
    narrow([...met, ...alternativesOf(schema.else ?? true, root, path)]);
  }
  return found;
}

function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)));
}

function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** What a reference of the form `#/$defs/order` points at, and the path to it; `false` (nothing satisfies it) where it leads nowhere. */
export function referenced(
  root: JsonSchema,
  reference: string,
): { readonly part: Json; readonly path: readonly string[] } {
  const path: string[] = [];
  if (!reference.startsWith("#")) return { part: false, path };
  let here: Json | undefined = root;
  for (const part of reference.slice(1).split("/").filter(Boolean)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return { part: false, path };
    here = (here as JsonObject)[key];
    path.push(key);
  }
  return { part: here ?? false, path };
}

const larger = (left: Json, right: Json): Json => (Number(left) > Number(right) ? left : right);
const smaller = (left: Json, right: Json): Json => (Number(left) < Number(right) ? left : right);
const common = (left: Json, right: Json): Json => {
  const [few, many] = [[left].flat(), [right].flat()];
  return few.filter((item) => many.some((other) => sameJson(item, other)));
};
const both = (left: Json, right: Json): Json => (sameJson(left, right) ? left : { allOf: [left, right] });

const joined: { readonly [keyword: string]: (left: Json, right: Json) => Json } = {
  type: commonTypes,
  enum: common,
  required: (left, right) => [...new Set([...list(left), ...list(right)])],
  properties: joinedProperties,
  items: both,
  additionalProperties: both,
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  pattern: (left, right) => [left, right].flat(),
};

function merged(left: JsonObject, right: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    const present = Object.hasOwn(result, keyword) ? result[keyword] : undefined;
    const join = Object.hasOwn(joined, keyword) ? joined[keyword] : undefined;
    result[keyword] = present === undefined || join === undefined ? value : join(present, value);
  }
  return result;
}

function commonTypes(left: Json, right: Json): Json {
  const [few, many] = [[left].flat(), [right].flat()];
  const shared = few.filter((type) => many.includes(type) || (type === "integer" && many.includes("number")));
  return many.includes("integer") && few.includes("number") ? [...shared, "integer"] : shared;
}

function joinedProperties(left: Json, right: Json): Json {
  const result: Record<string, Json> = { ...(left as JsonObject) };
  for (const [key, value] of Object.entries(right as JsonObject)) {
    result[key] = Object.hasOwn(result, key) ? both(result[key] as Json, value) : value;
  }
  return result;
}
