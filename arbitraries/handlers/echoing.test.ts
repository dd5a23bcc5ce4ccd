import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { echoing } from "./echoing.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const setting = settingOf(canonicalWorlds(claims)[0]!, claims);
const cases = echoing.canonical(setting);

describe("echoing", () => {
  test("one tool that may run does it, when it is called", () => {
    for (const { turns, handlers } of cases) {
      const [name, ...others] = Object.keys(handlers!);
      expect(others).toEqual([]);
      expect(
        turns.some(({ proposals }) => proposals.some((draft) => draft.kind === "tool-call" && draft.name === name)),
      ).toBe(true);
    }
  });

  test("is what the handler does first, alone and before another call", () => {
    const first = cases.map(({ handlers }) => Object.values(handlers!)[0]![0]!.kind);
    expect(new Set(first)).toEqual(new Set(["echo"]));
    expect(cases.some(({ turns }) => turns.length === 1)).toBe(true);
    expect(cases.some(({ turns }) => turns.length > 1)).toBe(true);
  });
});
