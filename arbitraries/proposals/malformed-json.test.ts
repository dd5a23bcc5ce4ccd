import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { satisfies } from "../../src/world/input-schema.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { malformedJson } from "./malformed-json.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const [world] = canonicalWorlds(claims);

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

describe("malformed-json", () => {
  test("calls offered tools that are not denied with text that is not one JSON object", () => {
    const calls = playedCalls(malformedJson, claims).flat();
    expect(
      calls.filter(({ call, tool, offered }) => !offered || tool!.permission === "deny" || isObjectText(call.args)),
    ).toEqual([]);
  });

  test("has every form", () => {
    const texts = playedCalls(malformedJson, claims)
      .flat()
      .map(({ call }) => call.args);
    const fixed = ["", " ", "null", "true", "0", '"text"', "[]", "{"];
    const made = [
      /^\[\{.*\}\]$/,
      /^(\{.*\})\1$/,
      /^"\{\\"/,
      /^\uFEFF\{/,
      /^\{order:/,
      /^\{'/,
      /,\}$/,
      /^Here .*\{/,
      /NaN\}$/,
      /^\/\*/,
    ];
    expect(fixed.filter((text) => !texts.includes(text))).toEqual([]);
    expect(made.filter((pattern) => !texts.some((text) => pattern.test(text)))).toEqual([]);
    expect(texts.some((text) => text.startsWith("[".repeat(3000)))).toBe(true);
    expect(texts.some((text) => text.startsWith('{"a":'.repeat(3000)))).toBe(true);
    expect(texts.some((text) => text.startsWith("```json\n"))).toBe(true);
  });

  test("is aimed at a tool that could be called without arguments, in some world", () => {
    const calls = playedCalls(malformedJson, claims).flat();
    expect(calls.some(({ tool }) => tool!.permission === "allow" && satisfies(tool!.inputSchema, {}))).toBe(true);
  });

  test("cuts at every position of short arguments", () => {
    const tool = {
      name: "look",
      description: "",
      inputSchema: { type: "object", required: ["a"], properties: { a: { const: 1 } } },
      permission: "allow",
      offered: "always",
    } as const;
    const texts = JSON.stringify(
      malformedJson.canonical(settingOf({ tools: [tool], skills: [], maxSteps: 3 }, claims)),
    );
    for (let end = 1; end < '{"a":1}'.length; end += 1)
      expect(texts).toContain(JSON.stringify({ args: '{"a":1}'.slice(0, end) }).slice(1, -1));
  });

  test("only JSON reaches a harness that is handed values", () => {
    const calls = playedCalls(malformedJson, claims, { argumentText: "parsed" }).flat();
    expect(calls.length).toBeGreaterThan(0);
    expect(() => calls.map(({ call }) => JSON.parse(call.args))).not.toThrow();
  });

  test("empty text is not malformed where it means no arguments", () => {
    const texts = playedCalls(malformedJson, claims, { emptyArguments: "empty-object" })
      .flat()
      .map(({ call }) => call.args.trim());
    expect(texts).not.toContain("");
    const call = { kind: "tool-call", callId: "call-1", name: "lookup_order", args: "" } as const;
    expect(malformedJson.isOne(call, settingOf(world!, claims, { emptyArguments: "empty-object" }))).toBe(false);
    expect(malformedJson.isOne(call, settingOf(world!, claims))).toBe(true);
  });
});
