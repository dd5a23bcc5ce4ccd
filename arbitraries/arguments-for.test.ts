import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonSchema } from "../src/world/input-schema.ts";
import type { JsonObject } from "../src/world/json.ts";
import { argumentsFor } from "./arguments-for.ts";

const refuses = (schema: z.ZodType, values: readonly unknown[]) =>
  values.filter((value) => !schema.safeParse(value).success);

type Tree = { name: string; children?: Tree[] | undefined };
const tree: z.ZodType<Tree> = z.object({
  name: z.string(),
  get children() {
    return z.array(tree).optional();
  },
});

const ofUsers: { readonly [name: string]: z.ZodType } = {
  "plain fields": z.object({ order: z.string(), count: z.int().optional(), urgent: z.boolean() }),
  "closed, with lengths and defaults": z.strictObject({
    code: z.string().min(5).max(6),
    note: z.string().default("none"),
  }),
  formats: z.object({
    email: z.email(),
    url: z.url(),
    id: z.uuid(),
    at: z.iso.datetime(),
    day: z.iso.date(),
    time: z.iso.time(),
    span: z.iso.duration(),
    address: z.ipv4(),
    range: z.cidrv4(),
    phone: z.e164(),
    token: z.jwt(),
    encoded: z.base64(),
    nano: z.nanoid(),
    ulid: z.ulid(),
  }),
  patterns: z.object({
    plain: z.string().regex(/^[A-Z]{3}-\d{4}$/),
    both: z.string().startsWith("ab").endsWith("z"),
    looking: z.string().regex(/^(?=.*\d)(?=.*[a-z]).{8,}$/),
  }),
  numbers: z.object({
    within: z.number().min(3).max(4),
    between: z.number().gt(0).lt(1),
    sevens: z.int().multipleOf(7).min(10),
    cents: z.number().multipleOf(0.01),
    negative: z.number().negative(),
  }),
  choices: z.object({
    one: z.enum(["x", "y"]),
    fixed: z.literal("q"),
    either: z.literal([1, 2]),
    none: z.null(),
    maybe: z.nullable(z.string()),
  }),
  lists: z.object({
    some: z.array(z.string()).min(2).max(3),
    pair: z.tuple([z.string(), z.number()]),
    open: z.tuple([z.string()], z.number()),
  }),
  dictionaries: z.object({ counts: z.record(z.string(), z.number()), both: z.record(z.enum(["p", "q"]), z.string()) }),
  unions: z.object({
    plain: z.union([z.string(), z.number()]),
    tagged: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("a"), v: z.string() }),
      z.object({ kind: z.literal("b"), n: z.number() }),
    ]),
    both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })),
  }),
  "a union at the top": z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
  openness: z.object({
    strict: z.strictObject({ a: z.string() }),
    loose: z.looseObject({ b: z.int().min(1).max(5).multipleOf(2) }),
    caught: z.string().catch("none"),
    later: z.iso.datetime().optional(),
  }),
  recursive: tree,
};

const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({ type: "object", properties, ...more });

