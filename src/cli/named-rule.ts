import { basename } from "node:path";
import type { Report } from "../contract/report.ts";

/**
 * The report of a replay, with a word on the rule that the script's file is named after (`<rule>.<cause>.json`), where it
 * was not judged. Where the harness does not claim what that rule needs, the replay proves nothing and is not ok. Where the
 * script gives the rule nothing to judge it may well be mended: what once ran wrongly now does not run at all.
 */
export function withNamedRule(report: Report, file: string): Report {
  const id = basename(file).split(".")[0];
  const rule = report.rules.find((other) => other.id === id);
  if (rule?.verdict === "unsupported") {
    const hint = `The script was saved for \`${rule.id}\`, which could not be judged here: ${rule.needs ?? "not supported"}.`;
    return { ...report, ok: false, hints: [hint, ...report.hints] };
  }
  if (rule?.verdict === "not-exercised") {
    const hint = `The script was saved for \`${rule.id}\`: it no longer breaks that rule, and with this harness gives it nothing to judge.`;
    return { ...report, hints: [hint, ...report.hints] };
  }
  return report;
}
