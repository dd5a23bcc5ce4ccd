import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Claims } from "../src/contract/harness.ts";
import { proposalsOf, scriptSchema } from "../src/contract/script.ts";
import { catalogue } from "./catalogue.ts";
import { scripts } from "./script-of.ts";
import { settingAfter, settingOf } from "./setting.ts";
import { canonicalWorlds } from "./small-world.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const drawn = fc.sample(scripts({ claims }), { seed: 11, numRuns: 2000 });

/** The classes that a proposal can show. */
const shown = catalogue.filter(({ kind }) => kind === "proposal");

function classesIn(script: (typeof drawn)[number]): ReadonlySet<string> {
  const found = new Set<string>();
  let setting = settingOf(script.world, claims);
  for (const proposal of proposalsOf(script)) {
    for (const entry of shown) if (entry.isOne(proposal, setting)) found.add(entry.id);
    setting = settingAfter(setting, [{ proposals: [proposal], stop: "tool-calls" }]);
  }
  return found;
}

describe("script-of", () => {
  test("every script is valid", () => {
    expect(drawn.filter((script) => !scriptSchema.safeParse(script).success)).toEqual([]);
  });

  test("the same seed gives the same scripts, from arbitraries made anew", () => {
    expect(fc.sample(scripts({ claims }), { seed: 11, numRuns: 200 })).toEqual(drawn.slice(0, 200));
  });

  test("every class that a proposal can show turns up, alone and beside every other", () => {
    const seen = new Set(
      [...drawn, ...fc.sample(scripts({ claims }), { seed: 12, numRuns: 4000 })].flatMap((script) =>
        [...classesIn(script)].flatMap((one, _, all) => all.map((other) => `${one} ${other}`)),
      ),
    );
    const ids = shown.map(({ id }) => id);
    const missing = ids.flatMap((one) => ids.map((other) => `${one} ${other}`)).filter((pair) => !seen.has(pair));
    expect(missing).toEqual([]);
  });

  test("some scripts have several proposals in a turn, prose, a final text, a repeated turn, failing handlers", () => {
    const turns = drawn.flatMap(({ turns: all }) => all.flatMap((turn) => ("kind" in turn ? [] : [turn])));
    const counts = {
      shared: turns.filter(({ proposals }) => proposals.filter(({ kind }) => kind !== "text").length > 1).length,
      prose: turns.filter(({ proposals }) => proposals.length > 1 && proposals.some(({ kind }) => kind === "text"))
        .length,
      final: turns.filter(({ stop }) => stop === "end").length,
      repeated: drawn.filter(({ afterTurns }) => afterTurns === "repeat-last").length,
      failing: drawn.filter(({ handlers }) =>
        Object.values(handlers)
          .flat()
          .some(({ kind }) => kind === "throw"),
      ).length,
    };
    for (const [what, count] of Object.entries(counts)) expect(count, what).toBeGreaterThan(40);
  });

  test("no turn holds two calls where only one is possible", () => {
    const single = fc.sample(scripts({ claims: { ...claims, parallelCalls: false } }), { seed: 11, numRuns: 1000 });
    const calls = single.flatMap(({ turns }) =>
      turns.map((turn) => ("kind" in turn ? 0 : turn.proposals.filter(({ kind }) => kind !== "text").length)),
    );
    expect(Math.max(...calls)).toBe(1);
  });

  test("a fixed world is played in as it is", () => {
    const world = canonicalWorlds(claims)[1]!;
    expect(
      fc.sample(scripts({ claims, world }), { seed: 1, numRuns: 100 }).every((script) => script.world === world),
    ).toBe(true);
  });

  test("only accepted worlds are played in, and a harness that accepts none is told so", () => {
    const accepts = (world: (typeof drawn)[number]["world"]) => world.tools.length === 2;
    expect(
      fc.sample(scripts({ claims, accepts }), { seed: 1, numRuns: 50 }).every(({ world }) => world.tools.length === 2),
    ).toBe(true);
    expect(() => scripts({ claims, accepts: () => false })).toThrow(
      /Expected `accepts` to accept some generated world/,
    );
  });

  test("scripts shrink to the simplest move of one class", () => {
    const isLong = fc.property(scripts({ claims }), (script) => proposalsOf(script).length === 0);
    const sizes = [1, 2, 3, 4, 5, 6].map((seed) => proposalsOf(fc.check(isLong, { seed }).counterexample![0]).length);
    expect(Math.min(...sizes)).toBe(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
  });
});
