import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Claims, Shape } from "../src/contract/harness.ts";
import type { Move, ScriptClass, Setting } from "../src/contract/script-class.ts";
import type { World } from "../src/world/world.ts";
import { canonicalWorlds, catalogue, laws, movesOf, scripts, settingOf } from "./index.ts";
import { deniedTool } from "./proposals/denied-tool.ts";
import { settingAfter } from "./setting.ts";

const everything: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
  results: true,
  log: true,
  abort: true,
};
const plain: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };

const harnesses: readonly (readonly [name: string, claims: Claims, shape: Shape])[] = [
  ["everything claimed", everything, {}],
  ["a deadline and no abort", { ...everything, abort: false, deadlineMs: 50 }, {}],
  ["approvals that end the run", { ...everything, approvals: "ends-run" }, {}],
  ["nothing claimed", { approvals: "none", deny: false, hiddenTools: "none" }, {}],
  ["hidden tools that never show", { approvals: "none", deny: true, hiddenTools: "fixed" }, { loop: "none" }],
  ["one call in a turn", { ...everything, parallelCalls: false, deadlineMs: 50 }, { emptyArguments: "empty-object" }],
  ["parsed arguments", plain, { argumentText: "parsed", toolNames: /^[a-z]+$/, idsAcrossTurns: false }],
];

const text = { type: "string" };
const order = {
  type: "object",
  properties: { order: text, status: text, approved: { type: "boolean" } },
  required: ["order"],
};
const limit = { properties: { amount: { maximum: 50 } }, required: ["amount"] };

/** A world of somebody's own: a policy on the arguments, fields named like forgeries, a tool that nothing valid fits. */
const own: World = {
  tools: [
    {
      name: "impossible",
      description: "",
      inputSchema: { type: "object", properties: { a: false }, required: ["a"] },
      permission: "allow",
      offered: "always",
    },
    { name: "constructor", description: "", inputSchema: order, permission: "allow", offered: "always" },
    {
      name: "refund",
      description: "",
      inputSchema: {
        type: "object",
        properties: { amount: { type: "integer", minimum: 1, maximum: 900 } },
        required: ["amount"],
      },
      permission: {
        rules: [
          { when: limit, then: "allow" },
          { when: { properties: { amount: { const: 666 } } }, then: "deny" },
        ],
        otherwise: "ask",
      },
      offered: "always",
    },
    { name: "order", description: "", inputSchema: order, permission: "ask", offered: { afterSkill: "orders" } },
    { name: "lost", description: "", inputSchema: {}, permission: "deny", offered: { afterSkill: "no such skill" } },
  ],
  skills: ["orders", "refunds", "toString"],
  maxSteps: 20,
};

function settingsFor(claims: Claims, shape: Shape): readonly Setting[] {
  const all = canonicalWorlds(claims, shape);
  // The fullest, small ones, one with names that are related, one with an odd budget.
  const few = [0, 1, 3, Math.floor(all.length / 2), all.length - 1];
  const worlds = [...new Set(few.map((place) => all[Math.min(place, all.length - 1)]!)), own];
  return worlds.flatMap((world) => {
    const setting = settingOf(world, claims, shape);
    const load = world.skills.slice(0, 1).map((skill) => ({ kind: "load-skill", skill }) as const);
    return load.length === 0 ? [setting] : [setting, settingAfter(setting, [{ proposals: load, stop: "tool-calls" }])];
  });
}

describe("the laws", () => {
  for (const [name, claims, shape] of harnesses) {
    test.each(catalogue.map((entry) => [entry.id, entry] as const))(`${name}: "%s" keeps every law`, (_, entry) => {
      for (const setting of settingsFor(claims, shape)) {
        for (const law of laws) expect(law.breach(entry, setting), law.says).toBeUndefined();
      }
    });
  }

  test("no proposal is of two classes", () => {
    const drawn = fc.sample(scripts({ claims: everything }), { seed: 7, numRuns: 300 });
    for (const script of drawn) {
      const setting = settingOf(script.world, everything);
      for (const proposal of script.turns.flatMap((turn) => ("kind" in turn ? [] : turn.proposals))) {
        expect(catalogue.filter((entry) => entry.isOne(proposal, setting)).length).toBeLessThan(2);
      }
    }
  });
});

describe("each law can be broken", () => {
  const [world] = canonicalWorlds(everything);
  const setting = settingOf(world!, everything);
  const [case1] = deniedTool.canonical(setting);
  let turn = 0;
  const good: ScriptClass = deniedTool;
  const turnsOf = (count: number): Move["turns"] => Array.from({ length: count }, () => case1!.turns[0]!);
  const broken: { readonly [law: string]: { readonly entry: ScriptClass; readonly setting?: Setting } } = {
    "needs-tells-the-truth": { entry: { ...good, needs: () => "something" } },
    "same-seed-same-move": { entry: { ...good, resolve: () => ({ turns: turnsOf(++turn % 3) }) } },
    "no-case-twice": { entry: { ...good, canonical: () => [case1!, case1!] } },
    "representatives-are-cases": { entry: { ...good, representatives: () => [{ turns: [] }] } },
    "moves-are-valid-scripts": {
      entry: { ...good, canonical: () => [{ turns: [{ proposals: [], stop: "never" as "end" }] }] },
    },
    "moves-hold-only-what-is-claimed": {
      entry: good,
      setting: { ...setting, claims: { ...everything, approvals: "none" } },
    },
    "moves-are-what-the-class-says": { entry: { ...good, isOne: () => false } },
    "draws-shrink-to-smaller-moves": {
      entry: {
        ...good,
        data: fc.constantFrom(5, 1, 1, 1, 1, 1, 1, 1),
        resolve: (size) => ({ turns: turnsOf(size as number) }),
      },
    },
  };
  test.each(laws.map((law) => [law.id, law] as const))("%s", (id, law) => {
    const { entry, setting: where = setting } = broken[id]!;
    // Claimed decisions where nobody is asked: the class itself would not give them.
    const given =
      id === "moves-hold-only-what-is-claimed" ? { ...entry, canonical: () => good.canonical(setting) } : entry;
    expect(law.breach(given, where)).toMatch(/\w/);
    expect(law.breach(good, setting)).toBeUndefined();
  });
});

describe("the catalogue", () => {
  test("is in alphabetical order", () => {
    const ids = catalogue.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort());
  });

  test("stands for its classes in 35 to 60 cases of the fullest world", () => {
    const [world] = canonicalWorlds(everything);
    const count = catalogue.flatMap((entry) => entry.representatives(settingOf(world!, everything))).length;
    expect(count).toBeGreaterThanOrEqual(35);
    expect(count).toBeLessThanOrEqual(60);
  });

  test("gives every class at most a hundred cases in any world", () => {
    for (const [, claims, shape] of harnesses) {
      for (const setting of settingsFor(claims, shape)) {
        for (const entry of catalogue) expect(entry.canonical(setting).length, entry.id).toBeLessThanOrEqual(100);
      }
    }
  });

  test("still has undeclared names to offer in a world without tools", () => {
    const bare = settingOf({ tools: [], skills: [], maxSteps: 1 }, everything);
    const possible = catalogue.filter((entry) => movesOf(entry, bare).length > 0).map(({ id }) => id);
    expect(possible).toEqual(["endless-lookup", "inherited-name", "model-failure", "unknown-name", "unknown-skill"]);
  });
});
