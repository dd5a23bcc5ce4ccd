import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { satisfies } from "../../src/world/input-schema.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { cutOffTurn } from "./cut-off-turn.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const setting = settingOf(canonicalWorlds(claims)[0]!, claims);
const cases = cutOffTurn.canonical(setting);

describe("cut-off-turn", () => {
  test("every case has a turn that stopped by length", () => {
    expect(cases.every(({ turns }) => turns.some(({ stop }) => stop === "length"))).toBe(true);
  });

  test("its calls are complete and valid", () => {
    const calls = playedCalls(cutOffTurn, claims).flat();
    expect(calls.filter(({ call, tool }) => !satisfies(tool!.inputSchema, JSON.parse(call.args)))).toEqual([]);
  });

  test("a load may be cut off, alone and before a call that relies on it", () => {
    const loads = cases.filter(
      ({ turns }) => turns[0]!.stop === "length" && turns[0]!.proposals[0]!.kind === "load-skill",
    );
    expect(loads.map(({ turns }) => turns.length)).toEqual([1, 2]);
  });

  test("needs the claim", () => {
    expect(cutOffTurn.needs({ ...setting, claims: { ...claims, stopReason: false } })).toMatch(/not claimed/);
  });
});
