import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { respell, usualSpelling } from "./spelling.ts";

describe("spelling", () => {
  it("changes what is named and keeps the rest", () => {
    const spelling = respell(usualSpelling, { keys: { tool: "action", id: false }, words: { answer: "final" } });
    expect(spelling.keys).toEqual({ ...usualSpelling.keys, tool: "action", id: false });
    expect(spelling.words).toEqual({ ...usualSpelling.words, answer: "final" });
  });

  it("lets objects of different kinds share a key", () => {
    expect(respell(usualSpelling, { keys: { args: "input", text: "input" } }).keys.text).toBe("input");
  });

  it.each<[unknown, string]>([
    [null, "Expected the spelling of `spelledAs` to be an object, got null."],
    ["x", 'to be an object, got "x".'],
    [{ rules: [] }, 'Expected the spelling of `spelledAs` to be made of known names, got "rules".'],
    [{ keys: 5 }, "Expected `keys` of `spelledAs` to be an object, got 5."],
    [{ words: { tol: "x" } }, 'to be made of known names, got "tol". Do use tool, loadSkill, answer only.'],
  ])("refuses what is no spelling: %j", (changes, sentence) => {
    expect(() => respell(usualSpelling, changes as object)).toThrow(UsageError);
    expect(() => respell(usualSpelling, changes as object)).toThrow(sentence);
  });

  it("refuses two keys of one object, or two words, that are the same", () => {
    expect(() => respell(usualSpelling, { keys: { tool: "args" } })).toThrow(
      'Expected the keys of one object to be different texts, got ["type","args","args","id"].',
    );
    expect(() => respell(usualSpelling, { words: { answer: "tool" } })).toThrow("Expected the words");
  });
});
