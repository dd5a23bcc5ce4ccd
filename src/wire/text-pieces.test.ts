import { describe, expect, it } from "vitest";
import { bytePieces, textPieces } from "./text-pieces.ts";

const texts = ["{}", '{"order":"A-1"}', "Looking.", '{"a":"\\u00e9\\n"}', '{"a":"😀"}', "x".repeat(20_000)];
const many = Array.from({ length: 300 }, (_, index) => `{"order":"A-${index}"}`);

describe("text-pieces", () => {
  it("joins to the text, with no piece empty", () => {
    for (const text of [...texts, ...many]) {
      expect(textPieces(text).join("")).toBe(text);
      expect(textPieces(text)).not.toContain("");
    }
    expect(textPieces("")).toEqual([]);
    expect(textPieces("x")).toEqual(["x"]);
  });

  it("cuts the same text in the same places, and other texts elsewhere", () => {
    for (const text of texts) expect(textPieces(text)).toEqual(textPieces(text));
    expect(
      new Set(
        many.map((text) =>
          textPieces(text)
            .map((piece) => piece.length)
            .join(),
        ),
      ),
    ).not.toHaveProperty("size", 1);
  });

  it("comes in one piece or in several", () => {
    const counts = new Set(many.map((text) => textPieces(text).length));
    expect([...counts].sort()).toEqual([1, 2, 3, 4, 5]);
    const firstCuts = new Set(many.map((text) => textPieces(text)[0]!.length));
    expect(firstCuts.size).toBeGreaterThan(10);
  });

  it("cuts inside an escape, and inside a character of two code units", () => {
    expect(textPieces('{"a":"\\n"}').some((piece) => piece.endsWith("\\"))).toBe(true);
    expect(textPieces('{"a":"\\u00e9"}').some((piece) => /\\(u[0-9a-f]{0,3})?$/.test(piece))).toBe(true);
    expect(textPieces('{"a":"😀"}').some((piece) => piece.endsWith("\ud83d"))).toBe(true);
  });

  it("cuts bytes too", () => {
    for (const text of texts) {
      const bytes = new TextEncoder().encode(text);
      expect(Buffer.concat(bytePieces(bytes)).toString()).toBe(text);
    }
    expect(bytePieces(new Uint8Array())).toEqual([]);
  });
});
