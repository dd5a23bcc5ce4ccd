import type { Report, RuleReport } from "../contract/report.ts";

/**
 * 1 where a rule was violated as no baseline knows it, or a known failure is gone, else 3 where one is unknown, flaky or
 * was not exercised, else 0. A report that is ok is always 0; a rule that is a SHOULD counts where it was asked to.
 */
export function exitCode(report: Report, should: "report" | "fail" = "report"): 0 | 1 | 3 {
  if (report.ok) return 0;
  const counts = ({ level }: Pick<RuleReport, "level">) => level === "must" || should === "fail";
  if (report.baseline?.gone.some(counts) === true) return 1;
  return report.rules.some((rule) => rule.verdict === "violated" && rule.known !== true && counts(rule)) ? 1 : 3;
}
