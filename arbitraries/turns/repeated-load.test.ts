import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import type { Draft } from "../../src/contract/script-class.ts";
import type { ToolSpec } from "../../src/world/tool.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { repeatedLoad } from "./repeated-load.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const [world] = canonicalWorlds(claims);
const orders = repeatedLoad
  .canonical(settingOf(world!, claims))
  .map(({ turns }) =>
    turns.flatMap(({ proposals }) => proposals.flatMap((draft) => (draft.kind === "load-skill" ? [draft.skill] : []))),
  );

function nameOf(draft: Draft): string {
  return draft.kind === "tool-call" ? draft.name : draft.kind === "load-skill" ? draft.skill : "";
}

function isBehind({ offered, permission }: ToolSpec, skill: string): boolean {
  return typeof offered === "object" && offered.afterSkill === skill && permission === "allow";
}

describe("repeated-load", () => {
  test("loads real skills, the same one again and all of them in either order", () => {
    expect(orders).toEqual(
      expect.arrayContaining([
        ["refunds", "refunds"],
        ["refunds", "shipping", "mailing"],
        ["shipping", "mailing", "refunds"],
      ]),
    );
    expect(orders.flat().filter((skill) => !world!.skills.includes(skill))).toEqual([]);
  });

  test("loads all three, in turns of their own and in one turn, and calls a tool behind each", () => {
    const setting = settingOf(world!, claims);
    const kinds = (of: Claims) =>
      repeatedLoad
        .canonical(settingOf(world!, of))
        .map(({ turns }) => turns.map(({ proposals }) => proposals.map(nameOf).join()).join(" "));
    const skills = ["refunds", "shipping", "mailing"];
    const tools = skills.map((skill) => setting.world.tools.find((tool) => isBehind(tool, skill))!.name);
    const apart = [...skills, ...tools].join(" ");
    expect(kinds(claims)).toEqual(expect.arrayContaining([apart, `${skills.join()} ${tools.join()}`]));
    const single = kinds({ ...claims, parallelCalls: false });
    expect(single).toContain(apart);
    expect(single.filter((turns) => turns.includes(","))).toEqual([]);
  });

  test("needs skills, claimed and in the world", () => {
    expect(repeatedLoad.needs(settingOf(world!, { ...claims, hiddenTools: "fixed" }))).toMatch(/not claimed/);
    expect(repeatedLoad.needs(settingOf({ ...world!, skills: [] }, claims))).toMatch(/no skills/);
  });
});
