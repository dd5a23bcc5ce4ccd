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
  test("the handlers that claim are those of allowed tools, called with valid arguments, one or two in a row", () => {
    for (const { turns, handlers } of moves) {
      const calls = turns.flatMap(({ proposals }) => proposals).filter((draft) => draft.kind === "tool-call");
      const names = Object.keys(handlers!);
      expect(names).toEqual(calls.slice(0, names.length).map((call) => call.name));
      expect([1, 2]).toContain(names.length);
      for (const call of calls.slice(0, names.length)) {
        const tool = findTool(world!, call.name)!;
        expect(tool.permission).toBe("allow");
        expect(satisfies(tool.inputSchema, JSON.parse(call.args))).toBe(true);
      }
    }
    expect(moves.some(({ handlers }) => Object.keys(handlers!).length === 2)).toBe(true);
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
