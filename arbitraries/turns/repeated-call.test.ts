import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { repeatedCall } from "./repeated-call.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};

describe("repeated-call", () => {
  test("the first call comes again, under an id of its own", () => {
    for (const calls of playedCalls(repeatedCall, claims)) {
      const [first, ...others] = calls.map(({ call }) => call);
      expect(others.some((call) => call.name === first!.name && call.args === first!.args)).toBe(true);
      expect(new Set(calls.map(({ call }) => call.callId)).size).toBe(calls.length);
    }
  });

  test("where a human is asked, a yes is followed by a no", () => {
    const cases = repeatedCall.canonical(settingOf(canonicalWorlds(claims)[0]!, claims));
    expect(cases.some(({ decisions }) => decisions?.[0] === "approve" && decisions[1] === "deny")).toBe(true);
    expect(cases.some(({ turns }) => turns.length === 1)).toBe(true);
    expect(cases.some(({ turns }) => turns.length === 3)).toBe(true);
  });
});
