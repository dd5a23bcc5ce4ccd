import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { doubledTexts, isDoubled } from "../doubled-texts.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { duplicateKeys } from "./duplicate-keys.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};

describe("duplicate-keys", () => {
  test("every text is one object, in which a key is written again", () => {
    const calls = playedCalls(duplicateKeys, claims).flat();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ call }) => typeof JSON.parse(call.args) !== "object" || !isDoubled(call.args))).toEqual([]);
  });

  test("the first or the last of the two is another value, and one may be spelled in escapes", () => {
    const texts = doubledTexts({ order: "A-1" }, [{ order: "A-1" }, { order: "B-2" }]);
    expect(texts).toEqual(
      expect.arrayContaining([
        '{"order":"A-1","order":"B-2"}',
        '{"order":"B-2","order":"A-1"}',
        '{"order":"A-1","order":"A-1"}',
      ]),
    );
    expect(texts.map((text) => JSON.parse(text).order)).toContain("B-2");
    expect(texts.some((text) => text.includes("\\u006f"))).toBe(true);
  });

  test("is told from what only looks like it", () => {
    expect(isDoubled('{"a":"\\"a\\":1","b":":"}')).toBe(false);
    expect(isDoubled('{"a":{"a":1}}')).toBe(false);
    expect(isDoubled('{"a":[{"b":1,"b":2}]}')).toBe(true);
    expect(isDoubled("{")).toBe(false);
  });
});
