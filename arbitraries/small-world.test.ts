import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Claims, Shape } from "../src/contract/harness.ts";
import { turnsAllowed } from "../src/world/budget.ts";
import { permissionsOf } from "../src/world/policy.ts";
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
    expect(first!.skills.length).toBe(3);
    const opened = first!.tools.map(({ offered }) => (typeof offered === "string" ? undefined : offered.afterSkill));
    for (const skill of first!.skills) expect(opened, skill).toContain(skill);
    expect(Math.max(...others.map(({ tools }) => tools.length))).toBeLessThan(first!.tools.length);
  });

  test("there are at most sixteen fixed worlds where everything is claimed, and at least three where nothing is", () => {
    expect(canonicalWorlds(all).length).toBeGreaterThanOrEqual(12);
    expect(canonicalWorlds(all).length).toBeLessThanOrEqual(16);
    expect(canonicalWorlds(none).length).toBeGreaterThanOrEqual(3);
  });

  test("budgets run from one to eight, and are odd now and then", () => {
    const drawn = fc.sample(worlds(all), { seed: 1, numRuns: 1000 }).map(({ maxSteps }) => maxSteps);
    const whole = drawn.filter((budget) => typeof budget === "number" && turnsAllowed(budget) === budget && budget > 0);
    const odd = drawn.filter((budget) => !whole.includes(budget));
    expect([...new Set(whole)].sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(odd)).toEqual(new Set([0, -1, 2.5, "NaN", "-Infinity"]));
    expect(odd.length).toBeLessThan(70);
    const fixed = canonicalWorlds(all).map(({ maxSteps }) => maxSteps);
    expect(fixed).toEqual(expect.arrayContaining([1, 2, 3, 8, 0, -1, 2.5, "NaN"]));
  });

  test.each<readonly [string, Claims, Shape]>([
    ["without a budget", { ...all, budget: "none" }, {}],
    ["without a loop of its own", all, { loop: "none" }],
  ])("no budget is odd %s", (_, claims, shape) => {
    const found = [...canonicalWorlds(claims, shape), ...fc.sample(worlds(claims, shape), { seed: 1, numRuns: 500 })];
    expect(found.filter(({ maxSteps }) => maxSteps !== turnsAllowed(maxSteps) || maxSteps === 0)).toEqual([]);
  });

  test("some names stand in a relation: folded, cut or normalised they are equal, or one begins with the other", () => {
    const related = (toolNames?: RegExp) =>
      canonicalWorlds(all, toolNames === undefined ? {} : { toolNames }).map(({ tools }) =>
        tools.map(({ name }) => name),
      );
    const some = (lists: readonly (readonly string[])[], equal: (a: string, b: string) => boolean) =>
      lists.some((names) => names.some((a) => names.some((b) => a !== b && equal(a, b))));
    expect(some(related(), (a, b) => a.toLowerCase() === b.toLowerCase())).toBe(true);
    expect(some(related(), (a, b) => a.startsWith(b))).toBe(true);
    expect(some(related(), (a, b) => a.slice(0, 63) === b.slice(0, 63))).toBe(true);
    expect(related().some((names) => names.includes("constructor") && names.includes("toString"))).toBe(true);
    const free = related(/^[\s\S]+$/u);
    expect(some(free, (a, b) => a.normalize("NFKC") === b.normalize("NFKC"))).toBe(true);
    expect(some(free, (a, b) => a.slice(0, 64) === b.slice(0, 64))).toBe(true);
    expect(free.flat()).not.toContain("__proto__");
  });

  test("some permissions depend on the arguments where that is claimed, and none where it is not", () => {
    const rules = (claims: Claims) =>
      [...canonicalWorlds(claims), ...fc.sample(worlds(claims), { seed: 1, numRuns: 200 })]
        .flatMap(({ tools }) => tools)
        .filter(({ permission }) => typeof permission !== "string");
    expect(rules({ ...all, argumentPolicies: true }).length).toBeGreaterThan(20);
    expect(rules(all)).toEqual([]);
    const permissions = rules({ ...none, deny: true, argumentPolicies: true }).flatMap(({ permission }) =>
      permissionsOf(permission),
    );
    expect(new Set(permissions)).toEqual(new Set(["allow", "deny"]));
    expect(rules({ ...none, argumentPolicies: true })).toEqual([]);
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
      expect(canonicalWorlds(all, { toolNames })[0]!.tools.length).toBe(15);
    },
  );

  test("a pattern that matches nothing is refused in one sentence", () => {
    expect(() => canonicalWorlds(all, { toolNames: /^(?!)$/ })).toThrow(
      /Expected `shape.toolNames` to match some name/,
    );
  });

  test("generated worlds have none to three skills", () => {
    const drawn = fc.sample(worlds(all), { seed: 1, numRuns: 1000 }).map(({ skills }) => skills.length);
    expect([...new Set(drawn)].sort()).toEqual([0, 1, 2, 3]);
  });

  test("schemas are the same objects each time", () => {
    const schemas = new Set(
      fc
        .sample(worlds(all), { seed: 2, numRuns: 300 })
        .flatMap(({ tools }) => tools.map(({ inputSchema }) => inputSchema)),
    );
    expect(schemas.size).toBeLessThan(15);
  });
});
