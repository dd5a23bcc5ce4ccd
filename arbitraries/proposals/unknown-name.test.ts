import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { unknownName } from "./unknown-name.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const [world] = canonicalWorlds(claims);

describe("unknown-name", () => {
  test("calls names that no tool declares and nothing inherits", () => {
    const calls = playedCalls(unknownName, claims).flat();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ tool, call }) => tool !== undefined || call.name in Object.prototype)).toEqual([]);
  });

  test("recognises any undeclared name that is not inherited and looks like no declared one", () => {
    const call = { kind: "tool-call", callId: "call-1", name: "order_pizza", args: "{}" } as const;
    expect(unknownName.isOne(call, settingOf(world!, claims))).toBe(true);
    expect(unknownName.isOne({ ...call, name: "lookup_order" }, settingOf(world!, claims))).toBe(false);
    expect(unknownName.isOne({ ...call, name: "toString" }, settingOf(world!, claims))).toBe(false);
    expect(unknownName.isOne({ ...call, name: "Lookup_order" }, settingOf(world!, claims))).toBe(false);
  });
});
