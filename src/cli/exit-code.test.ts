import { describe, expect, it } from "vitest";
import type { Report, RuleReport } from "../contract/report.ts";
import { exitCode } from "./exit-code.ts";

function reportOf(ok: boolean, ...rules: readonly (readonly [RuleReport["level"], RuleReport["verdict"]])[]): Report {
  const texts = { exercised: 1, findings: [], rule: "", oftenBrokenBy: "" };
  const reports = rules.map(([level, verdict], index) => ({ id: `rule-${index}`, level, verdict, ...texts }));
  return { format: 1, harness: "bot", ok, seed: 1, scripts: 1, rules: reports, hints: [], fixed: [] };
}

describe("exit-code", () => {
  it("is 0 where the report is ok, a broken SHOULD included", () => {
    expect(exitCode(reportOf(true, ["must", "holds"], ["should", "violated"]))).toBe(0);
  });

  it("is 1 where a rule is violated, whatever else is open", () => {
    expect(exitCode(reportOf(false, ["must", "unknown"], ["must", "violated"]))).toBe(1);
  });

  it.each(["unknown", "flaky", "not-exercised"] as const)("is 3 where a rule is %s and none is violated", (verdict) => {
    expect(exitCode(reportOf(false, ["must", "holds"], ["must", verdict]))).toBe(3);
  });

  it("is not 1 for what the baseline knows", () => {
    const { rules, ...report } = reportOf(false, ["must", "violated"], ["must", "unknown"]);
    expect(
      exitCode({ ...report, rules: rules.map((rule, index) => (index > 0 ? rule : { ...rule, known: true })) }),
    ).toBe(3);
  });

  it("is 1 where what the baseline knows no longer fails", () => {
    const gone = (level: RuleReport["level"]) => [{ rule: "rule-0", cause: "crashed", because: "", level }];
    const report = (level: RuleReport["level"]) => ({
      ...reportOf(false, [level, "holds"]),
      baseline: { gone: gone(level), open: [] },
    });
    expect(exitCode(report("must"))).toBe(1);
    expect(exitCode(report("should"))).toBe(3);
    expect(exitCode(report("should"), "fail")).toBe(1);
  });

  it("counts a SHOULD where it was asked to", () => {
    const report = reportOf(false, ["should", "violated"], ["must", "unknown"]);
    expect(exitCode(report, "report")).toBe(3);
    expect(exitCode(report, "fail")).toBe(1);
  });
});
