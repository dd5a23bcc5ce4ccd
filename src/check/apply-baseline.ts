import type { Baseline, BaselineEntry } from "../contract/baseline.ts";
import type { Finding } from "../contract/finding.ts";
import type { Report, RuleReport } from "../contract/report.ts";
import { validReport } from "../contract/valid-report.ts";
import { causesPerRule } from "./ledger.ts";
import { validBaseline } from "./valid-baseline.ts";
import { withOk } from "./with-ok.ts";

/**
 * The report in the light of what was known before: a failure that the baseline holds is no longer red, one that it does
 * not hold is, and so is an entry that no longer fails. An entry that this campaign could tell nothing about is neither:
 * it is named, with the reason. Only causes are accepted; a rule that is unknown or was not exercised stays red.
 *
 * @example
 * const report = applyBaseline(await checkHarness(harness), baseline);
 * if (!report.ok) throw new Error(renderText(report));
 */
export function applyBaseline(report: Report, baseline: Baseline): Report {
  validReport(report, "applyBaseline");
  const entries = validBaseline(baseline).known.filter(({ harness }) => harness === report.harness);
  const absent = entries.filter((entry) => !isFound(report, entry));
  const told = absent.map(({ harness: _, sometimes, ...failure }) => {
    const rule = report.rules.find(({ id }) => id === failure.rule);
    return { failure, level: rule?.level ?? "must", unclear: whyUnclear(report, rule, { ...failure, sometimes }) };
  });
  const { ok: _, ...judged } = report;
  return withOk({
    ...judged,
    rules: report.rules.map((rule) => withKnown(rule, entries)),
    baseline: {
      gone: told.flatMap(({ failure, level, unclear }) => (unclear === undefined ? [{ ...failure, level }] : [])),
      open: told.flatMap(({ failure, unclear }) => (unclear === undefined ? [] : [{ ...failure, unclear }])),
    },
  });
}

function isFound(report: Report, { rule, cause }: BaselineEntry): boolean {
  return report.rules.some(({ id, findings }) => id === rule && findings.some((finding) => finding.cause === cause));
}

/** Marks what is known; the verdict becomes that of the rest, but for a rule of which nothing is left. */
function withKnown(rule: RuleReport, entries: readonly BaselineEntry[]): RuleReport {
  if (rule.findings.length === 0) return rule;
  const { known: _, because: __, otherwise, ...bare } = rule;
  const findings = rule.findings.map(({ known: _, ...finding }): Finding => {
    const entry = entries.find((other) => other.rule === rule.id && other.cause === finding.cause);
    return entry === undefined ? finding : { ...finding, known: entry.because };
  });
  const rest = findings.filter(({ known }) => known === undefined);
  const told: RuleReport = { ...bare, findings, ...(otherwise === undefined ? {} : { otherwise }) };
  if (rest.some(isSteady)) return { ...told, verdict: "violated" };
  if (otherwise !== undefined && (rest.length === 0 || otherwise.verdict === "unknown"))
    return { ...told, ...otherwise };
  if (rest.length > 0) return { ...told, verdict: "flaky" };
  return { ...told, verdict: findings.some(isSteady) ? "violated" : "flaky", known: true };
}

function isSteady({ flaky }: Finding): boolean {
  return flaky !== true;
}

/** Why it can't be said that a known failure is gone, although it was not found. */
function whyUnclear(
  report: Report,
  rule: RuleReport | undefined,
  { cause, sometimes }: { readonly cause: string; readonly sometimes: true | undefined },
): string | undefined {
  if (sometimes === true) return "it does not fail each time";
  if (report.replayed === true) return "one script was replayed, and there was no campaign";
  if (rule === undefined) return "its rule was not among those that were judged";
  if (rule.verdict === "unsupported") return rule.needs ?? "its rule is not supported";
  const verdict = rule.findings.length === 0 ? rule.verdict : rule.otherwise?.verdict;
  if (verdict === "unknown") return "its rule could not be judged in every run";
  if (verdict === "not-exercised") return "its rule was not exercised";
  if (report.stoppedEarly !== undefined) return `the campaign was stopped early: ${report.stoppedEarly}`;
  if (rule.findings.length >= causesPerRule) return `${causesPerRule} other causes were found, and no more looked for`;
  // What is left out depends on how fast the machine is; a saved script that holds does not.
  const isSeen = report.fixed.some((name) => name.startsWith(`${rule.id}.${cause}.`));
  if ((report.leftOut ?? 0) > 0 && !isSeen) return "scripts were left out to save time, and none of it was saved";
  return undefined;
}
