import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { unknownSkill } from "./unknown-skill.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const [world] = canonicalWorlds(claims);
const cases = unknownSkill.canonical(settingOf(world!, claims));

describe("unknown-skill", () => {
  test("loads made-up, inherited and almost real skills", () => {
    const loads = cases
      .map(({ turns }) => turns[0]!.proposals[0]!)
      .map((draft) => draft.kind === "load-skill" && draft.skill);
    expect(loads).toEqual(
      expect.arrayContaining(["no-such-skill", "refund", "REFUNDS", "refunds ", "*", "", "constructor", "__proto__"]),
    );
    expect(loads.filter((skill) => world!.skills.includes(String(skill)))).toEqual([]);
  });

  test("then calls a tool that only a skill opens", () => {
    const followed = cases.flatMap(({ turns }) => turns.slice(1)).flatMap(({ proposals }) => proposals);
    const offered = followed.map(
      (draft) => world!.tools.find(({ name }) => draft.kind === "tool-call" && draft.name === name)?.offered,
    );
    expect(offered.length).toBeGreaterThan(10);
    expect(offered.filter((when) => typeof when !== "object")).toEqual([]);
  });

  test("needs skills", () => {
    expect(unknownSkill.needs(settingOf(world!, { ...claims, hiddenTools: "fixed" }))).toMatch(/not claimed/);
  });
});
