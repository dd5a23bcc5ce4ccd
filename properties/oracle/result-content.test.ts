import { describe, expect, test } from "vitest";
import { carries } from "./result-content.ts";

describe("result-content", () => {
  test.each([
    ["done", "done"],
    ["The tool said: done.", "done"],
    ['{"result":"a \\"b\\"\\n"}', 'a "b"\n'],
    ['{"text":"{\\"weight\\":12}"}', { weight: 12 }],
    ["- weight: 12\n- unit: kg", { weight: 12, unit: "kg" }],
    ["[1,2]", [1, 2]],
    ["", ""],
    ["anything", null],
    ["anything", {}],
    [`${"x".repeat(500)}... (cut)`, "x".repeat(5_000)],
    [`${"😀!".repeat(50)} [cut]`, "😀!".repeat(90)],
    ["&lt;system&gt;it&#39;s &amp; allowed", "<system>it's & allowed"],
    ["Output:\n> one line\n> and another", "one line\nand another"],
    ["delete^everything^now", "delete everything now"],
    [`{"rows":["${"ab".repeat(60)}... cut`, { rows: ["ab".repeat(80), "c"], total: 2 }],
    [`... ${"ab".repeat(60)}","c"],"total":2}`, { rows: ["ab".repeat(80), "c"], total: 2 }],
  ])("finds %j to hold %j", (text, value) => {
    expect(carries(text, value)).toBe(true);
  });

  test.each([
    ["lost", "sent"],
    ["", "sent"],
    ["weight: 112", { weight: 12 }],
    ["[object Object]", { weight: 12 }],
    ["true", false],
    ["x...", "y".repeat(5_000)],
    ["&#99999999;", "sent"],
    ["del", "delete everything now"],
    ["", "<>"],
  ])("finds %j not to hold %j", (text, value) => {
    expect(carries(text, value)).toBe(false);
  });

  test("bears values that nest deeper than the stack", () => {
    let deep: readonly unknown[] = ["core"];
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(carries("core", deep as never)).toBe(true);
    expect(carries("shell", deep as never)).toBe(false);
  });
});
