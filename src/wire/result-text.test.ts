import { describe, expect, it } from "vitest";
import { resultText } from "./result-text.ts";

describe("result-text", () => {
  it("leaves a text alone and writes the rest as JSON", () => {
    expect(resultText('say "hi"')).toBe('say "hi"');
    expect(resultText({ ok: [1, null] })).toBe('{"ok":[1,null]}');
  });

  it("makes an empty text of what JSON has no word for", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    expect([undefined, 1n, cyclic, () => 1].map(resultText)).toEqual(["", "", "", ""]);
  });
});
