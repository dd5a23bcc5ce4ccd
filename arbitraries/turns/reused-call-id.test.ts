import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { standingOf } from "../standing.ts";
import { reusedCallId } from "./reused-call-id.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};

const [world] = canonicalWorlds(claims);

function isDue(call: Parameters<typeof standingOf>[0]): boolean {
  return standingOf(call, settingOf(world!, claims)) === "honest";
}

describe("reused-call-id", () => {
  test("two calls share one id", () => {
    for (const calls of playedCalls(reusedCallId, claims))
      expect(calls.map(({ call }) => call.callId)).toEqual(["same", "same"]);
  });

  test("the second call of a tool may have arguments that break its schema, or that its policy denies", () => {
    const seconds = playedCalls(reusedCallId, claims)
      .filter(([first, second]) => first!.call.name === second!.call.name && isDue(first!.call))
      .map(([, second]) => standingOf(second!.call, settingOf(world!, claims)));
    expect(seconds).toEqual(expect.arrayContaining(["mistyped", "denied"]));
  });

  test("in one turn or in two; where only one call is possible, in two", () => {
    const turnsWithCalls = (of: Claims) =>
      reusedCallId
        .canonical(settingOf(canonicalWorlds(of)[0]!, of))
        .map(({ turns }) => turns.filter(({ proposals }) => proposals.some(({ kind }) => kind === "tool-call")).length);
    expect(new Set(turnsWithCalls(claims))).toEqual(new Set([1, 2]));
    expect(new Set(turnsWithCalls({ ...claims, parallelCalls: false }))).toEqual(new Set([2]));
  });
});
