import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { callAfterAnswer } from "./call-after-answer.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const cases = callAfterAnswer.canonical(settingOf(canonicalWorlds(claims)[0]!, claims));

describe("call-after-answer", () => {
  test("a call stands in a final turn, or after an answer", () => {
    for (const { turns } of cases) {
      const final = turns.findIndex(
        ({ stop, proposals }) => stop === "end" || proposals.every(({ kind }) => kind === "text"),
      );
      expect(final).toBeGreaterThanOrEqual(0);
      expect(turns.slice(final).some(({ proposals }) => proposals.some(({ kind }) => kind === "tool-call"))).toBe(true);
    }
  });

  test("calls tools that may run and tools that may not", () => {
    const text = JSON.stringify(cases);
    for (const name of ["lookup_order", "refund_order", "delete_account"]) expect(text).toContain(name);
  });
});
