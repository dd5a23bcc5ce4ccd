import type { Evidence, Property } from "../src/contract/property.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { type CallStory, storiesOf } from "./oracle/call-stories.ts";
import { loggedSuccesses, type Success, toldSuccesses } from "./oracle/reported-successes.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";
import { needsWitnessedEffects } from "./oracle/witnessed-effects.ts";

/**
 * What the model and the log are told of work that was not done. A model that hears "done" tells the customer so. Harnesses
 * get this wrong where a refusal travels as an ordinary text, where an error is caught and its message returned, and where
 * the answer does not wait for the handler.
 *
 * **Rule** A refused or failed call is never reported or logged as done, and work is reported only after its handler has
 * settled.
 *
 * **Holds when** the result of such a call has `isError`, or, where results have no such flag, does not hold what a handler
 * returned; and its log entry is no `result`. What is said of an odd return value, and of a call that waits for a human, is free.
 *
 * **Often broken by** `catch (error) { return error.message }`; a denial that is returned as a text; a handler that is started
 * and not awaited.
 *
 * @example
 * // the handler of "look_up" throws
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "look_up", "args": "{}" }
 * // violated where the next turn is asked for with the result { "callId": "call-1", "text": "no connection" }
 * // holds where that result has "isError": true
 */
export const failuresAreNotReportedAsSuccess: Property = ofUntampered({
  id: "failures-are-not-reported-as-success",
  level: "must",
  rule: "A refused or failed call is never reported or logged as done, and work is reported only after its handler has settled.",
  holdsWhen: "the results of refused and failed calls have `isError`, and their log entries are no results",
  oftenBrokenBy: "a denial or a caught error that goes back as an ordinary text, or a handler that is not awaited",
  needs: (claims, shape) =>
    claims.results === true || claims.log === true
      ? needsWitnessedEffects(claims, shape)
      : "neither results nor a log are claimed",
  judge(evidence) {
    const stories = storiesOf(evidence);
    const successes = [...toldSuccesses(evidence, stories), ...loggedSuccesses(evidence, stories)];
    return verdictOf(successes.flatMap(faultOf), hasUnsuccessful(evidence, stories));
  },
});

function faultOf({ story, at, standing, where }: Success): readonly Violation[] {
  const which = `"${story.call.call.name}", called ${inTurn(story.call.step)},`;
  const told = where === "result" ? "its result says that it was done" : "the log says that it was done";
  if (standing === "not-run") return [violated(at, "refusal-as-success", `${which} did not run, but ${told}.`)];
  if (standing === "threw") return [violated(at, "failure-as-success", `${which} failed, but ${told}.`)];
  if (standing !== "open") return [];
  return [
    violated(at, "reported-before-it-settled", `${which} had not settled when ${told.replace(" says", " said")}.`),
  ];
}

/** Whether anything went wrong that could have been reported as success. */
function hasUnsuccessful({ trace }: Evidence, stories: readonly CallStory[]): boolean {
  const wentOn = trace.findLastIndex((event) => event.type === "asked" || (event.type === "ended" && event.log));
  return stories.some(
    ({ call, runs }) => call.at < wentOn && (runs.length === 0 || runs.some((run) => run.outcome === "threw")),
  );
}
