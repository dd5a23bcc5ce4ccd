import type { Evidence, Property } from "../src/contract/property.ts";
import type { Trace } from "../src/contract/trace.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { licencesOf } from "./licences.ts";
import { type BadProposal, badProposals } from "./oracle/bad-proposals.ts";
import { type Breakdown, breakdownOf } from "./oracle/breakdown.ts";
import { silentTurn } from "./oracle/silence.ts";
import { badBefore, failureBefore, modelFailedBefore, withWorkingHandlers } from "./oracle/suspects.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";
import { withoutBadProposals } from "./oracle/without-bad-proposals.ts";

/**
 * What becomes of a run once the model has proposed something bad. Harnesses get this wrong where a refusal is an exception
 * that nobody catches, where a lookup yields `undefined`, or where the loop waits for a result that never comes.
 *
 * **Rule** No proposal makes the run crash or hang: refused proposals end in a refusal or a controlled stop.
 *
 * **Holds when** after a bad proposal the run goes on with an error result, or ends by a stop that says so. Where the same
 * script without its bad proposals breaks the run too, something else is to blame.
 *
 * **Often broken by** `tools.find(...)!.execute`; `JSON.parse` outside the try; a refusal that resolves nothing.
 *
 * @example
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "no_such_tool", "args": "{}" }
 * // violated where the run ends by a TypeError
 * // holds where it ends "blocked", or the next turn is asked for
 */
export const badProposalsAreSurvived: Property = ofUntampered({
  id: "bad-proposals-are-survived",
  level: "must",
  rule: "No proposal makes the run crash or hang: refused proposals end in a refusal or a controlled stop.",
  holdsWhen: "after a bad proposal the run goes on, or ends by a stop that says so",
  oftenBrokenBy: "a refusal thrown where nobody catches it, or a lookup whose `undefined` is used",
  needs: () => undefined,
  // Where a handler failed too, the proposals are to blame if the run breaks down with handlers that work. Elsewhere one that breaks
  // down without the bad proposals has something else to blame: the model's own request, or whatever is proposed.
  twin(script, evidence) {
    const found = breakdownOf(evidence.trace);
    const bad = found === undefined ? [] : badBefore(evidence, found.at);
    if (found === undefined || bad.length === 0) return undefined;
    if (failureBefore(evidence.trace, found.at) !== undefined) return withWorkingHandlers(script);
    return withoutBadProposals(script, evidence, bad);
  },
  judge(evidence, twin) {
    const bad = badProposals(licencesOf(evidence), evidence.trace);
    const violations = [...silences(evidence, bad)];
    const found = breakdownOf(evidence.trace);
    const cause = bad.findLast((proposal) => found !== undefined && proposal.at < found.at);
    if (found !== undefined && cause !== undefined) {
      const excused =
        twin === undefined ? hasOtherSuspects(evidence.trace, found) : isExcused(evidence.trace, twin.trace, found);
      const because = `The run ${found.words} after ${cause.words}, proposed ${inTurn(cause.step)}.`;
      if (!excused) violations.push(violated(found.at, found.cause, because));
    }
    return verdictOf(violations, bad.length > 0);
  },
});

function silences(evidence: Evidence, bad: readonly BadProposal[]): readonly Violation[] {
  const silent = silentTurn(evidence);
  return bad.flatMap(({ at, step, words, refusable }) => {
    const event = evidence.trace[at];
    if (step !== silent || !refusable || event?.type !== "proposed" || event.stop !== "tool-calls") return [];
    return violated(at, "silence", `The run met ${words} with silence: neither an error nor a stop that says so.`);
  });
}

function isExcused(trace: Trace, twin: Trace, { at }: Breakdown): boolean {
  const breaksDownToo = breakdownOf(twin) !== undefined;
  return failureBefore(trace, at) === undefined ? breaksDownToo : !breaksDownToo;
}

/** Whether something else than a proposal may have broken the run: a handler that failed, or the model's own request. */
function hasOtherSuspects(trace: Trace, { at }: Breakdown): boolean {
  return failureBefore(trace, at) !== undefined || modelFailedBefore(trace, at);
}
