import { describe, expect, it } from "vitest";
import type { RuleReport, RuleVerdict } from "../contract/report.ts";
import { withOk } from "./with-ok.ts";

function okOf(
  level: RuleReport["level"],
  verdict: RuleVerdict,
  more: { should?: "fail"; replayed?: true } = {},
): boolean {
  const rule: RuleReport = { id: "r", level, verdict, exercised: 1, findings: [], rule: "", oftenBrokenBy: "" };
  return withOk({ format: 1, harness: "bot", seed: 1, scripts: 1, rules: [rule], hints: [], fixed: [], ...more }).ok;
}

describe("with-ok", () => {
  it("is red on a MUST that is broken, unknown, flaky or was not exercised", () => {
    for (const verdict of ["violated", "unknown", "flaky", "not-exercised"] as const) {
      expect(okOf("must", verdict)).toBe(false);
    }
    for (const verdict of ["holds", "unsupported"] as const) expect(okOf("must", verdict)).toBe(true);
  });

  it("is red on a broken SHOULD where that was asked for, and not on one that nothing called for", () => {
    expect(okOf("should", "violated")).toBe(true);
    expect(okOf("should", "violated", { should: "fail" })).toBe(false);
    expect(okOf("should", "not-exercised", { should: "fail" })).toBe(true);
    expect(okOf("should", "unknown")).toBe(false);
  });

  it("asks of a replay only what its script gives to judge", () => {
    expect(okOf("must", "not-exercised", { replayed: true })).toBe(true);
    expect(okOf("should", "violated", { replayed: true })).toBe(false);
  });
});
