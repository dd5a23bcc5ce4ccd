import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { satisfies } from "../../src/world/input-schema.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { mistypedArguments } from "./mistyped-arguments.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};

describe("mistyped-arguments", () => {
  test("calls tools that may run or be asked about, with one JSON object that their schema refuses", () => {
    const calls = playedCalls(mistypedArguments, claims).flat();
    expect(calls.length).toBeGreaterThan(100);
    const wrong = calls.filter(
      ({ call, tool, offered }) =>
        !offered || tool!.permission === "deny" || satisfies(tool!.inputSchema, JSON.parse(call.args)),
    );
    expect(wrong).toEqual([]);
  });

  test("needs the claim, and a schema that refuses something", () => {
    const [world] = canonicalWorlds(claims);
    expect(mistypedArguments.needs(settingOf(world!, { ...claims, argumentSchemas: false }))).toMatch(/not claimed/);
    const open = { ...world!, tools: world!.tools.map((tool) => ({ ...tool, inputSchema: { type: "object" } })) };
    expect(mistypedArguments.needs(settingOf(open, claims))).toMatch(/refuses/);
  });
});
