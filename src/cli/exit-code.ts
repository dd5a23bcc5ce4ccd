import type { Report, RuleReport } from "../contract/report.ts";

/**
 * 1 where a rule was violated, else 3 where one is unknown, flaky or was not exercised, else 0. A report that is ok is
 * always 0; a rule that is a SHOULD counts where it was asked to.
 */
export function exitCode(report: Report, should: "report" | "fail" = "report"): 0 | 1 | 3 {
  if (report.ok) return 0;
  const counts = (rule: RuleReport) => rule.level === "must" || should === "fail";
  return report.rules.some((rule) => rule.verdict === "violated" && counts(rule)) ? 1 : 3;
}
