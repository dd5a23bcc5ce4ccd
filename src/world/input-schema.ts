import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "./json.ts";

/** A JSON Schema of the 2020-12 dialect; a tool's input schema describes an object. */
export type JsonSchema = JsonObject;

const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true, logger: false });
const byObject = new WeakMap<object, ValidateFunction>();
const byText = new Map<string, ValidateFunction>();

/** Whether a value satisfies a schema. Compiled once for each distinct schema; throws where the schema itself is not valid. */
export function satisfies(schema: JsonSchema, value: unknown): boolean {
  let validate = byObject.get(schema);
  if (validate === undefined) {
    const text = JSON.stringify(schema);
    validate = byText.get(text);
    if (validate === undefined) {
      // A dialect marker or an id would be looked up, or clash with an earlier schema of the same id.
      const { $schema: _dialect, $id: _id, ...bare } = schema;
      validate = ajv.compile(bare);
      byText.set(text, validate);
    }
    byObject.set(schema, validate);
  }
  return validate(value) === true;
}
