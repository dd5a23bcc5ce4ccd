import { describe, expect, it } from "vitest";
import type { Claims, Harness } from "../contract/harness.ts";
import type { Json } from "../world/json.ts";
import type { ToolSpec } from "../world/tool.ts";
import { properties } from "./catalogues.ts";
import { checkHarness } from "./check-harness.ts";
import { Gates } from "./gates.ts";

const claims: Claims = { approvals: "none", deny: true, hiddenTools: "fixed" };

const lookup: ToolSpec = {
  name: "lookup",
  description: "looks an order up",
  inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  permission: "allow",
  offered: "always",
};

const open = { tools: [lookup], skills: [], maxSteps: 4 };
const full = {
  ...open,
  tools: [
    lookup,
    { ...lookup, name: "erase", permission: "deny" as const },
    { ...lookup, name: "audit", offered: "never" as const },
  ],
};

function ruleOf(id: string) {
  return properties.find((property) => property.id === id)!;
}

describe("gates", () => {
  it("names the world and the claim that would change what was not tried", () => {
    const gates = new Gates({ claims, world: open }, [open]);
    expect(gates.whyNotExercised(ruleOf("denied-tools-never-run"), 0)).toBe(
      "no script gave the rule anything to judge: no offered tool of this world is denied. Add one to the world, or set claims.deny to false.",
    );
    expect(gates.whyNotExercised(ruleOf("only-offered-tools-run"), 1)).toBe(
      'only 1 script gave the rule anything to judge: no tool of this world is hidden. Add one to the world, or set claims.hiddenTools to "none".',
    );
    expect(gates.hints()).toContain(
      "`denied-tool` was never proposed: no offered tool of this world is denied. Add one to the world, or set claims.deny to false.",
    );
  });

  it("speaks of `accepts` where worlds are generated", () => {
    const [hint] = new Gates({ claims }, [open]).hints();
    expect(hint).toContain("Let `accepts` accept a world that has one");
  });

  it("says nothing where one of the worlds has a place for each class", () => {
    expect(new Gates({ claims, world: full }, [open, full]).hints()).toEqual([]);
  });

  it("counts what only the harness's own schema refuses", () => {
    const world = { ...open, tools: [{ ...lookup, inputSchema: { properties: { order: {} } } }] };
    const validating: Claims = { approvals: "none", deny: false, hiddenTools: "none", argumentSchemas: true };
    const normalise = (_: string, args: Json) => {
      if (JSON.stringify(args) !== "{}") throw new Error("too much");
      return args;
    };
    const ofTypes = (hint: string) => hint.includes("`mistyped-arguments`");
    expect(new Gates({ claims: validating, world }, [world]).hints().some(ofTypes)).toBe(true);
    expect(new Gates({ claims: validating, world, normalise }, [world]).hints().some(ofTypes)).toBe(false);
  });

  it("blames the runs where everything was proposed", () => {
    const gates = new Gates({ claims, world: full }, [full]);
    expect(gates.whyNotExercised(ruleOf("denied-tools-never-run"), 0)).toContain(
      "the runs ended before they came to what it is about",
    );
  });

  it("keeps a rule that had next to nothing to judge from being green", async () => {
    const harness: Harness = {
      name: "open-world",
      claims,
      world: open,
      run: async (run) => {
        await run.nextTurn();
        return { status: "blocked" };
      },
    };
    const report = await checkHarness(harness, { runs: 0, seed: 1, only: ["denied-tools-never-run"] });
    expect(report.ok).toBe(false);
    expect(report.rules[0]).toMatchObject({ verdict: "not-exercised", exercised: 0 });
    expect(report.rules[0]!.because).toContain("set claims.deny to false");
    expect(report.hints.some((hint) => hint.includes("denied-tool"))).toBe(true);
  });
});
