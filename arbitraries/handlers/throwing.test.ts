import { describe, expect, test } from "vitest";
import { isFailing } from "../../src/contract/behaviour.ts";
import type { Claims } from "../../src/contract/harness.ts";
import { findTool } from "../../src/world/world.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { throwing } from "./throwing.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const [world] = canonicalWorlds(claims);
const moves = movesOf(throwing, settingOf(world!, claims));

describe("throwing", () => {
  test("the first call of a tool that may run fails, and no other", () => {
    for (const { handlers, decisions } of moves) {
      const [name, ...others] = Object.keys(handlers!);
      const isApproved = decisions?.every((decision) => decision === "approve") === true;
      expect([findTool(world!, name!)!.permission, others.length]).toEqual([isApproved ? "ask" : "allow", 0]);
      expect(handlers![name!]!.map(isFailing)).toEqual([true, false].slice(0, handlers![name!]!.length));
    }
  });

  test("goes on with the same call, with another one, or not at all", () => {
    const calls = moves.map(({ turns }) =>
      turns.flatMap(({ proposals }) => proposals.flatMap((draft) => (draft.kind === "tool-call" ? [draft.name] : []))),
    );
    expect(calls.some(({ length }) => length === 1)).toBe(true);
    expect(calls.some(([first, second]) => first === second)).toBe(true);
    expect(calls.some(([first, second]) => second !== undefined && first !== second)).toBe(true);
  });

  test("throws at once, after the work, without a message, and with one that claims something", () => {
    const values = JSON.stringify(moves.map(({ handlers }) => handlers));
    for (const part of ['"kind":"throw"', "effect-then-throw", '"message":""', "approved"])
      expect(values).toContain(part);
  });
});
