import { describe, expect, it } from "vitest";
import { z } from "zod";
import { UsageError } from "../errors.ts";
import { satisfies } from "../world/input-schema.ts";
import { worldSchema } from "../world/world.ts";
import { defineWorld } from "./define-world.ts";

const refund = z.object({
  order: z
    .string()
    .trim()
    .regex(/^A-\d+$/),
  cents: z.coerce.number().int().default(100),
  email: z.email().optional(),
  when: z
    .string()
    .transform((text) => text.length)
    .optional(),
});
const measure = { type: "object", properties: { unit: { type: "string" } }, required: ["unit"] };

function refusal(define: () => unknown): string {
  try {
    define();
  } catch (error) {
    if (error instanceof UsageError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "accepted";
}

describe("define-world", () => {
  it("makes a valid world of zod and JSON schemas", () => {
    const { world } = defineWorld({
      refund: {
        schema: refund,
        description: "Refunds an order.",
        permission: "ask",
        offered: { afterSkill: "refunds" },
      },
      measure: { schema: measure },
    });
    expect(worldSchema.parse(world)).toEqual(world);
    expect(world.skills).toEqual(["refunds"]);
    expect(world.maxSteps).toBe(8);
    expect(world.tools[1]).toEqual({
      name: "measure",
      description: "measure",
      inputSchema: measure,
      permission: "allow",
      offered: "always",
    });
    expect(world.tools[0]!.inputSchema.required).toEqual(["order"]);
    expect(satisfies(world.tools[0]!.inputSchema, { order: "A-1", email: "a@b.example" })).toBe(true);
  });

  it("normalises as zod does, and throws where the schema refuses", () => {
    const { normalise } = defineWorld({ refund: { schema: refund }, measure: { schema: measure } });
    expect(normalise("refund", { order: " A-1 ", when: "now", more: true })).toEqual({
      order: "A-1",
      cents: 100,
      when: 3,
    });
    expect(() => normalise("refund", { order: "B" })).toThrow();
    expect(normalise("measure", { unit: "kg", more: true })).toEqual({ unit: "kg", more: true });
    expect(() => normalise("measure", {})).toThrow("do not satisfy");
    expect(normalise("toString", { a: 1 })).toEqual({ a: 1 });
  });

  it("gives the output as it is where it is no object", () => {
    const { normalise } = defineWorld({ nothing: { schema: z.object({}).transform(() => undefined) } });
    expect(normalise("nothing", {})).toBeUndefined();
  });

  it("puts the examples into the schema, each once", () => {
    const example = { order: "A-1" };
    const { world } = defineWorld({
      refund: { schema: refund.meta({ examples: [example as never] }), examples: [example] },
    });
    expect(world.tools[0]!.inputSchema.examples).toEqual([example]);
  });

  it("keeps odd names", () => {
    const { world, normalise } = defineWorld({ ["__proto__"]: { schema: measure }, constructor: { schema: refund } });
    expect(world.tools.map((tool) => tool.name)).toEqual(["__proto__", "constructor"]);
    expect(normalise("constructor", { order: "A-1" })).toEqual({ order: "A-1", cents: 100 });
  });

  it("takes unions, recursive schemas and what JSON Schema has no word for", () => {
    const tree: z.ZodType = z.object({
      get children() {
        return z.array(tree);
      },
    });
    const { world } = defineWorld({
      union: { schema: z.union([z.object({ a: z.string() }), z.object({ b: z.date() })]) },
      tree: { schema: tree },
    });
    expect(world.tools.map((tool) => satisfies(tool.inputSchema, { a: "x", children: [{ children: [] }] }))).toEqual([
      true,
      true,
    ]);
  });

  it("says what is wrong with a definition", () => {
    const tool = (definition: object) => refusal(() => defineWorld({ pay: definition as never }));
    expect(refusal(() => defineWorld({}))).toBe(
      "bad-definition: Expected the definition to be an object of at least one tool, got an empty one. Do give each tool by its name, with a `schema`.",
    );
    expect(tool({ schema: "string" })).toContain(
      'of the tool "pay" to be a zod 4 schema or a JSON Schema, got a string.',
    );
    expect(tool({ schema: z.string() })).toContain('of the tool "pay" to describe an object, got "string".');
    expect(tool({ schema: { type: "nothing" } })).toContain('got "nothing"');
    expect(tool({ schema: { properties: { a: { type: "nothing" } } } })).toContain("can't be compiled");
    expect(tool({ schema: { "~standard": { vendor: "other" } } })).toContain("a schema of another library");
    expect(tool({ schema: { _def: { typeName: "ZodObject" } } })).toContain("zod-3-schema");
    expect(tool({ schema: refund, examples: [{ order: "B" }] })).toContain('got "{\\"order\\":\\"B\\"}"');
    expect(tool({ schema: { ...measure, examples: [{}] } })).toContain("bad-example");
    expect(tool({ schema: {}, examples: [{ at: new Date(0) }] })).toContain("bad-example");
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect(tool({ schema: {}, examples: [cyclic] })).toContain("bad-example");
    expect(tool({ schema: refund, permission: "maybe" })).toContain("permission");
    expect(tool({ schema: refund, offered: "sometimes" })).toContain("offered");
    expect(tool({ schema: refund, permision: "ask" })).toContain('Expected `permision` of the tool "pay" to be absent');
    expect(tool([])).toContain("to be an object with a `schema`, got an empty array");
    const skilled = { pay: { schema: refund, offered: { afterSkill: "refunds" } } };
    expect(refusal(() => defineWorld(skilled, { skills: ["food"] }))).toContain('got "refunds". Do list that skill.');
    expect(refusal(() => defineWorld(skilled, { maxSteps: 0 }))).toContain(
      "Expected `maxSteps` of the definition to be a positive whole number, got 0.",
    );
  });

  it("says that it can't wait for an asynchronous schema", () => {
    const { normalise } = defineWorld({ pay: { schema: z.object({ a: z.string().refine(async () => true) }) } });
    expect(refusal(() => normalise("pay", { a: "x" }))).toContain("async-schema");
  });
});
