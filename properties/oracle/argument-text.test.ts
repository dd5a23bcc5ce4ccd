import { describe, expect, test } from "vitest";
import { readArguments } from "./argument-text.ts";

const valuesIn = (text: string) => JSON.stringify(readArguments(text, false).values);

describe("argument-text", () => {
  test("reads one plain object", () => {
    expect(readArguments('{"a":[1,"x:{}",{"b":null}]}', false)).toEqual({
      values: [{ a: [1, "x:{}", { b: null }] }],
      plain: true,
    });
    expect(readArguments(' { "a" : "\\"b\\":" } ', false)).toEqual({ values: [{ a: '"b":' }], plain: true });
  });

  test("finds nothing in malformed text", () => {
    for (const text of ["", " ", "{", "[]", "1", "null", '"{}"', "{}{}"]) expect(valuesIn(text)).toBe("[]");
  });

  test("takes empty text for an empty object only where it means that", () => {
    expect(readArguments("", true)).toEqual({ values: [{}], plain: false });
    expect(readArguments(" ", true)).toEqual({ values: [], plain: false });
  });

  test("gives both readings where a key comes twice, at any depth and in any spelling", () => {
    expect(valuesIn('{"a":1,"a":2}')).toBe('[{"a":2},{"a":1}]');
    expect(valuesIn('{"a":1,"\\u0061":[{"b":1,"b":{"c":[]}}]}')).toBe('[{"a":[{"b":{"c":[]}}]},{"a":1}]');
    expect(valuesIn('{"x":[{"b":1,"b":{"c":[2,-1e3,true]}}],"y":{}}')).toBe(
      '[{"x":[{"b":{"c":[2,-1000,true]}}],"y":{}},{"x":[{"b":1}],"y":{}}]',
    );
    expect(readArguments('{"a":1,"a":2}', false).plain).toBe(false);
  });

  test("says what a harness may refuse or run", () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
    expect(readArguments(nested(100), false).plain).toBe(true);
    expect(readArguments(nested(101), false).plain).toBe(false);
    expect(readArguments(`{"a":"${"x".repeat(9_992)}"}`, false).plain).toBe(true);
    expect(readArguments(`{"a":"${"x".repeat(9_993)}"}`, false).plain).toBe(false);
    expect(readArguments('{"a":{"__proto__":1}}', false).plain).toBe(false);
  });

  test("survives what is deep, long and doubled", () => {
    const deep = `{"a":1,"a":${"[".repeat(3000)}${"]".repeat(3000)}}`;
    expect(readArguments(deep, false).values).toHaveLength(2);
    const long = `{"a":"${"\\n".repeat(200_000)}","a":2}`;
    expect(readArguments(long, false).values[0]).toEqual({ a: 2 });
  });
});
