import { type JsonSchema, satisfies } from "../world/input-schema.ts";
import { isJsonObject, type Json } from "../world/json.ts";

/**
 * What a strict tool reads in arguments before its zod schema sees them. Strict schemas have no optional fields: the model is told to
 * write `null` there, and the SDK takes such a `null` away.
 *
 * @example
 * withoutStrictNulls({ type: "object", properties: { note: { type: "string" } } }, { note: null }) // {}
 */
export function withoutStrictNulls(schema: JsonSchema, value: Json): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isJsonObject(items) ? value.map((entry) => withoutStrictNulls(items, entry)) : value;
  }
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return value;
  const fields = schema.properties;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const kept = Object.entries(value).flatMap(([key, entry]): [string, Json][] => {
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!isJsonObject(field) || entry === undefined) return [[key, entry as Json]];
    if (entry !== null) return [[key, withoutStrictNulls(field, entry)]];
    return required.includes(key) || "default" in field || satisfies(field, null) ? [[key, null]] : [];
  });
  // Not by assignment: an own key of that name would set the prototype.
  return Object.fromEntries(kept);
}
