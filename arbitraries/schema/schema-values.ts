import fc, { type Arbitrary } from "fast-check";
import type { JsonSchema } from "../../src/world/input-schema.ts";
import type { Json, JsonObject } from "../../src/world/json.ts";
import { arrayValues } from "./array-values.ts";
import { alternativesOf } from "./merged-schema.ts";
import { numberValues } from "./number-values.ts";
import { objectValues } from "./object-values.ts";
import { stringValues } from "./string-values.ts";
import type { Below, Values } from "./values.ts";

const deepest = 6;
const types = ["object", "string", "integer", "number", "boolean", "array", "null"];

/** Objects for a schema: those of each plain schema that it comes down to. `undefined` where there are none. */
export function schemaValues(root: JsonSchema): Values | undefined {
  // A schema that refers to itself reads each of its parts once for each depth, not once for each path.
  const read = new Map<Json, (Values | undefined)[]>();
  const at = (part: Json | undefined, depth: number): Values | undefined => {
    if (depth > deepest) return undefined;
    const key = part ?? true;
    const known = read.get(key) ?? [];
    if (!(depth in known)) {
      read.set(key, known);
      known[depth] = either(
        alternativesOf(key, root).map((plain) => plainValues(plain, (next) => at(next, depth + 1))),
      );
    }
    return known[depth];
  };
  return at({ allOf: [root, { type: "object" }] }, 0);
}

function plainValues(schema: JsonSchema, below: Below): Values | undefined {
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return listed(schema.examples);
  if (schema.const !== undefined) return listed([schema.const]);
  if (Array.isArray(schema.enum)) return listed(schema.enum);
  const values = either(typesOf(schema).map((type) => typedValues(type, schema, below)));
  return schema.default === undefined || values === undefined ? values : preferred(schema.default, values);
}

function typedValues(type: Json, schema: JsonSchema, below: Below): Values | undefined {
  switch (type) {
    case "object":
      return objectValues(schema, below);
    case "array":
      return arrayValues(schema, below);
    case "string":
      return stringValues(schema);
    case "integer":
      return numberValues(schema, true);
    case "number":
      return numberValues(schema, false);
    case "boolean":
      return listed([true, false]);
    case "null":
      return listed([null]);
    default:
      return undefined;
  }
}

const telling: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "contains"]],
  ["string", ["pattern", "minLength", "maxLength", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

function typesOf(schema: JsonObject): readonly Json[] {
  const stated = schema.type === undefined ? [] : [schema.type].flat();
  if (stated.length > 0) return schema.nullable === true ? [...stated, "null"] : stated;
  if (schema.type !== undefined) return [];
  const implied = telling.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)));
  return implied.length > 0
    ? implied.map(([type]) => type)
    : types.filter((type) => type !== "object" && type !== "array");
}

function listed(values: readonly Json[]): Values | undefined {
  return values.length === 0 ? undefined : { canonical: values, arbitrary: fc.constantFrom(...values) };
}

function preferred(value: Json, values: Values): Values {
  const others = values.canonical.filter((other) => other !== value);
  return { canonical: [value, ...others], arbitrary: values.arbitrary };
}

function either(options: readonly (Values | undefined)[]): Values | undefined {
  const found = options.filter((values) => values !== undefined && values.canonical.length > 0) as Values[];
  if (found.length <= 1) return found[0];
  const arbitraries: readonly Arbitrary<Json>[] = found.map((values) => values.arbitrary);
  return { canonical: inTurns(found.map((values) => values.canonical)), arbitrary: fc.oneof(...arbitraries) };
}

/** The first of each list, then the second of each, and so on. */
function inTurns(lists: readonly (readonly Json[])[]): readonly Json[] {
  const longest = Math.max(...lists.map((values) => values.length));
  const rows = Array.from({ length: longest }, (_, row) =>
    lists.filter((values) => row < values.length).map((values) => values[row]!),
  );
  return rows.flat();
}
