import type { Report, RuleReport } from "../contract/report.ts";

/**
 * A report with the word on whether it is green. A broken SHOULD counts where the user asked for it, and in a replay; what the
 * baseline knows does not count, unless it no longer fails.
 */
export function withOk({ format, harness, ...rest }: Omit<Report, "ok">): Report {
  return { format, harness, ok: isOk(rest), ...rest };
}

function isOk(report: Omit<Report, "format" | "harness" | "ok">): boolean {
  const { rules, replayed, should, cutOff, baseline } = report;
  // Cut off in the enumeration, a green report would have looked at next to nothing.
  if (cutOff === true || baseline?.notWritten !== undefined) return false;
  const counts = ({ level }: Pick<RuleReport, "level">): boolean =>
    level === "must" || should === "fail" || replayed === true;
  if (baseline?.gone.some(counts) === true) return false;
  return rules.every(
    (rule) =>
      rule.verdict === "holds" ||
      rule.verdict === "unsupported" ||
      rule.known === true ||
      (rule.verdict === "not-exercised" && (replayed === true || rule.level === "should")) ||
      (!counts(rule) && rule.verdict !== "unknown"),
  );
}
