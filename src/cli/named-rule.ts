import { basename } from "node:path";
import type { Report } from "../contract/report.ts";

/**
 * The report of a replay, where the script's file tells which rule it broke (`<rule>.<cause>.json`). A replay that did not
 * judge that very rule proves nothing: it says so, and is not ok.
 */
export function withNamedRule(report: Report, file: string): Report {
  const id = basename(file).split(".")[0];
  const rule = report.rules.find((other) => other.id === id);
  if (rule?.verdict !== "unsupported" && rule?.verdict !== "not-exercised") return report;
  const why = rule.verdict === "unsupported" ? (rule.needs ?? "not supported") : rule.because;
  const hint = `The script was saved for \`${rule.id}\`, which could not be judged here: ${why}.`;
  return { ...report, ok: false, hints: [hint, ...report.hints] };
}
