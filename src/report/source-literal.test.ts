import { describe, expect, it } from "vitest";
import { sameJson } from "../world/json.ts";
import { compactJson, indentedJson } from "./json-text.ts";
import { sourceLiteral } from "./source-literal.ts";

const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels)}1${"]}".repeat(levels)}`);

const values: readonly (readonly [string, unknown])[] = [
  ["scalars", [null, true, -1.5, "text", [], {}]],
  ["hostile text", { "a b": "\u001b[0m", "\u2028": "`$" + "{process.exit()}`", quote: "\"'\\", "</script>": "*/" }],
  ["inherited names", JSON.parse('{"__proto__":{"approved":true},"constructor":1,"toString":[{"__proto__":null}]}')],
  ["1,500 objects of arrays: 3,000 levels", { deep: nested(1_500) }],
  ["a long list", Array.from({ length: 500 }, (_, index) => ({ index, text: "x".repeat(index) }))],
];

describe("source-literal", () => {
  it.each(values)("writes %s as an expression with the very same value", (_, value) => {
    const read = new Function(`return ${sourceLiteral(value)};`)();
    expect(sameJson(read, value)).toBe(true);
  });

  it("keeps a __proto__ key as a field and changes no prototype", () => {
    const read = new Function(`return ${sourceLiteral(JSON.parse('{"__proto__":{"approved":true}}'))};`)();
    expect(Object.keys(read)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

describe("json-text", () => {
  it.each(values)("writes %s as JSON with the very same value, on one line and indented", (_, value) => {
    expect(sameJson(JSON.parse(compactJson(value)), value)).toBe(true);
    expect(sameJson(JSON.parse(indentedJson(value)), value)).toBe(true);
    expect(compactJson(value)).not.toContain("\n");
  });

  it("stops soon after the limit, however large the value is", () => {
    expect(compactJson(values[4]![1], 100).length).toBeLessThan(300);
  });

  it("leaves out own keys that are undefined, as JSON does", () => {
    expect(compactJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });
});
