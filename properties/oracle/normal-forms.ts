import type { JsonSchema } from "../../src/world/input-schema.ts";
import type { Json, JsonObject } from "../../src/world/json.ts";
import { defaultsOf, fieldsOf, isDroppable, rulesForKey, rulesOf } from "./schema-fields.ts";

/**
 * What a harness that normalises arguments may make of them before it asks its policy: unknown fields dropped, defaults
 * filled in, or both. Only the fields at the top, which policies are about; nothing where there is nothing to normalise.
 *
 * @example
 * normalForms({ properties: { limit: { default: 5 } } }, {}) // [{ limit: 5 }]
 */
export function normalForms(schema: JsonSchema, value: JsonObject): readonly JsonObject[] {
  const rules = rulesOf(schema);
  const fields = Object.entries(value);
  const known = fields.filter(([key]) => !isDroppable(rules, key));
  const missing = new Map<string, Json>();
  for (const key of fieldsOf(rules)) {
    const [filledIn] = Object.hasOwn(value, key) ? [] : defaultsOf(rulesForKey(rules, key));
    if (filledIn !== undefined) missing.set(key, filledIn);
  }
  const forms: JsonObject[] = [];
  // fromEntries makes own keys, "__proto__" too.
  if (known.length < fields.length) forms.push(Object.fromEntries(known));
  if (missing.size > 0) forms.push(Object.fromEntries([...fields, ...missing]));
  if (known.length < fields.length && missing.size > 0) forms.push(Object.fromEntries([...known, ...missing]));
  return forms;
}
