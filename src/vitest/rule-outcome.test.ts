import { describe, expect, it } from "vitest";
import type { Finding } from "../contract/finding.ts";
import type { Report, RuleReport } from "../contract/report.ts";
import { verdictOf } from "./rule-outcome.ts";

const finding: Finding = {
  cause: "hidden-tool",
  because: 'The handler of "close" ran.',
  script: {
    format: 1,
    world: { tools: [], skills: [], maxSteps: 1 },
    turns: [],
    afterTurns: "end",
    handlers: {},
    decisions: [],
  },
  trace: [{ type: "asked", step: 0 }],
  at: 0,
  classes: [],
  proposals: 0,
  foundIn: "random",
  foundAfter: 1,
  shrinkRuns: 0,
};

function outcome(verdict: RuleReport["verdict"], rest: Partial<RuleReport> = {}, should: "report" | "fail" = "report") {
  const rule: RuleReport = {
    id: "a-rule",
    level: "must",
    verdict,
    exercised: 0,
    findings: [],
    rule: "",
    oftenBrokenBy: "",
    ...rest,
  };
  const report: Report = {
    format: 1,
    harness: "bot",
    ok: false,
    seed: 1,
    scripts: 1,
    rules: [rule],
    hints: [],
    fixed: [],
  };
  return verdictOf(report, "a-rule", should);
}

describe("rule-outcome", () => {
  it("passes what holds, and skips what is not claimed with the reason", () => {
    expect(outcome("holds")).toEqual({ kind: "passed" });
    expect(outcome("unsupported", { needs: "log is not claimed" })).toEqual({
      kind: "skipped",
      because: "log is not claimed",
    });
  });

  it("fails a violated rule with the text of its finding", () => {
    const failed = outcome("violated", { findings: [finding] });
    expect(failed).toMatchObject({ kind: "failed", text: expect.stringContaining('The handler of "close" ran.') });
  });

  it.each(["unknown", "not-exercised", "flaky"] as const)("fails a rule that is %s", (verdict) => {
    expect(outcome(verdict, { because: "for a reason" })).toMatchObject({
      kind: "failed",
      text: expect.stringContaining("for a reason"),
    });
  });

  it("fails a rule without a verdict", () => {
    expect(verdictOf(undefined, "a-rule", "report").kind).toBe("failed");
  });

  it("skips a broken SHOULD with its fact, and fails it where it was asked to", () => {
    const broken = { level: "should", findings: [finding] } as const;
    expect(outcome("violated", broken)).toMatchObject({ kind: "skipped", because: expect.stringContaining("ran.") });
    expect(outcome("violated", broken, "fail").kind).toBe("failed");
  });
});
