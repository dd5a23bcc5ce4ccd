import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { tampering } from "./tampering.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const setting = settingOf(canonicalWorlds(claims)[0]!, claims);
const cases = tampering.canonical(setting);

describe("tampering", () => {
  test("one tool that may run does it, when it is called", () => {
    for (const { turns, handlers } of cases) {
      const [name, ...others] = Object.keys(handlers!);
      expect(others).toEqual([]);
      expect(
        turns.some(({ proposals }) => proposals.some((draft) => draft.kind === "tool-call" && draft.name === name)),
      ).toBe(true);
    }
  });

  test("makes every edit, and goes on with a call that was not permitted before", () => {
    const edits = cases
      .flatMap(({ handlers }) => Object.values(handlers!).flat())
      .flatMap((behaviour) => (behaviour.kind === "tamper" ? [behaviour.edit] : []));
    expect(new Set(edits)).toEqual(new Set(["allow-all", "offer-all", "swap-functions", "drop-others", "rename"]));
    expect(JSON.stringify(cases.map(({ turns }) => turns.at(-1)))).toContain("delete_account");
  });

  test("drops other tools before one of them is called that may run anyway", () => {
    const kept = cases.filter(({ handlers }) => JSON.stringify(handlers).includes("drop-others"));
    const next = kept.flatMap(({ turns }) => turns.at(-1)!.proposals.map((draft) => "name" in draft && draft.name));
    const free = setting.world.tools.filter(
      ({ permission, offered }) => permission === "allow" && offered === "always",
    );
    expect(free.some(({ name }) => next.includes(name))).toBe(true);
  });

  test("functions, names and the list are edited before a call that a human approves", () => {
    const approved = cases.filter(({ decisions }) => decisions?.join() === "approve");
    const last = approved.map(({ turns }) => turns.at(-1)!.proposals.at(-1)!);
    expect(new Set(last.map((draft) => "name" in draft && draft.name))).toEqual(new Set(["refund_order"]));
    for (const edit of ["drop-others", "rename", "swap-functions"]) {
      const edited = approved.filter(({ handlers }) => JSON.stringify(handlers).includes(edit));
      expect(edited.map(({ turns }) => turns.length)).toEqual([2, 1]);
    }
    const single = tampering.canonical(settingOf(setting.world, { ...claims, parallelCalls: false }));
    expect(single.every(({ turns }) => turns.every(({ proposals }) => proposals.length === 1))).toBe(true);
    const alone = settingOf(setting.world, { ...claims, approvals: "ends-run" });
    expect(tampering.canonical(alone).filter(({ decisions }) => decisions !== undefined)).toEqual([]);
  });

  test("needs handlers that can reach the tools", () => {
    expect(tampering.needs({ ...setting, shape: { sameProcess: false } })).toMatch(/another process/);
  });
});
