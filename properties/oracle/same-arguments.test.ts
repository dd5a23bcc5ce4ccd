import { describe, expect, test } from "vitest";
import { sameArguments } from "./same-arguments.ts";

const schema = {
  type: "object",
  properties: {
    order: { type: "string" },
    limit: { type: "number", default: 5 },
    place: { type: "object", properties: { city: {}, floor: { default: 0 } } },
    tags: { type: "array", items: { type: "object", properties: { name: {} } } },
    options: { type: "object", properties: { loud: { default: false } }, default: {} },
    free: { type: "object", additionalProperties: { type: "number" } },
  },
};

describe("same-arguments", () => {
  test("are equal values, without a schema too", () => {
    expect(sameArguments(schema, { order: "A" }, { order: "A" })).toBe(true);
    expect(sameArguments(undefined, { a: [1, { b: 0 }] }, { a: [1, { b: -0 }] })).toBe(true);
    expect(sameArguments(undefined, { a: 1 }, {})).toBe(false);
  });

  test("may lose unknown keys and gain defaults, at any depth", () => {
    expect(sameArguments(schema, { order: "A", x: 1 }, { order: "A", limit: 5 })).toBe(true);
    expect(sameArguments(schema, { place: { city: "Rome", x: 1 } }, { place: { city: "Rome", floor: 0 } })).toBe(true);
    expect(sameArguments(schema, { tags: [{ name: "a", x: 1 }] }, { tags: [{ name: "a" }] })).toBe(true);
    expect(sameArguments(schema, {}, { options: { loud: false } })).toBe(true);
    expect(sameArguments({ anyOf: [schema, { properties: { x: {} } }] }, { order: "A", y: 1 }, { order: "A" })).toBe(
      true,
    );
  });

  test("are not the same where a known key is lost, changed or made up", () => {
    expect(sameArguments(schema, { order: "A" }, {})).toBe(false);
    expect(sameArguments(schema, { order: "A" }, { order: "B" })).toBe(false);
    expect(sameArguments(schema, {}, { order: "A" })).toBe(false);
    expect(sameArguments(schema, {}, { limit: 6 })).toBe(false);
    expect(sameArguments(schema, {}, { x: 1 })).toBe(false);
    expect(sameArguments(schema, { tags: [{}] }, { tags: [] })).toBe(false);
    expect(sameArguments(schema, { tags: [] }, { tags: {} })).toBe(false);
    expect(sameArguments(schema, { free: { a: 1 } }, { free: {} })).toBe(false);
  });

  test("survive deep nesting and odd keys", () => {
    const deep = (leaf: string) => JSON.parse(`${'{"a":'.repeat(3000)}${leaf}${"}".repeat(3000)}`);
    expect(sameArguments(undefined, deep("1"), deep("1"))).toBe(true);
    expect(sameArguments(undefined, deep("1"), deep("2"))).toBe(false);
    expect(sameArguments(schema, JSON.parse('{"__proto__":{"x":1}}'), {})).toBe(true);
    expect(sameArguments(schema, {}, JSON.parse('{"__proto__":{"x":1}}'))).toBe(false);
    expect(sameArguments(schema, { constructor: 1 }, {})).toBe(true);
  });
});
