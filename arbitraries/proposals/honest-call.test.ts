import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { satisfies } from "../../src/world/input-schema.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { honestCall } from "./honest-call.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const [world] = canonicalWorlds(claims);

describe("honest-call", () => {
  test("calls offered tools that are not denied, with valid arguments", () => {
    const wrong = playedCalls(honestCall, claims)
      .flat()
      .filter(
        ({ call, tool, offered }) =>
          !offered || tool!.permission === "deny" || !satisfies(tool!.inputSchema, JSON.parse(call.args)),
      );
    expect(wrong).toEqual([]);
  });

  test("reaches every tool that may run or be asked about", () => {
    const reached = new Set(
      honestCall
        .canonical(settingOf(world!, claims))
        .flatMap(({ turns }) =>
          turns.flatMap(({ proposals }) => proposals.map((draft) => (draft.kind === "tool-call" ? draft.name : ""))),
        ),
    );
    const due = world!.tools.filter(({ permission, offered }) => permission !== "deny" && offered !== "never");
    expect(due.filter(({ name }) => !reached.has(name))).toEqual([]);
  });

  test("lets the human say yes and no where one is asked, and nothing where none is", () => {
    const decisions = honestCall.canonical(settingOf(world!, claims)).map((move) => move.decisions?.[0]);
    expect(decisions).toEqual(expect.arrayContaining([undefined, "approve", "deny"]));
    const endsRun: Claims = { ...claims, approvals: "ends-run" };
    expect(honestCall.canonical(settingOf(world!, endsRun)).every((move) => move.decisions === undefined)).toBe(true);
  });

  test("has a text with space around it, which is valid as it is", () => {
    const texts = JSON.stringify(honestCall.canonical(settingOf(world!, claims)));
    expect(texts).toContain(JSON.stringify('{"order":" A-1 "}').slice(1, -1));
  });

  test("calls two tools with the same arguments, and two sides of one policy, one after the other", () => {
    const policies: Claims = { ...claims, argumentPolicies: true };
    const setting = settingOf(canonicalWorlds(policies)[0]!, policies);
    const calls = honestCall
      .canonical(setting)
      .filter(({ turns }) => turns.length === 2)
      .map((move) => ({
        move,
        called: move.turns.flatMap(({ proposals }) => proposals.filter((draft) => draft.kind === "tool-call")),
      }))
      .filter(({ called }) => called.length === 2);
    const alike = calls.filter(({ called: [one, two] }) => one!.name !== two!.name && one!.args === two!.args);
    expect(alike.length).toBeGreaterThan(0);
    const sides = calls.filter(
      ({ move, called: [one, two] }) => one!.name === two!.name && move.decisions !== undefined,
    );
    expect(sides.map(({ move }) => move.decisions)).toEqual([["deny"], ["deny"]]);
  });

  test("recognises honest calls alone", () => {
    const setting = settingOf(world!, claims);
    const call = { kind: "tool-call", callId: "call-1", name: "lookup_order", args: '{"order":"A-1"}' } as const;
    expect(honestCall.isOne(call, setting)).toBe(true);
    expect(honestCall.isOne({ ...call, args: '{"order":1}' }, setting)).toBe(false);
    expect(honestCall.isOne({ ...call, name: "delete_account", args: '{"account":1}' }, setting)).toBe(false);
    expect(honestCall.isOne({ kind: "load-skill", callId: "call-1", skill: "refunds" }, setting)).toBe(true);
    expect(honestCall.isOne({ kind: "text", text: "" }, setting)).toBe(false);
  });
});
