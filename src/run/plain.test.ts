import { describe, expect, it } from "vitest";
import { depthOf } from "../world/json.ts";
import { messageOf, plain } from "./plain.ts";

describe("plain", () => {
  it("copies JSON as it is, so that later edits of the original do not show", () => {
    const original = { list: [1, "two", null, { three: true }], empty: {}, none: [] };
    const copy = plain(original);
    expect(copy).toEqual(original);
    original.list.push(4);
    expect(copy).toEqual({ list: [1, "two", null, { three: true }], empty: {}, none: [] });
  });

  it("leaves out own keys whose value is undefined", () => {
    expect(Object.keys(plain({ a: undefined, b: 1 }) as object)).toEqual(["b"]);
    expect(Object.keys(plain({ a: undefined, b: 1n }) as object)).toEqual(["b"]);
  });

  it.each([
    [undefined, { "(undefined)": "undefined" }],
    [10n, { "(bigint)": "10" }],
    [Number.NaN, { "(number)": "NaN" }],
    [Symbol("s"), { "(symbol)": "s" }],
    [new Date(0), { "(Date)": "1970-01-01T00:00:00.000Z" }],
    [new Date(Number.NaN), { "(Date)": "no date" }],
    [new TypeError("no"), { "(TypeError)": "no" }],
    [new Map([["a", { b: 1n }]]), { "(Map)": [["a", { b: { "(bigint)": "1" } }]] }],
    [new Set([1]), { "(Set)": [1] }],
    [new Uint8Array(3), { "(Uint8Array)": "3 bytes" }],
    [new URL("https://example.org/"), { "(URL)": "https://example.org/" }],
    [
      [undefined, 1],
      [{ "(undefined)": "undefined" }, 1],
    ],
    [function named() {}, { "(function)": "named" }],
    [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ])("gives %s a form in JSON", (value, expected) => {
    expect(plain(value)).toEqual(expected);
    expect(JSON.parse(JSON.stringify(plain(value)))).toEqual(expected);
  });

  it("reads an instance of a class by its own keys", () => {
    class Order {
      id = "A-1";
    }
    expect(plain(new Order())).toEqual({ id: "A-1" });
  });

  it("keeps an own key called __proto__ an own key", () => {
    const copy = plain(JSON.parse('{"__proto__":{"admin":true},"a":1}')) as object;
    expect(Object.keys(copy)).toEqual(["__proto__", "a"]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it("survives 3,000 levels", () => {
    expect(depthOf(plain(JSON.parse(`${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`)))).toBe(3_000);
    expect(depthOf(plain(JSON.parse("[".repeat(3_000) + "]".repeat(3_000))))).toBe(3_000);
  });

  it("marks a cycle, and only a cycle", () => {
    const shared = { deep: 10n };
    const cyclic: Record<string, unknown> = { left: shared, right: shared };
    cyclic.self = cyclic;
    const deep = { deep: { "(bigint)": "10" } };
    expect(plain(cyclic)).toEqual({ left: deep, right: deep, self: { "(cycle)": "refers to itself" } });
  });

  it("is not slowed down by a value that refers to the same object many times", () => {
    let value: unknown = {};
    for (let level = 0; level < 60; level += 1) value = { left: value, right: value };
    const copy = plain(value) as { left: unknown; right: unknown };
    expect(copy.left).toBe(copy.right);
  });

  it("keeps the order of the keys", () => {
    expect(Object.keys(plain({ b: 1n, a: { d: 1, c: 2 }, c: [] }) as object)).toEqual(["b", "a", "c"]);
  });

  it("gives an object the fields that it has itself, and none that it inherits", () => {
    const merged = Object.assign({}, JSON.parse('{"__proto__":{"order":"A"}}'));
    expect(plain({ merged })).toEqual({ merged: {} });
  });

  it("says where a getter or a proxy throws", () => {
    const value = {
      a: 1,
      get b() {
        throw new Error("not now");
      },
      c: new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error("go away");
          },
        },
      ),
    };
    expect(plain(value)).toEqual({ a: 1, b: { "(throws)": "not now" }, c: { "(throws)": "go away" } });
  });
});

describe("messageOf", () => {
  it.each([
    [new Error("broken"), "broken"],
    ["text", "text"],
    [null, "null"],
    [undefined, "undefined"],
    [Symbol("s"), "Symbol(s)"],
    [Object.create(null), "a value that can't be shown"],
  ])("puts %s in one line", (error, text) => {
    expect(messageOf(error)).toBe(text);
  });
});
