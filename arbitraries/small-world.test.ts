import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Claims } from "../src/contract/harness.ts";
import { type World, worldSchema } from "../src/world/world.ts";
import { canonicalWorlds, worlds } from "./small-world.ts";

const all: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const none: Claims = { approvals: "none", deny: false, hiddenTools: "none" };
const combinations = (["asked", "ends-run", "none"] as const).flatMap((approvals) =>
  [true, false].flatMap((deny) =>
    (["by-skill", "fixed", "none"] as const).map((hiddenTools): Claims => ({ approvals, deny, hiddenTools })),
  ),
);

function unclaimed(world: World, claims: Claims): readonly string[] {
  const wrong = world.tools.filter(({ permission, offered }) => {
    if (permission === "ask" && claims.approvals === "none") return true;
    if (permission === "deny" && !claims.deny) return true;
    if (offered === "never") return claims.hiddenTools === "none";
    return offered !== "always" && (claims.hiddenTools !== "by-skill" || !world.skills.includes(offered.afterSkill));
  });
  return [...wrong.map(({ name }) => name), ...(claims.hiddenTools === "by-skill" ? [] : world.skills)];
}

describe("small-world", () => {
  test.each(combinations)("worlds hold nothing that is not claimed: %o", (claims) => {
    const found = [...canonicalWorlds(claims), ...fc.sample(worlds(claims), { seed: 1, numRuns: 200 })];
    for (const world of found) {
      expect(unclaimed(world, claims)).toEqual([]);
      expect(worldSchema.safeParse(world).success).toBe(true);
      expect(new Set(world.tools.map(({ name }) => name)).size).toBe(world.tools.length);
      expect(world.tools.length).toBeGreaterThan(0);
    }
  });

  test("the fullest world comes first, and holds every kind of tool that is claimed", () => {
    const [first, ...others] = canonicalWorlds(all);
    const kinds = new Set(
      first!.tools.map(({ permission, offered }) => `${permission} ${typeof offered === "string" ? offered : "skill"}`),
    );
    expect([...kinds].sort()).toEqual([
      "allow always",
      "allow never",
      "allow skill",
      "ask always",
      "ask never",
      "ask skill",
      "deny always",
      "deny skill",
    ]);
    expect(first!.skills.length).toBe(2);
    expect(Math.max(...others.map(({ tools }) => tools.length))).toBeLessThan(first!.tools.length);
  });

  test("there are four to seven fixed worlds where everything is claimed, and at least three where nothing is", () => {
    expect(canonicalWorlds(all).length).toBeGreaterThanOrEqual(4);
    expect(canonicalWorlds(all).length).toBeLessThanOrEqual(7);
    expect(canonicalWorlds(none).length).toBeGreaterThanOrEqual(3);
  });

  test("budgets run from one to eight", () => {
    const budgets = new Set(fc.sample(worlds(all), { seed: 1, numRuns: 500 }).map(({ maxSteps }) => maxSteps));
    expect([...budgets].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(canonicalWorlds(all).map(({ maxSteps }) => maxSteps)).toEqual(expect.arrayContaining([1, 2, 3, 8]));
  });

  test.each([/^[a-z]+$/, /^[a-z-]+$/g, /^[A-Z][a-zA-Z]*$/, /^mcp__[a-z]{3,6}$/, /^[a-z]{1,3}$/y])(
    "names match %s",
    (toolNames) => {
      const found = [
        ...canonicalWorlds(all, { toolNames }),
        ...fc.sample(worlds(all, { toolNames }), { seed: 1, numRuns: 50 }),
      ];
      const steady = new RegExp(toolNames.source);
      expect(found.flatMap(({ tools }) => tools).filter(({ name }) => !steady.test(name))).toEqual([]);
      expect(canonicalWorlds(all, { toolNames })[0]!.tools.length).toBe(10);
    },
  );

  test("a pattern that matches nothing is refused in one sentence", () => {
    expect(() => canonicalWorlds(all, { toolNames: /^(?!)$/ })).toThrow(
      /Expected `shape.toolNames` to match some name/,
    );
  });

  test("schemas are the same objects each time", () => {
    const schemas = new Set(
      fc
        .sample(worlds(all), { seed: 2, numRuns: 300 })
        .flatMap(({ tools }) => tools.map(({ inputSchema }) => inputSchema)),
    );
    expect(schemas.size).toBeLessThan(12);
  });
});
