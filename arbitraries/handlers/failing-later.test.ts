import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { failingLater } from "./failing-later.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const setting = settingOf(canonicalWorlds(claims)[0]!, claims);
const cases = failingLater.canonical(setting);

describe("failing-later", () => {
  test("one tool that may run does it, when it is called", () => {
    for (const { turns, handlers } of cases) {
      const [name, ...others] = Object.keys(handlers!);
      expect(others).toEqual([]);
      expect(
        turns.some(({ proposals }) => proposals.some((draft) => draft.kind === "tool-call" && draft.name === name)),
      ).toBe(true);
    }
  });

  test("a later call fails, and there are as many calls as behaviours", () => {
    for (const { turns, handlers } of cases) {
      const [behaviours] = Object.values(handlers!);
      expect(behaviours!.slice(1).some(({ kind }) => kind === "throw" || kind === "effect-then-throw")).toBe(true);
      const calls = turns.flatMap(({ proposals }) => proposals).filter(({ kind }) => kind === "tool-call");
      expect(calls.length).toBe(behaviours!.length);
    }
  });
});
