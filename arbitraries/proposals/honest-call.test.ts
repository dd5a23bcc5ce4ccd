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
