import { describe, expect, it } from "vitest";
import { folded, quoted, shortened, stringLiteral, visible, wrapped } from "./visible-text.ts";

describe("visible-text", () => {
  it("spells out escape sequences, bidirectional marks, zero-width characters and odd spaces", () => {
    const hostile = "a\u001b[31m\u0007\u202e\u200b\u00a0\u2028\u009b\ud800z";
    expect(visible(hostile)).toBe("a\\u001b[31m\\u0007\\u202e\\u200b\\u00a0\\u2028\\u009b\\ud800z");
    expect(visible("plain, größer, 注文")).toBe("plain, größer, 注文");
  });

  it("makes literals that hide nothing and parse to the same text", () => {
    const hostile = '"\\\n\u001b\u202e\u2029\ud800\u{e0001}`$';
    expect(JSON.parse(stringLiteral(hostile))).toBe(hostile);
    expect(stringLiteral(hostile)).toMatch(/^[\x20-\x7e]+$/);
  });

  it("tells names apart that look alike", () => {
    expect(quoted("lookup")).toBe('"lookup"');
    expect(quoted("l\u043eokup")).toBe('"l\\u043eokup"');
    expect(quoted("\uff4cookup")).not.toBe('"\uff4cookup"');
    expect(quoted("cafe\u0301")).not.toBe(quoted("caf\u00e9"));
    expect(quoted("поиск")).toBe('"поиск"');
  });

  it("keeps head, tail and length of what it shortens", () => {
    const short = shortened(`begin${"x".repeat(5_000)}end`, 100);
    expect(short).toMatch(/^begin.*5,008 characters.*end$/);
    expect(short.length).toBeLessThan(140);
    expect(shortened("short")).toBe("short");
  });

  it("wraps at spaces and loses no word", () => {
    const text = "one two three four five six seven";
    expect(wrapped(text, 10).join(" ")).toBe(text);
    expect(Math.max(...wrapped(text, 10).map((line) => line.length))).toBeLessThanOrEqual(10);
  });

  it("folds a text without spaces too, and loses nothing but spaces", () => {
    const text = '{"first":"a long value","second":[1,2,3],"third":"withoutanyplacetobreakitatallbutinthemiddle"}';
    const lines = folded(text, 20);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(20);
    expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    expect(folded("short", 20)).toEqual(["short"]);
  });
});
