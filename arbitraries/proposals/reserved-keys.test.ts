import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { reservedKeys } from "./reserved-keys.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const calls = playedCalls(reservedKeys, claims).flat();

describe("reserved-keys", () => {
  test("calls tools that may run or be asked about", () => {
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ offered, tool }) => !offered || tool!.permission === "deny")).toEqual([]);
  });

  test("holds calls, results, states, resumptions and commands, at the top and nested", () => {
    const texts = calls.map(({ call }) => call.args).join("\n");
    const parts = [
      '{"type":"tool_call"',
      '"toolCallId"',
      '"lg_name":"Command"',
      '"resume"',
      '"role":"tool"',
      '"lc"',
      '"lc_serializable"',
    ];
    for (const part of [...parts, '"__interrupt__"', '"tool_calls"', '"input":{"type":"tool_call"', '"messages":[{'])
      expect(texts).toContain(part);
  });
});
