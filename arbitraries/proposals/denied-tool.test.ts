import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import type { Proposal } from "../../src/contract/turn.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { deniedTool } from "./denied-tool.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const [world] = canonicalWorlds(claims);

describe("denied-tool", () => {
  test("calls offered tools that the policy denies", () => {
    const calls = playedCalls(deniedTool, claims).flat();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ tool, offered }) => !offered || tool!.permission !== "deny")).toEqual([]);
  });

  test("reaches one that stands behind a skill, and asks again and again", () => {
    const cases = deniedTool.canonical(settingOf(world!, claims));
    expect(JSON.stringify(cases)).toContain("purge_ledger");
    expect(Math.max(...cases.map(({ turns }) => turns.length))).toBe(3);
  });

  test("stands before and behind an allowed call of the same tool, in one turn and in two", () => {
    const policies: Claims = { ...claims, argumentPolicies: true };
    const setting = settingOf(canonicalWorlds(policies)[0]!, policies);
    const orders = deniedTool
      .canonical(setting)
      .filter(({ turns }) => /transfer_credit/.test(JSON.stringify(turns)))
      .map(({ turns }) =>
        turns
          .map(({ proposals }) =>
            proposals.map((draft) =>
              deniedTool.isOne({ ...draft, callId: "call-1" } as Proposal, setting) ? "denied" : "allowed",
            ),
          )
          .join(" then "),
      );
    expect(new Set(orders)).toEqual(
      new Set(["denied", "allowed then denied", "denied then allowed", "allowed,denied", "denied,allowed"]),
    );
  });

  test("recognises a denied call, not a hidden one", () => {
    const call = { kind: "tool-call", callId: "call-1", name: "delete_account", args: "{}" } as const;
    expect(deniedTool.isOne(call, settingOf(world!, claims))).toBe(true);
    expect(deniedTool.isOne({ ...call, name: "purge_ledger" }, settingOf(world!, claims))).toBe(false);
  });

  test("needs denied tools, claimed and in the world", () => {
    expect(deniedTool.needs(settingOf(world!, { ...claims, deny: false }))).toMatch(/not claimed/);
    expect(deniedTool.needs(settingOf(canonicalWorlds(claims)[1]!, claims))).toMatch(/no offered tool/);
  });
});
