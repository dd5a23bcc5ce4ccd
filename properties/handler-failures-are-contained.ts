import type { Property } from "../src/contract/property.ts";
import { breakdownOf } from "./oracle/breakdown.ts";
import { badBefore, failureBefore, modelFailedBefore, survives, withWorkingHandlers } from "./oracle/suspects.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { verdictOf, violated } from "./oracle/verdicts.ts";
import { needsWitnessedEffects } from "./oracle/witnessed-effects.ts";

/**
 * Handlers that fail, and handlers that return what is not JSON. Harnesses get this wrong where the catch block reads
 * `error.message` of something that is no error, where the result is written outside of the try, or where one of several
 * calls side by side rejects and nobody listens.
 *
 * **Rule** A handler that throws anything or returns anything odd gives an error result or a controlled stop, not a crash.
 *
 * **Holds when** after a handler has failed the run neither crashes nor hangs, and leaves no rejection unhandled. Where the
 * same script with handlers that work breaks the run too, something else is to blame.
 *
 * **Often broken by** `JSON.stringify(result)` outside the try; `error.message` where `null` was thrown; a missing `await`.
 *
 * @example
 * // "look_up" returns 10n
 * // violated where the run ends by "TypeError: Do not know how to serialize a BigInt"
 */
export const handlerFailuresAreContained: Property = ofUntampered({
  id: "handler-failures-are-contained",
  level: "must",
  rule: "A handler that throws anything or returns anything odd gives an error result or a controlled stop, not a crash.",
  holdsWhen: "after a handler has failed the run goes on, or ends by a stop that says so",
  oftenBrokenBy: "`error.message` of something that is no error, or a result that is written as JSON outside the try",
  needs: needsWitnessedEffects,
  // Whatever else may have broken the run, a bad proposal or a failed request, is still there with handlers that work.
  twin(script, evidence) {
    const found = breakdownOf(evidence.trace);
    if (found === undefined || failureBefore(evidence.trace, found.at) === undefined) return undefined;
    return withWorkingHandlers(script);
  },
  judge(evidence, twin) {
    const { trace } = evidence;
    const exercised = failureBefore(trace, trace.length) !== undefined;
    const found = exercised ? breakdownOf(trace) : undefined;
    const failure = found === undefined ? undefined : failureBefore(trace, found.at);
    if (found === undefined || failure === undefined) return { kind: "holds", exercised };
    const bad = badBefore(evidence, found.at);
    const hasOtherSuspects = bad.length > 0 || modelFailedBefore(trace, found.at);
    const excused = twin === undefined ? hasOtherSuspects : !survives(twin, evidence, bad);
    if (excused) return { kind: "holds", exercised };
    const because = `The run ${found.words} after the handler of "${failure.tool}" ${failure.words}.`;
    return verdictOf([violated(found.at, `${found.cause}-on-${failure.cause}`, because)], exercised);
  },
});
