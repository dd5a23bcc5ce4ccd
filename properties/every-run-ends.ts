import type { Evidence, Property } from "../src/contract/property.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { type Breakdown, breakdownOf } from "./oracle/breakdown.ts";
import { isBudgetOdd } from "./oracle/run-end.ts";
import { badBefore, failureBefore, modelFailedBefore, survives, withAnsweringModel } from "./oracle/suspects.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { verdictOf, violated } from "./oracle/verdicts.ts";
import { withoutBadProposals } from "./oracle/without-bad-proposals.ts";

/** How often in a row a harness may ask the model again after a failed request. */
const MOST_RETRIES = 10;

/**
 * The end of a run in which nothing was wrong: sound proposals, handlers that work, a budget that makes sense. Harnesses get
 * this wrong where the same call comes for ever, a turn holds no call at all, or the model's own request fails again and again.
 *
 * **Rule** A run ends by itself and not by a crash.
 *
 * **Holds when** the run neither crashes nor hangs, leaves no rejection unhandled, and does not ask again more than ten times
 * in a row after a failed request of the model. A crash after a failing handler, a bad proposal or with an odd budget is left
 * to their rules; turns past the budget to that of the budget. Where the model can't be reached, its error may be passed on.
 *
 * **Often broken by** `turn.calls[0].name` on a turn without calls; a promise that nobody settles; a retry without a bound.
 *
 * @example
 * // proposed: { "kind": "text", "text": "" }
 * // violated where the run crashes; holds where it ends "answered"
 */
export const everyRunEnds: Property = ofUntampered({
  id: "every-run-ends",
  level: "must",
  rule: "A run ends by itself and not by a crash, also when the model repeats one call for ever or keeps failing.",
  holdsWhen: "the run neither crashes nor hangs, and asks a failing model again ten times at most",
  oftenBrokenBy:
    "a turn without calls that nobody thought of, a promise that is never settled, or a retry without a bound",
  needs: () => undefined,
  // Where a proposal was bad too, a model that answers tells whether it was the failed request, and the script without the
  // bad proposals whether it was they.
  twin(script, evidence) {
    const found = breakdownOf(evidence.trace);
    if (found === undefined || !isOnItsOwn(evidence, found)) return undefined;
    const bad = badBefore(evidence, found.at);
    if (bad.length === 0) return undefined;
    return modelFailedBefore(evidence.trace, found.at)
      ? withAnsweringModel(script)
      : withoutBadProposals(script, evidence, bad);
  },
  judge(evidence, twin) {
    const { trace } = evidence;
    const violations = [...endlessRetries(evidence)];
    const found = breakdownOf(trace);
    if (found !== undefined && isOnItsOwn(evidence, found)) {
      const bad = badBefore(evidence, found.at);
      const innocent = `The run ${found.words}, though nothing bad was proposed and no handler failed.`;
      const despite = `The run ${found.words}, and does so without its bad proposals too.`;
      if (bad.length === 0) violations.push(violated(found.at, found.cause, innocent));
      else if (twin !== undefined && modelFailedBefore(trace, found.at)) {
        if (survives(twin, evidence, bad)) violations.push(violated(found.at, found.cause, innocent));
      } else if (twin !== undefined && breaksAlone(twin)) {
        violations.push(violated(found.at, found.cause, despite));
      }
    }
    const isTested = trace.some((event) => event.type === "proposed") && !isBudgetOdd(evidence);
    return verdictOf(violations, isTested);
  },
});

/** No handler failed, and the budget makes sense: neither of them is to blame. */
function isOnItsOwn(evidence: Evidence, { at }: Breakdown): boolean {
  return failureBefore(evidence.trace, at) === undefined && !isBudgetOdd(evidence);
}

function breaksAlone(twin: Evidence): boolean {
  const found = breakdownOf(twin.trace);
  return found !== undefined && isOnItsOwn(twin, found) && badBefore(twin, found.at).length === 0;
}

function endlessRetries({ trace }: Evidence): readonly Violation[] {
  let failures = 0;
  for (const [at, event] of trace.entries()) {
    if (event.late) continue;
    if (event.type === "model-failed") failures += 1;
    else if (event.type === "proposed") failures = 0;
    else if (event.type === "asked" && failures > MOST_RETRIES) {
      return [violated(at, "endless-retries", `The model was asked again after ${failures} failed requests in a row.`)];
    }
  }
  return [];
}
