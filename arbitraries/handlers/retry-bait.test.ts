import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { retryBait } from "./retry-bait.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const setting = settingOf(canonicalWorlds(claims)[0]!, claims);
const cases = retryBait.canonical(setting);

describe("retry-bait", () => {
  test("one tool that may run does it, when it is called", () => {
    for (const { turns, handlers } of cases) {
      const [name, ...others] = Object.keys(handlers!);
      expect(others).toEqual([]);
      expect(
        turns.some(({ proposals }) => proposals.some((draft) => draft.kind === "tool-call" && draft.name === name)),
      ).toBe(true);
    }
  });

  test("fails in the words that retry code looks for, also after the work was done", () => {
    const text = JSON.stringify(cases);
    for (const word of ["ETIMEDOUT", "429", "ECONNRESET", "503", "rate_limit", "timeout", "effect-then-throw"])
      expect(text).toContain(word);
  });
});
