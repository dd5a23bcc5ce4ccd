import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
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

describe("repeated-load", () => {
  test("loads real skills, the same one again and all of them in either order", () => {
    expect(orders).toEqual(
      expect.arrayContaining([
        ["refunds", "refunds"],
        ["refunds", "shipping"],
        ["shipping", "refunds"],
      ]),
    );
    expect(orders.flat().filter((skill) => !world!.skills.includes(skill))).toEqual([]);
  });

  test("needs skills, claimed and in the world", () => {
    expect(repeatedLoad.needs(settingOf(world!, { ...claims, hiddenTools: "fixed" }))).toMatch(/not claimed/);
    expect(repeatedLoad.needs(settingOf({ ...world!, skills: [] }, claims))).toMatch(/no skills/);
  });
});
