import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type JsonSchema, satisfies } from "../src/world/input-schema.ts";
import { nearMisses, withoutKeyword } from "./near-misses.ts";
import { smallSchemas } from "./small-schemas.ts";

const tree: z.ZodType<{ name: string; children?: unknown }> = z.object({
  name: z.string(),
  get children() {
    return z.array(tree).optional();
  },
});

const ofUsers: { readonly [name: string]: z.ZodType } = {
  "optional and default": z.object({ note: z.string().optional(), mode: z.string().default("fast"), id: z.string() }),
  formats: z.object({ email: z.email(), id: z.uuid(), at: z.iso.datetime(), day: z.iso.date(), address: z.ipv4() }),
  numbers: z.object({
    page: z.int().min(1).max(20),
    dozens: z.int().multipleOf(12).min(12),
    share: z.number().gt(0).lt(1),
    cents: z.number().multipleOf(0.5),
  }),
  choices: z.object({
    one: z.enum(["x", "y"]),
    fixed: z.literal("q"),
    maybe: z.nullable(z.string()),
    flag: z.boolean(),
  }),
  unions: z.object({
    plain: z.union([z.string(), z.number()]),
    tagged: z.discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("a"), v: z.string().min(2) }),
      z.object({ kind: z.literal("b"), n: z.int() }),
    ]),
  }),
  lists: z.object({
    some: z.array(z.string()).min(2).max(3),
    pair: z.tuple([z.string(), z.number()]),
    open: z.tuple([z.string()], z.number()),
  }),
  dictionaries: z.object({
    counts: z.record(z.string().min(2), z.number()),
    both: z.record(z.enum(["p", "q"]), z.string()),
  }),
  objects: z.strictObject({ closed: z.strictObject({ a: z.string() }), loose: z.looseObject({ b: z.string() }) }),
  "several patterns": z.object({ both: z.string().startsWith("ab").endsWith("z") }),
  recursive: tree,
};

const schemas: readonly (readonly [string, JsonSchema])[] = [
  ...Object.entries(smallSchemas),
  ...Object.entries(ofUsers).map(
    ([name, schema]) => [name, z.toJSONSchema(schema, { io: "input" }) as JsonSchema] as const,
  ),
  [
    "more than libraries write",
    {
      type: "object",
      properties: {
        a: { type: "array", items: { type: "integer" }, uniqueItems: true, contains: { const: 1 } },
        b: { type: "string", not: { const: "A-1" } },
        c: { type: "object", additionalProperties: { type: "integer" }, minProperties: 1, maxProperties: 2 },
        d: { $ref: "#/$defs/word" },
        e: { type: "array", prefixItems: [{ type: "string" }], items: false },
      },
      dependentRequired: { a: ["b"] },
      $defs: { word: { type: "string", minLength: 2 } },
    },
  ],
];

const keywordsOf = (schema: JsonSchema) => new Set(nearMisses(schema).map(({ keyword }) => keyword));

describe("near-misses", () => {
  test.each(schemas)("every one is invalid, and valid without the keyword that it breaks: %s", (_, schema) => {
    for (const { keyword, path, args } of nearMisses(schema)) {
      const what = `${keyword} of /${path.join("/")}: ${JSON.stringify(args)}`;
      expect(satisfies(schema, args), what).toBe(false);
      expect(satisfies(withoutKeyword(schema, path, keyword), args), what).toBe(true);
    }
  });

  test("reach every keyword that refuses something", () => {
    const reached = new Set(schemas.flatMap(([, schema]) => [...keywordsOf(schema)]));
    const keywords = [
      "required",
      "type",
      "enum",
      "const",
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "exclusiveMaximum",
    ];
    keywords.push("multipleOf", "minLength", "maxLength", "pattern", "additionalProperties", "items", "minItems");
    keywords.push("maxItems", "uniqueItems", "propertyNames", "dependentRequired", "minProperties", "maxProperties");
    expect(keywords.filter((keyword) => !reached.has(keyword))).toEqual([]);
  });

  test("reach nested parts, and both sides of a union", () => {
    const paths = nearMisses(z.toJSONSchema(ofUsers.unions!) as JsonSchema).map(({ path }) => path.join("/"));
    expect(paths).toEqual(
      expect.arrayContaining(["properties/tagged/oneOf/0/properties/v", "properties/tagged/oneOf/1/properties/n"]),
    );
    expect(
      nearMisses(smallSchemas.address).some(({ path }) => path.join("/") === "properties/address/properties/zip"),
    ).toBe(true);
  });

  test("no keyword comes a second time before each came once", () => {
    const [first, ...others] = nearMisses(smallSchemas.order);
    expect(first).toEqual({ keyword: "required", path: [], args: {} });
    expect(others.slice(0, 2).map(({ keyword }) => keyword)).toEqual(["type", "minLength"]);
  });

  test("a format that the validator does not judge is left alone, and so is a schema that refuses nothing", () => {
    expect(keywordsOf({ type: "object", properties: { a: { type: "string", format: "uri" } } })).toEqual(
      new Set(["type"]),
    );
    expect(nearMisses({ type: "object" })).toEqual([]);
    expect(nearMisses({ type: "objekt" })).toEqual([]);
  });
});
