import { describe, expect, it } from "vitest";
import type { Claims, Shape } from "../src/contract/harness.ts";
import type { Move } from "../src/contract/script-class.ts";
import { settingOf } from "./setting.ts";
import { canonicalWorlds } from "./small-world.ts";
import { overlappingRuns, tellingRuns } from "./telling-runs.ts";

const all: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };

function settingWith(claims: Partial<Claims> = {}, shape: Shape = {}) {
  const whole = { ...all, ...claims };
  return settingOf(canonicalWorlds(whole, shape)[0]!, whole, shape);
}

function namesIn({ turns }: Move): readonly string[] {
  return turns.flatMap(({ proposals }) => proposals.map((it) => (it.kind === "tool-call" ? it.name : it.kind)));
}

describe("telling-runs", () => {
  it("calls the tool behind a skill without loading it, before any run loads it", () => {
    const runs = tellingRuns(settingWith()).map(namesIn);
    const loading = runs.findIndex((names) => names.includes("load-skill") && names.length > 1);
    const [, behind] = runs[loading]!;
    expect(runs[0]).toEqual([behind]);
    expect(runs.slice(0, loading - 1).flat()).not.toContain("load-skill");
  });

  it("lets the human say no before yes, and leave a call open", () => {
    const decided = tellingRuns(settingWith()).flatMap(({ decisions = [] }) => [decisions.join(" ")]);
    expect(decided).toEqual(expect.arrayContaining(["deny", "approve", "later"]));
    expect(decided.indexOf("deny")).toBeLessThan(decided.indexOf("approve"));
  });

  it("holds only what is claimed", () => {
    const plain = settingWith({ approvals: "none", deny: false, hiddenTools: "none", parallelCalls: false });
    for (const move of [...tellingRuns(plain), ...overlappingRuns(plain)]) {
      expect(move.decisions ?? []).toEqual([]);
      expect(namesIn(move)).not.toContain("load-skill");
      for (const { proposals } of move.turns) expect(proposals).toHaveLength(1);
    }
    const unbounded = tellingRuns(settingWith({ budget: "none" }));
    expect(unbounded.some(({ afterTurns }) => afterTurns === "repeat-last")).toBe(false);
    expect(tellingRuns(settingWith()).some(({ afterTurns }) => afterTurns === "repeat-last")).toBe(true);
  });

  it("gives runs that go side by side slow handlers, each with a result of its own", () => {
    const results = overlappingRuns(settingWith()).map(({ handlers = {} }) =>
      JSON.stringify(Object.values(handlers)[0]),
    );
    expect(results.every((behaviours) => behaviours.includes('"slow"'))).toBe(true);
    expect(new Set(results).size).toBe(results.length);
  });
});
