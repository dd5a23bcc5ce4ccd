import { describe, expect, it } from "vitest";
import type { JsonObject } from "../world/json.ts";
import { mustBeAnswered, standingOf } from "./mcp-standing.ts";

const toolOf = (name: string, inputSchema: JsonObject) =>
  ({ name, description: name, inputSchema, permission: "allow", offered: "always" }) as const;

const tools = [
  toolOf("find", {
    type: "object",
    properties: { order: { type: "string" }, page: { type: "integer", default: 1 } },
    required: ["order", "page"],
    additionalProperties: false,
  }),
  toolOf("now", { type: "object" }),
  toolOf("nested", {
    type: "object",
    properties: { to: { type: "object", properties: { id: { type: "integer" } }, additionalProperties: false } },
    not: { required: ["never"], additionalProperties: false },
  }),
];

describe("standingOf", () => {
  it.each([
    ["finds", "{}", "undeclared"],
    ["constructor", "{}", "undeclared"],
    ["find", '{"order":"A-1","page":2}', "valid"],
    ["find", '{"order":7,"page":2}', "invalid"],
    ["find", "{}", "invalid"],
    ["find", "", "invalid"],
    ["now", "", "valid"],
    ["now", '{"any":1}', "valid"],
    ["now", "[]", "malformed"],
    ["now", '"{}"', "malformed"],
    ["now", '{"a":', "malformed"],
    ["find", "null", "malformed"],
    ["nested", '{"to":{"id":"x"}}', "invalid"],
  ])("%s with %s is %s", (name, args, standing) => {
    expect(standingOf(tools, name, args)).toBe(standing);
  });

  it.each([
    ["a key that the schema does not know may have been dropped", "find", '{"order":"A-1","page":1,"more":1}'],
    ["one in a nested object too", "nested", '{"to":{"id":1,"more":2}}'],
    ["a default may have been filled in", "find", '{"order":"A-1"}'],
    ["of a key that is there twice, either value may count", "find", '{"order":"A-1","page":1,"page":"x"}'],
    ["deep down as well", "nested", '{"to":{"id":1,"id":2}}'],
    ["null may stand for no arguments", "now", "null"],
  ])("is open where %s", (_, name, args) => {
    expect(standingOf(tools, name, args)).toBe("open");
  });
});

describe("mustBeAnswered", () => {
  it("is no where a reader of JSON may refuse the frame, so that there is no id to answer under", () => {
    const deep = `{"a":${"[".repeat(200)}${"]".repeat(200)}}`;
    expect(["", "{}", "[]", "null", '{"order":7}'].map(mustBeAnswered)).toEqual(Array(5).fill(true));
    expect(["{", "{}{}", '{"a":1,"a":2}', deep].map(mustBeAnswered)).toEqual(Array(4).fill(false));
  });
});
