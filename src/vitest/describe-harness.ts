import { afterAll, beforeAll, describe, test } from "vitest";
import { openBaseline } from "../check/baseline-file.ts";
import { checkHarness } from "../check/check-harness.ts";
import { chooseRules } from "../check/choose-rules.ts";
import { validOptions } from "../check/valid-options.ts";
import { campaignSeed } from "../contract/campaign-seed.ts";
import type { CheckOptions } from "../contract/check-options.ts";
import type { Harness } from "../contract/harness.ts";
import type { Report } from "../contract/report.ts";
import { validHarness } from "../contract/valid-harness.ts";
import { contractError } from "../report/assert-holds.ts";
import { headline } from "../report/headline.ts";
import { knownFailures } from "../report/known-failures.ts";
import { verdictOf } from "./rule-outcome.ts";

/**
 * One test for each rule of the contract, named by its id. The campaign runs once, before the first of them; a rule that
 * is not claimed is skipped with the reason, and one that nothing exercised fails.
 *
 * @example
 * import { describeHarness } from "gatecrash/vitest";
 * describeHarness(harness);
 */
export function describeHarness(harness: Harness, options: CheckOptions = {}): void {
  const usable = validHarness(harness);
  validOptions(options);
  openBaseline(options);
  const saved = options.saved ?? ".gatecrash";
  const rules = chooseRules(options.only, options.except);
  describe(usable.name, () => {
    let report: Report | undefined;
    beforeAll(async () => {
      report = await checkHarness(usable, { seed: campaignSeed(process.env), ...options, saved });
    }, timeLimitOf(options));
    afterAll(() => {
      if (report === undefined) return;
      console.log(
        [
          `${usable.name}: ${headline(report)}; seed ${report.seed}`,
          ...knownFailures(report).map((line) => (line === "" ? "" : `  ${line}`)),
          ...report.hints.map((hint) => `  hint: ${hint}`),
        ].join("\n"),
      );
      const { notWritten } = report.baseline ?? {};
      if (notWritten !== undefined) throw contractError(`The baseline was not written: ${notWritten}`);
    });
    for (const { id } of rules) {
      test(id, (context) => {
        const outcome = verdictOf(report, id, options.should ?? "report");
        if (outcome.kind === "skipped") context.skip(outcome.because);
        if (outcome.kind === "failed") throw contractError(outcome.text);
      });
    }
  });
}

/** The campaign ends by itself at its own limit; what is running then, and shrinking, may take a little longer. */
function timeLimitOf(options: CheckOptions): number {
  return (options.timeLimitMs ?? 120_000) + 2 * (options.runTimeoutMs ?? 2_000) + 60_000;
}
