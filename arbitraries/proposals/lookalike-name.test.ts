import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { lookalikesOf } from "../lookalikes.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { lookalikeName } from "./lookalike-name.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const [world] = canonicalWorlds(claims);

describe("lookalike-name", () => {
  test("calls names that no tool declares, with the arguments of one that does", () => {
    const calls = playedCalls(lookalikeName, claims).flat();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ tool, call }) => tool !== undefined || call.name in Object.prototype)).toEqual([]);
  });

  test("differs by case, space, Unicode form, invisible letters, length and separators", () => {
    const names = lookalikesOf("find_file");
    const folded = [
      (name: string) => name.toLowerCase() === "find_file",
      (name: string) => name.trim() === "find_file",
      (name: string) => name.normalize("NFKC") === "find_file",
      (name: string) => name.replaceAll(/\p{Cf}/gu, "") === "find_file",
      (name: string) => name.slice(0, 9) === "find_file",
      (name: string) => "find_file".startsWith(name),
      (name: string) => name.replaceAll("-", "_") === "find_file",
      (name: string) => name.endsWith(".find_file"),
    ];
    for (const fold of folded) expect(names.filter(fold).length, String(fold)).toBeGreaterThan(0);
    expect(lookalikesOf("caf\u00E9")).toContain("cafe\u0301");
    expect(lookalikesOf("x".repeat(80))).toContain("x".repeat(64));
  });

  test("looks like tools of every kind: free, asked about, denied, never offered, and not offered yet, without the load", () => {
    const cases = lookalikeName.canonical(settingOf(world!, claims));
    const shouted = cases.flatMap(({ turns, decisions }) =>
      turns.length > 1
        ? []
        : turns[0]!.proposals.flatMap((draft) => {
            const meant = world!.tools.find(({ name }) => "name" in draft && draft.name === name.toUpperCase());
            return meant === undefined ? [] : [{ ...meant, decisions }];
          }),
    );
    const permissions = shouted.map(({ permission }) => permission);
    expect(permissions).toEqual(expect.arrayContaining(["allow", "ask", "deny"]));
    expect(shouted.some(({ offered }) => offered === "never")).toBe(true);
    expect(shouted.some(({ offered }) => typeof offered !== "string")).toBe(true);
  });

  test("a human who is asked about a hidden one says yes", () => {
    const [issue] = world!.tools.filter(({ permission, offered }) => permission === "ask" && offered === "never");
    const alone = { ...world!, tools: [issue!] };
    const decisions = lookalikeName.canonical(settingOf(alone, claims)).flatMap((move) => move.decisions ?? []);
    expect(new Set(decisions)).toEqual(new Set(["approve"]));
  });

  test("a name that is declared, or inherited, is none", () => {
    const setting = settingOf(world!, claims);
    const call = { kind: "tool-call", callId: "call-1", name: "Lookup_order", args: "{}" } as const;
    expect(lookalikeName.isOne(call, setting)).toBe(true);
    const both = { ...world!, tools: [...world!.tools, { ...world!.tools[0]!, name: "Lookup_order" }] };
    expect(lookalikeName.isOne(call, settingOf(both, claims))).toBe(false);
    expect(lookalikesOf("tostring")).not.toContain("toString");
  });
});
