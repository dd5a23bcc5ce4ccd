import type { Evidence } from "../../src/contract/property.ts";
import type { Violation } from "../../src/contract/verdict.ts";
import type { CallStory } from "./call-stories.ts";
import { carries } from "./result-content.ts";
import { firstTelling, tellingsOf } from "./result-tellings.ts";
import { shortly } from "./shortly.ts";
import { inTurn, violated } from "./verdicts.ts";

/** Results of calls that returned, which hold something else than what they returned. */
export function wrongContents(evidence: Evidence, stories: readonly CallStory[]): readonly Violation[] {
  const tellings = tellingsOf(evidence);
  return stories.flatMap((story): readonly Violation[] => {
    const { call, runs, isSure } = story;
    if (!isSure || runs.length === 0) return [];
    const telling = firstTelling(tellings, story);
    if (telling === undefined) return [];
    const { ask, results } = telling;
    const settled = runs.filter(({ outcome, settledAt }) => outcome === "returned" && settledAt < ask.at);
    if (settled.length === 0) return [];
    if (settled.some(({ value }) => value === undefined || results.some(({ text }) => carries(text, value)))) return [];
    // Whoever ends calls that take too long may have ended this one, or the batch that it was part of.
    if (results.some(({ isError }) => isError) && mayHaveTimedOut(evidence, call.step)) return [];
    const returned = shortly(settled[0]?.value);
    return [
      violated(
        ask.at,
        "wrong-content",
        `"${call.call.name}", called ${inTurn(call.step)}, returned ${returned}, but its result says "${shortly(results[0]?.text)}".`,
      ),
    ];
  });
}

/** Whoever ends calls that take too long may have ended one of this turn. */
export function mayHaveTimedOut({ trace, claims }: Evidence, step: number): boolean {
  if (claims.deadlineMs === undefined) return false;
  return trace.some((event) => {
    if (event.step !== step) return false;
    if (event.type === "handler-hangs" || event.type === "human-hangs") return true;
    if (event.type === "approval-given") return event.decision === "late-approve";
    return event.type === "handler-started" && event.behaviour.kind === "slow";
  });
}
