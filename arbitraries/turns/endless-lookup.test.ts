import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { endlessLookup } from "./endless-lookup.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const [world] = canonicalWorlds(claims);
const cases = endlessLookup.canonical(settingOf(world!, claims));

describe("endless-lookup", () => {
  test("every move repeats its last turn", () => {
    expect(cases.every(({ afterTurns }) => afterTurns === "repeat-last")).toBe(true);
  });

  test("repeats allowed, failing, asked, denied, hidden, unknown and malformed calls, loads, prose and nothing", () => {
    const last = cases.map(({ turns, handlers, decisions }) =>
      JSON.stringify([turns.at(-1)!.proposals, handlers, decisions]),
    );
    const wanted = [
      /lookup_order/,
      /"throw"/,
      /"approve"/,
      /"deny"/,
      /delete_account/,
      /export_customers/,
      /no_such_tool/,
      /"args":"{"/,
      /load-skill/,
      /"text"/,
      /^\[\[\]/,
    ];
    expect(wanted.filter((pattern) => !last.some((text) => pattern.test(text)))).toEqual([]);
  });

  test("the first one is the call of an allowed tool", () => {
    expect(cases[0]!.turns[0]!.proposals).toEqual([
      { kind: "tool-call", name: "lookup_order", args: '{"order":"A-1"}' },
    ]);
  });

  test("needs a loop, and is seen in no single proposal", () => {
    expect(endlessLookup.needs(settingOf(world!, claims, { loop: "none" }))).toMatch(/no loop/);
    expect(endlessLookup.isOne({ kind: "text", text: "" }, settingOf(world!, claims))).toBe(false);
  });
});
