import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { oddValue } from "./odd-value.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const setting = settingOf(canonicalWorlds(claims)[0]!, claims);
const cases = oddValue.canonical(setting);

describe("odd-value", () => {
  test("one tool that may run does it, when it is called", () => {
    for (const { turns, handlers } of cases) {
      const [name, ...others] = Object.keys(handlers!);
      expect(others).toEqual([]);
      expect(
        turns.some(({ proposals }) => proposals.some((draft) => draft.kind === "tool-call" && draft.name === name)),
      ).toBe(true);
    }
  });

  test("returns and throws every odd value", () => {
    const values = cases
      .flatMap(({ handlers }) => Object.values(handlers!).flat())
      .map((behaviour) => JSON.stringify(behaviour));
    const returned = ["undefined", "bigint", "cyclic", "function", "symbol", "throwing-to-json"];
    const thrown = ["null", "undefined", "cyclic", "null-prototype"];
    const wanted = [
      ...returned.map((value) => ({ kind: "return-odd", value })),
      ...thrown.map((value) => ({ kind: "throw-odd", value })),
    ];
    expect(wanted.map((behaviour) => JSON.stringify(behaviour)).filter((text) => !values.includes(text))).toEqual([]);
  });
});