describe("arguments-for", () => {
  test.each(Object.entries(ofUsers))("gives arguments that the library accepts: %s", (_, schema) => {
    const { canonical, pool, arbitrary } = argumentsFor(z.toJSONSchema(schema, { io: "input" }) as JsonSchema);
    expect(canonical.length).toBeGreaterThan(0);
    expect(refuses(schema, [...pool, ...fc.sample(arbitrary!, { seed: 3, numRuns: 50 })])).toEqual([]);
  });

  test("reaches both sides of every choice: options, fields there and gone, values that count as nothing", () => {
    const schema = z.object({
      either: z.union([z.string(), z.object({ deep: z.int() })]),
      tagged: z.discriminatedUnion("kind", [
        z.object({ kind: z.literal("a") }),
        z.object({ kind: z.literal("b"), count: z.number().min(0) }),
      ]),
      maybe: z.string().nullable(),
      flag: z.boolean().default(true),
      note: z.string().optional(),
    });
    const { pool } = argumentsFor(z.toJSONSchema(schema, { io: "input" }) as JsonSchema);
    const sides: readonly ((args: JsonObject) => boolean)[] = [
      ({ either }) => typeof either === "string",
      ({ either }) => typeof either === "object",
      ({ tagged }) => (tagged as JsonObject).kind === "a",
      ({ tagged }) => (tagged as JsonObject).kind === "b",
      ({ maybe }) => maybe === null,
      ({ maybe }) => maybe !== null,
      ({ flag }) => flag === true,
      ({ flag }) => flag === false,
      (args) => Object.hasOwn(args, "note"),
      (args) => !Object.hasOwn(args, "note"),
    ];
    expect(sides.filter((side) => !pool.some(side)).map(String)).toEqual([]);
  });

  test.each<readonly [string, JsonSchema, unknown]>([
    ["the required properties alone", object({ a: { type: "string" }, b: {} }, { required: ["a"] }), { a: "A-1" }],
    ["an example of a property", object({ a: { type: "string", examples: ["Q9"] } }, { required: ["a"] }), { a: "Q9" }],
    ["an example of the whole", object({ a: { type: "integer" } }, { examples: [{ a: 77 }] }), { a: 77 }],
    ["a default", object({ a: { type: "string", default: "now" } }, { required: ["a"] }), { a: "now" }],
    ["nothing where nothing is said", {}, {}],
    [
      "what the condition asks for",
      object(
        { a: { const: "x" }, b: { type: "null" } },
        { required: ["a"], if: { properties: { a: { const: "x" } } }, then: { required: ["b"] } },
      ),
      { a: "x", b: null },
    ],
    [
      "another value than the excluded one",
      object({ a: { type: "string", not: { const: "A-1" } } }, { required: ["a"] }),
      { a: "text" },
    ],
    [
      "what a reference points at",
      object({ a: { $ref: "#/$defs/n" } }, { required: ["a"], $defs: { n: { const: 5 } } }),
      { a: 5 },
    ],
    [
      "enough entries of a dictionary",
      object({}, { patternProperties: { "^x$": { const: 1 } }, minProperties: 1 }),
      { x: 1 },
    ],
    [
      "distinct items",
      object({ a: { type: "array", items: { enum: [1, 2] }, uniqueItems: true, minItems: 2 } }, { required: ["a"] }),
      { a: [1, 2] },
    ],
  ])("begins with the simplest: %s", (_, schema, first) => {
    expect(argumentsFor(schema).canonical[0]).toEqual(first);
  });

  test.each<readonly [string, JsonSchema]>([
    ["an impossible property", object({ a: false }, { required: ["a"] })],
    ["a schema without end", object({ a: { $ref: "#" } }, { required: ["a"] })],
    ["a circle of references", { $ref: "#" }],
    ["a schema that is not valid", { type: "objekt" }],
    ["a reference to elsewhere", object({ a: { $ref: "https://example.com/schema" } }, { required: ["a"] })],
    ["a schema that no object satisfies", { type: "string" }],
  ])("gives none for %s", (_, schema) => {
    expect(argumentsFor(schema)).toEqual({ canonical: [], pool: [], arbitrary: undefined });
  });

  test("names inherited by every object are fields like any other, save `__proto__`", () => {
    const properties = JSON.parse(
      '{"__proto__":{"type":"string"},"constructor":{"type":"string"},"toString":{"const":1}}',
    );
    const { pool } = argumentsFor(object(properties, { required: ["constructor"] }));
    expect(pool.some((args) => Object.hasOwn(args, "toString"))).toBe(true);
    expect(pool.every((args) => Object.hasOwn(args, "constructor") && !Object.hasOwn(args, "__proto__"))).toBe(true);
  });

  test("is the same each time, and looked up for the same schema", () => {
    const schema = (): JsonSchema => object({ a: { type: "string" }, b: { type: "number" } });
    const once = schema();
    expect(argumentsFor(once)).toBe(argumentsFor(once));
    expect(argumentsFor(schema()).pool).toEqual(argumentsFor(once).pool);
  });

  test("drawn arguments shrink to the first canonical ones", () => {
    const { arbitrary, canonical } = argumentsFor(object({ a: { type: "string" } }, { required: ["a"] }));
    const counterexamples = [1, 2, 3].map(
      (seed) =>
        fc.check(
          fc.property(arbitrary!, () => false),
          { seed },
        ).counterexample?.[0],
    );
    expect(counterexamples.some((args) => JSON.stringify(args) === JSON.stringify(canonical[0]))).toBe(true);
  });
});
