import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { PLANTED_NAME } from "../../src/contract/planted-name.ts";
import { inheritedNames } from "../inherited-names.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { inheritedName } from "./inherited-name.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };

describe("inherited-name", () => {
  test("knows every own name of `Object.prototype`, and inherited names alone", () => {
    const own = Object.getOwnPropertyNames(Object.prototype);
    expect(own.filter((name) => !inheritedNames.includes(name))).toEqual([]);
    const sources: readonly object[] = [
      Object.prototype,
      Function.prototype,
      () => {},
      class {},
      Array.prototype,
      Map.prototype,
    ];
    const known = new Set([PLANTED_NAME, ...sources.flatMap((source) => Object.getOwnPropertyNames(source))]);
    expect(inheritedNames.filter((name) => !known.has(name))).toEqual([]);
  });

  test("calls names that no tool declares", () => {
    const calls = playedCalls(inheritedName, claims).flat();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ tool, call }) => tool !== undefined || !inheritedNames.includes(call.name))).toEqual([]);
  });

  test("leaves out a name that the world declares", () => {
    const tool = {
      name: "constructor",
      description: "",
      inputSchema: {},
      permission: "allow",
      offered: "always",
    } as const;
    const setting = settingOf({ tools: [tool], skills: [], maxSteps: 3 }, claims);
    expect(JSON.stringify(inheritedName.canonical(setting))).not.toContain('"constructor"');
    expect(inheritedName.isOne({ kind: "tool-call", callId: "1", name: "constructor", args: "{}" }, setting)).toBe(
      false,
    );
    expect(inheritedName.isOne({ kind: "tool-call", callId: "1", name: "toString", args: "{}" }, setting)).toBe(true);
    const drawn = Array.from({ length: 80 }, (_, target) =>
      inheritedName.resolve({ target, form: 0, args: 0 }, setting),
    );
    expect(JSON.stringify(drawn)).not.toContain('"constructor"');
  });
});
