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

function outcome(
  verdict: RuleReport["verdict"],
  rest: Partial<RuleReport> = {},
  should: "report" | "fail" = "report",
  more: Partial<Report> = {},
) {
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
    ...more,
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

  it("skips what is broken and known with the reason, and fails on what is new beside it", () => {
    const known = { ...finding, known: "the SDK" };
    const skipped = { kind: "skipped", because: "broken and known: hidden-tool (the SDK)" };
    expect(outcome("violated", { findings: [known], known: true })).toEqual(skipped);
    const failed = outcome("violated", { findings: [known, { ...finding, cause: "new-cause" }] });
    expect(failed).toMatchObject({ kind: "failed", text: expect.stringContaining("new-cause") });
    expect(failed).not.toMatchObject({ text: expect.stringContaining("cause: hidden-tool") });
  });

  it("fails a rule whose known failure no longer fails, and no other; a SHOULD where it was asked to", () => {
    const entry = { cause: "crashed", because: "", level: "must" } as const;
    const gone = (rule: string) => ({ baseline: { gone: [{ ...entry, rule }], open: [] } });
    expect(outcome("holds", {}, "report", gone("a-rule"))).toMatchObject({
      kind: "failed",
      text: "a-rule, crashed no longer fails. Do take it out of the baseline.",
    });
    expect(
      outcome("violated", { findings: [{ ...finding, known: "" }], known: true }, "report", gone("a-rule")).kind,
    ).toBe("failed");
    expect(outcome("holds", {}, "report", gone("b-rule")).kind).toBe("passed");
    expect(outcome("holds", { level: "should" }, "report", gone("a-rule")).kind).toBe("skipped");
    expect(outcome("holds", { level: "should" }, "fail", gone("a-rule")).kind).toBe("failed");
  });

  it("fails where it held only until the campaign was cut off before its fixed cases were played", () => {
    const rule = outcome("holds", {}, "report", {
      cutOff: true,
      stoppedEarly: "the time limit was reached after 9 scripts",
    });
    expect(rule).toEqual({
      kind: "failed",
      text: "It held so far, but the time limit was reached after 9 scripts.",
    });
  });
});
