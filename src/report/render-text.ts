import type { Finding } from "../contract/finding.ts";
import type { Report } from "../contract/report.ts";
import { validArgument } from "../contract/valid-argument.ts";
import { validReport } from "../contract/valid-report.ts";
import { headline } from "./headline.ts";
import { knownFailures } from "./known-failures.ts";
import { paintFor } from "./paint.ts";
import { renderFinding } from "./render-finding.ts";
import type { ReplayCommand } from "./replay-command.ts";
import { ruleTable } from "./rule-table.ts";
import { counted, quoted, visible } from "./visible-text.ts";

export interface TextOptions {
  /** Default false. */
  readonly colour?: boolean;
  /** Where the reader's files lie, as far as the caller knows. */
  readonly command?: ReplayCommand | null;
}

/**
 * A report as text: the headline, every rule with its verdict, then each finding in full.
 *
 * @example
 * console.log(renderText(await checkHarness(harness)));
 */
export function renderText(report: Report, options: TextOptions = {}): string {
  validReport(report, "renderText");
  validArgument(options, { of: "renderText", is: "the options", please: "give an object, or leave them out" });
  const paint = paintFor(options.colour ?? false);
  const told = headline(report);
  const findings = report.rules.flatMap((rule) =>
    rule.findings.filter(isNew).map((finding, index) => {
      // The causes of one rule are often one fault, and one test is enough to hold on to it.
      return renderFinding(rule, finding, report, { paint, command: options.command ?? {}, withoutTest: index > 0 });
    }),
  );
  const rule = paint.faint("-".repeat(80));
  return [
    `${quoted(report.harness)}: ${report.ok ? paint.good(told) : paint.bad(told)}`,
    `${counted(report.scripts, "script")}, ${report.replayed === true ? "replayed" : `seed ${report.seed}`}`,
    ...ruleTable(report, paint),
    ...knownFailures(report),
    ...noted("Fixed: saved scripts that no longer fail", report.fixed),
    ...noted("Hints", report.hints),
    ...findings.flatMap((finding) => ["", rule, finding]),
    ...(findings.length === 0 ? [] : ["", rule, `${quoted(report.harness)}: ${told}`]),
  ].join("\n");
}

/** What is known stands in the table: in full it would hide what is new. */
function isNew({ known }: Finding): boolean {
  return known === undefined;
}

function noted(heading: string, notes: readonly string[]): readonly string[] {
  return notes.length === 0 ? [] : ["", heading, ...notes.map((note) => `  ${visible(note)}`)];
}
