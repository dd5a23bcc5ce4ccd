import { describe, expect, it } from "vitest";
import type { BaselineEntry } from "../contract/baseline.ts";
import { type Report, type RuleReport, reportSchema } from "../contract/report.ts";
import { applyBaseline } from "./apply-baseline.ts";
import { entryOf, findingOf, reportOf, ruleOf } from "./known-report.test-kit.ts";

const ends = "every-run-ends";
const denied = "denied-tools-never-run";

function applied(report: Report, ...known: readonly BaselineEntry[]): Report {
  const judged = applyBaseline(report, { format: 1, known });
  expect(reportSchema.parse(judged)).toEqual(judged);
  return judged;
}

const verdictsOf = ({ rules }: Report) => rules.map(({ verdict, known }) => (known ? `${verdict}, known` : verdict));

describe("apply-baseline", () => {
  it("is green where all that failed is known, and gives the reason with each finding", () => {
    const report = applied(reportOf([ruleOf(ends, ["crashed"]), ruleOf(denied)]), entryOf(ends, "crashed"));
    expect(report.ok).toBe(true);
    expect(verdictsOf(report)).toEqual(["violated, known", "holds"]);
    expect(report.rules[0]?.findings[0]?.known).toBe("the SDK");
    expect(report.baseline).toEqual({ gone: [], open: [] });
  });

  it("is red where a known rule fails by another cause too, and tells the two apart", () => {
    const report = applied(reportOf([ruleOf(ends, ["crashed", "hung"])]), entryOf(ends, "crashed", { because: "" }));
    expect(report.ok).toBe(false);
    expect(report.rules[0]).not.toHaveProperty("known");
    expect(report.rules[0]?.findings.map(({ known }) => known)).toEqual(["", undefined]);
  });

  it("is red where what is known no longer fails", () => {
    const report = applied(reportOf([ruleOf(ends), ruleOf(denied)]), entryOf(ends, "crashed"));
    expect(report.ok).toBe(false);
    expect(report.baseline?.gone).toEqual([{ rule: ends, cause: "crashed", because: "the SDK", level: "must" }]);
  });

  it("takes one cause for another of the same rule no more than one rule for another", () => {
    const report = applied(reportOf([ruleOf(ends, ["hung"]), ruleOf(denied)]), entryOf(ends, "crashed"));
    expect(report.baseline?.gone).toHaveLength(1);
    expect(verdictsOf(report)).toEqual(["violated", "holds"]);
  });

  it("looks at the entries of this harness alone", () => {
    const report = applied(reportOf([ruleOf(ends, ["crashed"])]), entryOf(ends, "crashed", { harness: "other" }));
    expect(report.ok).toBe(false);
    expect(report.baseline).toEqual({ gone: [], open: [] });
  });

  const unclear: readonly (readonly [string, RuleReport | undefined, Partial<Report>, string])[] = [
    ["the rule was not judged", undefined, {}, "not among"],
    ["the rule is not supported", ruleOf(ends, [], { verdict: "unsupported", needs: "a loop" }), {}, "a loop"],
    ["the rule was not exercised", ruleOf(ends, [], { verdict: "not-exercised" }), {}, "not exercised"],
    ["the rule is unknown", ruleOf(ends, [], { verdict: "unknown" }), {}, "could not be judged"],
    [
      "it failed otherwise and is else unknown",
      ruleOf(ends, ["hung"], { otherwise: { verdict: "unknown" } }),
      {},
      "not be judged",
    ],
    ["the campaign stopped early", ruleOf(ends), { stoppedEarly: "the time was up" }, "the time was up"],
    ["it was a replay", ruleOf(ends), { replayed: true }, "replayed"],
    ["scripts were left out", ruleOf(ends), { leftOut: 3 }, "left out"],
    ["no more causes were looked for", ruleOf(ends, "abcdefghijkl".split("")), {}, "12 other causes"],
  ];

  it.each(unclear)("says nothing of an entry where %s, and why", (_, rule, rest, part) => {
    const { baseline } = applied(reportOf([ruleOf(denied), ...(rule ? [rule] : [])], rest), entryOf(ends, "crashed"));
    expect(baseline?.gone).toEqual([]);
    expect(baseline?.open).toEqual([
      { rule: ends, cause: "crashed", because: "the SDK", unclear: expect.stringContaining(part) },
    ]);
  });

  it("believes a saved script that holds, though other scripts were left out", () => {
    const fixed = [`${ends}.crashed.json`];
    expect(
      applied(reportOf([ruleOf(ends)], { leftOut: 3, fixed }), entryOf(ends, "crashed")).baseline?.gone,
    ).toHaveLength(1);
    const other = [`${ends}.crashed-late.json`];
    expect(
      applied(reportOf([ruleOf(ends)], { leftOut: 3, fixed: other }), entryOf(ends, "crashed")).baseline?.gone,
    ).toEqual([]);
  });

  it("accepts no rule that is unknown or not exercised beside what is known", () => {
    for (const verdict of ["unknown", "not-exercised"] as const) {
      const rule = ruleOf(ends, ["crashed"], { otherwise: { verdict, because: "for a reason" } });
      const report = applied(reportOf([rule]), entryOf(ends, "crashed"));
      expect(report.rules[0]).toMatchObject({ verdict, because: "for a reason" });
      expect(report.rules[0]).not.toHaveProperty("known");
      expect(report.ok).toBe(false);
    }
  });

  it("leaves a rule flaky by a new cause, and accepts a known cause that did not fail again this time", () => {
    const flaky = findingOf("hung", { flaky: true });
    const rule = ruleOf(ends, ["crashed", flaky]);
    expect(verdictsOf(applied(reportOf([rule]), entryOf(ends, "crashed")))).toEqual(["flaky"]);
    const both = applied(reportOf([rule]), entryOf(ends, "crashed"), entryOf(ends, "hung"));
    expect(verdictsOf(both)).toEqual(["violated, known"]);
    const alone = applied(reportOf([ruleOf(ends, [flaky], { verdict: "flaky" })]), entryOf(ends, "hung"));
    expect({ verdicts: verdictsOf(alone), ok: alone.ok }).toEqual({ verdicts: ["flaky, known"], ok: true });
  });

  it("does not miss what fails at some times and not at others", () => {
    const report = applied(reportOf([ruleOf(ends)]), entryOf(ends, "crashed", { sometimes: true }));
    expect(report.ok).toBe(true);
    expect(report.baseline?.open).toHaveLength(1);
  });

  it("counts a SHOULD in both directions only where the user asked for it", () => {
    const should = { level: "should" } as const;
    const news = [ruleOf(ends, ["hung"], should)];
    const gone = [ruleOf(ends, [], should)];
    for (const rules of [news, gone]) {
      expect(applied(reportOf(rules), ...(rules === gone ? [entryOf(ends, "crashed")] : [])).ok).toBe(true);
      expect(
        applied(reportOf(rules, { should: "fail" }), ...(rules === gone ? [entryOf(ends, "crashed")] : [])).ok,
      ).toBe(false);
    }
    expect(applied(reportOf(gone), entryOf(ends, "crashed")).baseline?.gone[0]?.level).toBe("should");
  });

  it("makes no report green that was cut off before its fixed cases were played", () => {
    const cut = reportOf([ruleOf(ends, ["crashed"])], { stoppedEarly: "the time was up", cutOff: true });
    expect(applied(cut, entryOf(ends, "crashed")).ok).toBe(false);
    const { cutOff: _, ...later } = cut;
    expect(applied(later, entryOf(ends, "crashed")).ok).toBe(true);
  });

  it("takes an earlier baseline back, and changes nothing of the report that it was given", () => {
    const report = reportOf([ruleOf(ends, ["crashed"])]);
    const before = JSON.stringify(report);
    const known = applied(report, entryOf(ends, "crashed"));
    expect(JSON.stringify(report)).toBe(before);
    const again = applied(known);
    expect(again.ok).toBe(false);
    expect({ ...again, baseline: undefined }).toEqual({ ...report, baseline: undefined });
  });
});
