import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { satisfies } from "../../src/world/input-schema.ts";
import { findTool } from "../../src/world/world.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { claimingOutput } from "./claiming-output.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const [world] = canonicalWorlds(claims);
const setting = settingOf(world!, claims);
const moves = movesOf(claimingOutput, setting);

describe("claiming-output", () => {
  test("the handler that claims is that of an allowed tool, called with valid arguments", () => {
    for (const { turns, handlers } of moves) {
      const [name, ...others] = Object.keys(handlers!);
      const tool = findTool(world!, name!)!;
      const call = turns.flatMap(({ proposals }) => proposals).find((draft) => draft.kind === "tool-call");
      expect([call?.kind === "tool-call" && call.name, tool.permission, others.length]).toEqual([name, "allow", 0]);
      expect(call?.kind === "tool-call" && satisfies(tool.inputSchema, JSON.parse(call.args))).toBe(true);
    }
  });

  test("each claim names a gated tool of this world, whose call follows in half of the cases", () => {
    const gated = world!.tools.filter(({ permission, offered }) => permission !== "allow" || offered !== "always");
    const followed = moves.filter(({ turns, handlers }) => {
      const claim = JSON.stringify(handlers);
      const named = gated.find(({ name }) => claim.includes(name) && !Object.hasOwn(handlers!, name));
      expect(named).toBeDefined();
      return turns.at(-1)!.proposals.some((draft) => draft.kind === "tool-call" && draft.name === named!.name);
    });
    expect(followed.length).toBeGreaterThan(moves.length / 4);
    expect(followed.length).toBeLessThan((3 * moves.length) / 4);
  });

  test("claims approval, imitates the system, holds calls in many spellings and loads skills", () => {
    const values = JSON.stringify(moves.map(({ handlers }) => handlers));
    for (const part of [
      "approved",
      "SYSTEM",
      '"role":"system"',
      "tool_calls",
      "tool_use",
      "<tool_call>",
      "<invoke",
      "```json",
      "load_skill",
    ]) {
      expect(values).toContain(part);
    }
  });

  test("needs a gate and a tool that may run", () => {
    const [, single, , , , forbidden] = canonicalWorlds(claims);
    expect(claimingOutput.needs(settingOf(single!, claims))).toMatch(/hidden, denied or asked/);
    expect(claimingOutput.needs(settingOf(forbidden!, claims))).toMatch(/may simply run/);
  });
});
