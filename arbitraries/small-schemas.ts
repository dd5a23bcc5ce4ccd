import type { JsonSchema } from "../src/world/input-schema.ts";

const text = { type: "string" } as const;
const words = { type: "string", minLength: 1 } as const;

/**
 * The input schemas of generated worlds. Always these same objects, since each distinct schema is compiled once: one
 * text field, numbers, a choice, lists, a nested object, optional fields, open and closed to other keys, no fields at all;
 * unions, dictionaries, tuples and bounds as schema libraries write them; what a policy can depend on.
 */
export const smallSchemas = {
  order: { type: "object", properties: { order: words }, required: ["order"] },
  refund: {
    type: "object",
    properties: { order: words, amount: { type: "number", minimum: 0, maximum: 5000 }, reason: text },
    required: ["order", "amount"],
  },
  page: {
    type: "object",
    properties: {
      status: { type: "string", enum: ["open", "paid", "late"] },
      page: { type: "integer", minimum: 1, maximum: 20 },
      archived: { type: "boolean" },
    },
    required: ["status"],
    additionalProperties: false,
  },
  account: {
    type: "object",
    properties: { account: { type: "integer", minimum: 1 }, hard: { type: "boolean" } },
    required: ["account"],
    additionalProperties: false,
  },
  nothing: { type: "object" },
  nothingElse: { type: "object", properties: {}, additionalProperties: false },
  message: {
    type: "object",
    properties: {
      to: { type: "array", items: words, minItems: 1, maxItems: 3 },
      subject: text,
      options: { type: "object", properties: { urgent: { type: "boolean" } }, required: ["urgent"] },
    },
    required: ["to", "subject"],
  },
  address: {
    type: "object",
    properties: {
      customer: words,
      address: {
        type: "object",
        properties: { street: words, city: words, zip: { type: "string", pattern: "^[0-9]{5}$" } },
        required: ["street", "city"],
        additionalProperties: false,
      },
    },
    required: ["customer", "address"],
    additionalProperties: false,
  },
  choice: {
    type: "object",
    properties: {
      target: {
        oneOf: [
          {
            type: "object",
            properties: { kind: { type: "string", const: "order" }, order: words },
            required: ["kind", "order"],
          },
          {
            type: "object",
            properties: { kind: { type: "string", const: "parcel" }, weight: { type: "number", exclusiveMinimum: 0 } },
            required: ["kind", "weight"],
          },
        ],
      },
      note: { type: ["string", "null"] },
    },
    required: ["target"],
    additionalProperties: false,
  },
  lists: {
    type: "object",
    properties: {
      counts: {
        type: "object",
        propertyNames: { type: "string", minLength: 2 },
        additionalProperties: { type: "integer" },
      },
      span: { type: "array", prefixItems: [words, { type: "integer" }], items: false, minItems: 2, maxItems: 2 },
      tags: { type: "array", items: { type: "string", enum: ["new", "paid"] }, uniqueItems: true },
    },
    required: ["span"],
  },
  bounds: {
    type: "object",
    properties: {
      email: { type: "string", format: "email", pattern: "^[a-z.]+@[a-z]+\\.[a-z]{2,}$" },
      dozens: { type: "integer", minimum: 12, maximum: 120, multipleOf: 12 },
      code: { type: "string", minLength: 3, maxLength: 6, default: "AAA" },
      share: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 },
    },
    required: ["email", "dozens"],
    additionalProperties: false,
  },
  command: { type: "object", properties: { command: words, folder: text }, required: ["command"] },
  transfer: {
    type: "object",
    properties: { amount: { type: "number", minimum: 0 }, note: text },
    required: ["amount"],
  },
  optional: { type: "object", properties: { note: text, limit: { type: "integer", minimum: 1, maximum: 100 } } },
} as const satisfies { readonly [name: string]: JsonSchema };
