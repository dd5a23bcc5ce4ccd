import type { Baseline, BaselineEntry } from "../contract/baseline.ts";
import type { Report } from "../contract/report.ts";
import { UsageError } from "../errors.ts";
import { applyBaseline } from "./apply-baseline.ts";
import { isSame } from "./valid-baseline.ts";

const empty: Baseline = { format: 1, known: [] };

/**
 * The baseline that accepts what a report found, and nothing that no longer fails. It keeps what people wrote, the entries
 * of other harnesses, and those that this campaign could tell nothing about. What did not fail again is not accepted.
 *
 * Throws a `UsageError` where the report is of no whole campaign: it would accept too little.
 *
 * @example
 * const next = updateBaseline(await checkHarness(harness), baseline);
 */
export function updateBaseline(report: Report, earlier: Baseline = empty): Baseline {
  const { baseline: { gone = [] } = {} } = applyBaseline(report, earlier);
  const part = report.replayed === true ? "one of a single script" : report.stoppedEarly;
  if (part !== undefined) {
    const please = report.replayed === true ? "check the harness" : "mend what stopped it, or give it more time";
    throw new UsageError(
      "no-whole-campaign",
      `Expected the report of a whole campaign to make a baseline of, got ${part}. Do ${please}.`,
    );
  }
  const { harness } = report;
  const kept = earlier.known.filter((entry) => !gone.some((other) => isSame(entry, { ...other, harness })));
  const found = report.rules.flatMap(({ id, findings }) =>
    findings.flatMap(({ cause, flaky, foundIn, savedAs }): readonly BaselineEntry[] => {
      const entry = { harness, rule: id, cause, because: "" };
      if (flaky === true) return [];
      // The random scripts of another seed may not find it, where there is none to be played first.
      return [foundIn === "random" && savedAs === undefined ? { ...entry, sometimes: true } : entry];
    }),
  );
  const added = found.filter((entry) => !kept.some((other) => isSame(entry, other)));
  return { format: 1, known: [...kept, ...added].sort(inOrder) };
}

/** By code units: the order of a language would differ between machines. */
function inOrder(left: BaselineEntry, right: BaselineEntry): number {
  for (const key of ["harness", "rule", "cause"] as const) {
    if (left[key] !== right[key]) return left[key] < right[key] ? -1 : 1;
  }
  return 0;
}
