import fc, { type Arbitrary } from "fast-check";
import { type JsonSchema, satisfies } from "../src/world/input-schema.ts";
import { isJsonObject, type JsonObject } from "../src/world/json.ts";
import { schemaValues } from "./schema/schema-values.ts";

const canonicalSize = 8;
const poolSize = 32;

/** Valid arguments for one tool. All three are empty, or never yield, together: then the tool can't be called honestly. */
export interface ValidArguments {
  /** A few fixed ones, the simplest first. */
  readonly canonical: readonly JsonObject[];
  /** The canonical ones and some drawn ones, always the same: picked by position, where drawing would be too slow. */
  readonly pool: readonly JsonObject[];
  /** `undefined` where nothing valid was found. */
  readonly arbitrary: Arbitrary<JsonObject> | undefined;
}

const byObject = new WeakMap<object, ValidArguments>();
const byText = new Map<string, ValidArguments>();

/**
 * Valid arguments for a tool's input schema. Each one satisfies it, whatever keywords it uses; where the generator knows
 * no valid value at all there are none. Examples in the schema, of the whole or of one property, are used as they are.
 *
 * Shrinks towards the required properties alone, each with its simplest value.
 *
 * @example
 * const schema = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
 * argumentsFor(schema).canonical[0] // { order: "A-1" }
 */
export function argumentsFor(schema: JsonSchema): ValidArguments {
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  const found = byText.get(text) ?? validArguments(schema);
  byText.set(text, found);
  byObject.set(schema, found);
  return found;
}

function validArguments(schema: JsonSchema): ValidArguments {
  const none: ValidArguments = { canonical: [], pool: [], arbitrary: undefined };
  const isValid = (value: unknown): value is JsonObject => isJsonObject(value) && isSatisfied(schema, value);
  const values = schemaValues(schema);
  if (values === undefined) return none;
  const canonical = distinct(values.canonical.filter(isValid)).slice(0, canonicalSize);
  const samples = fc.sample(values.arbitrary, { seed: 1, numRuns: 3 * poolSize });
  const valid = samples.filter(isValid);
  const pool = distinct([...canonical, ...valid]).slice(0, poolSize);
  if (pool.length === 0) return none;
  // Drawing again and again is fine where every other value is valid, and might never end where hardly any is.
  const often = 2 * valid.length > samples.length;
  const arbitrary = often
    ? fc.oneof(fc.constantFrom(...pool), values.arbitrary.filter(isValid))
    : fc.constantFrom(...pool);
  return { canonical: canonical.length > 0 ? canonical : pool.slice(0, 1), pool, arbitrary };
}

/** A schema that is not valid itself is satisfied by nothing. */
export function isSatisfied(schema: JsonSchema, value: JsonObject): boolean {
  try {
    return satisfies(schema, value);
  } catch {
    return false;
  }
}

function distinct(values: readonly JsonObject[]): readonly JsonObject[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
