import type { JsonSchema } from "../../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject, sameJson } from "../../src/world/json.ts";
import { numberBreaks } from "./number-breaks.ts";
import { isOf, type Place } from "./schema-places.ts";
import { textBreaks } from "./text-breaks.ts";
import type { Break } from "./values.ts";

/** The ways in which a value can break the part of a schema that describes it, one keyword each. */
export function breaksOf({ schema, value, path }: Place, root: JsonSchema): readonly Break[] {
  const fixed = schema.const !== undefined || Array.isArray(schema.enum);
  // The arguments themselves stay an object: anything else is malformed.
  const types = fixed || path.length === 0 ? [] : typeBreaks(schema, value);
  if (typeof value === "string")
    return [...types, ...choiceBreaks(schema, value), ...(fixed ? [] : textBreaks(schema, value))];
  if (typeof value === "number")
    return [...types, ...choiceBreaks(schema, value), ...(fixed ? [] : numberBreaks(schema, value))];
  if (Array.isArray(value)) return [...types, ...listBreaks(schema, value)];
  if (isJsonObject(value)) return [...objectBreaks(schema, value, root), ...types];
  return [...types, ...choiceBreaks(schema, value)];
}

/** What forgiving code takes for the right type comes first: numbers as text, a value in a list of one, text for an object. */
function typeBreaks(schema: JsonSchema, value: Json): readonly Break[] {
  const types = [schema.type ?? []].flat();
  const isAllowed = (other: Json) =>
    types.includes(typeOf(other)) || (types.includes("number") && typeof other === "number");
  if (types.length === 0) return [];
  const others = [...(typeof value === "number" ? [String(value), [value], true] : []), ...mistakes(value)];
  return others
    .filter((other) => !isAllowed(other))
    .slice(0, 3)
    .map((other): Break => ["type", other]);
}

function mistakes(value: Json): readonly Json[] {
  if (typeof value === "string") return [7, [value], null];
  if (typeof value === "boolean") return [String(value), Number(value), null];
  if (Array.isArray(value)) return [typeof value[0] === "string" ? value[0] : "text", null, { 0: value[0] ?? null }];
  if (isJsonObject(value)) return [JSON.stringify(value), [value], null];
  return value === null ? ["null", 0, false] : [null];
}

function typeOf(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}

function choiceBreaks(schema: JsonSchema, value: Json): readonly Break[] {
  const keyword = schema.const !== undefined ? "const" : "enum";
  const choices = schema.const !== undefined ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : undefined;
  if (choices === undefined) return [];
  const others: readonly Json[] =
    typeof value === "string"
      ? [`${value}x`, value.toUpperCase(), value.slice(0, -1)]
      : typeof value === "number"
        ? [value + 1, value - 1]
        : typeof value === "boolean"
          ? [!value]
          : [];
  const found = others.filter((other) => !choices.some((choice) => sameJson(choice, other)));
  return found.slice(0, 2).map((other): Break => [keyword, other]);
}

function listBreaks(schema: JsonSchema, value: readonly Json[]): readonly Break[] {
  const found: Break[] = [];
  const { minItems: least, maxItems: limit, items, uniqueItems } = schema;
  const open = items !== false && (value.length > 0 || items === undefined);
  const room = typeof limit !== "number" || value.length < limit;
  if (typeof least === "number" && least > 0) found.push(["minItems", value.slice(0, least - 1)]);
  if (typeof limit === "number" && limit < 1000 && open && value.length > 0 && uniqueItems !== true) {
    const last = value.at(-1)!;
    found.push(["maxItems", [...value, ...Array.from({ length: limit + 1 - value.length }, () => last)]]);
  }
  if (items === false && room) found.push(["items", [...value, "one more"]]);
  if (uniqueItems === true && value.length > 0 && room) found.push(["uniqueItems", [...value, value.at(-1)!]]);
  if (schema.contains !== undefined && least === undefined) found.push(["contains", []]);
  return found;
}

function objectBreaks(schema: JsonSchema, value: JsonObject, root: JsonSchema): readonly Break[] {
  const found: Break[] = [];
  const required = (Array.isArray(schema.required) ? schema.required : []) as readonly string[];
  const keys = Object.keys(value);
  for (const key of required.filter((name) => Object.hasOwn(value, name)).slice(0, 4))
    found.push(["required", without(value, key)]);
  const patterns = Object.keys(isJsonObject(schema.patternProperties) ? schema.patternProperties : {});
  const isFree = (key: string) =>
    !Object.hasOwn(value, key) && !patterns.some((pattern) => new RegExp(pattern, "u").test(key));
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    if (schema[keyword] === false && isFree("unexpected") && schema.propertyNames === undefined)
      found.push([keyword, { ...value, unexpected: true }]);
  }
  if (schema.propertyNames !== undefined && keys.length > 0) {
    const last = value[keys.at(-1)!]!;
    const odd = ["", "x", "no such name!", "unexpected".repeat(40)].find(
      (name) => !isOf(root, schema.propertyNames, name),
    );
    if (odd !== undefined) found.push(["propertyNames", { ...value, [odd]: last }]);
  }
  if (typeof schema.minProperties === "number") {
    const kept = keys.filter((key) => !required.includes(key)).slice(0, schema.minProperties - 1);
    if (required.length === 0) found.push(["minProperties", Object.fromEntries(kept.map((key) => [key, value[key]!]))]);
  }
  if (typeof schema.maxProperties === "number" && schema.additionalProperties !== false && keys.length > 0) {
    const count = schema.maxProperties + 1 - keys.length;
    const more = Array.from({ length: count }, (_, index) => [`more${index}`, value[keys[0]!]!]);
    found.push(["maxProperties", { ...value, ...Object.fromEntries(more) }]);
  }
  for (const [key, needed] of Object.entries(isJsonObject(schema.dependentRequired) ? schema.dependentRequired : {})) {
    const gone = (needed as readonly string[]).find((name) => Object.hasOwn(value, name) && !required.includes(name));
    if (Object.hasOwn(value, key) && gone !== undefined) found.push(["dependentRequired", without(value, gone)]);
  }
  return found;
}

function without(value: JsonObject, key: string): JsonObject {
  const { [key]: _gone, ...rest } = value;
  return rest;
}
