import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { pollutingTexts } from "../polluting-texts.ts";
import { pollutingArguments } from "./polluting-arguments.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};

describe("polluting-arguments", () => {
  test("every text is one object with a key that every object inherits", () => {
    const calls = playedCalls(pollutingArguments, claims).flat();
    expect(calls.length).toBeGreaterThan(0);
    for (const { call } of calls) {
      expect(typeof JSON.parse(call.args)).toBe("object");
      expect(call.args).toMatch(/"(__proto__|constructor|hasOwnProperty|toString|toJSON|then|length|valueOf)":/);
    }
  });

  test("a required field may be there by inheritance alone, and pollution may be nested", () => {
    const texts = pollutingTexts({ order: "A-1" });
    expect(texts).toContain('{"__proto__":{"order":"A-1"}}');
    expect(texts).toContain('{"constructor":{"prototype":{"polluted":true}},"order":"A-1"}');
    expect(texts.some((text) => /^\{"\w+":\{"__proto__"/.test(text))).toBe(true);
    expect(Object.hasOwn(JSON.parse(texts[0]!), "__proto__")).toBe(true);
  });

  test("a field that the tool declares is none", () => {
    const tool = {
      name: "measure",
      description: "",
      inputSchema: { type: "object", properties: { length: { type: "number" } } },
      permission: "allow",
      offered: "always",
    } as const;
    const setting = { world: { tools: [tool], skills: [], maxSteps: 3 }, claims, shape: {}, loaded: new Set<string>() };
    const call = { kind: "tool-call", callId: "call-1", name: "measure", args: '{"length":1}' } as const;
    expect(pollutingArguments.isOne(call, setting)).toBe(false);
    expect(pollutingArguments.isOne({ ...call, args: '{"length":1,"then":1}' }, setting)).toBe(true);
  });
});
