import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { oddCallId } from "./odd-call-id.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const calls = playedCalls(oddCallId, claims).flat();

describe("odd-call-id", () => {
  test("calls tools that may run, under ids that are empty, inherited, long or spaced", () => {
    const ids = calls.map(({ call }) => call.callId);
    expect(ids).toEqual(expect.arrayContaining(["", "__proto__", "constructor", "toString", " ", "0"]));
    expect(ids.some((id) => id.length > 1000)).toBe(true);
    expect(ids.filter((id) => /^call-\d+$/.test(id))).toEqual([]);
    expect(calls.filter(({ offered, tool }) => !offered || tool!.permission === "deny")).toEqual([]);
  });
});
