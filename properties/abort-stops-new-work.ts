import type { Property } from "../src/contract/property.ts";
import type { Trace } from "../src/contract/trace.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/** A harness that has not seen the abort yet may ask once more, and is refused. */
const MOST_TURNS_AFTER = 1;

/** Errors that nobody throws on purpose. What else comes out of an aborted run is taken for its way to tell of the abort. */
const faults: ReadonlySet<string> = new Set(["TypeError", "RangeError", "ReferenceError", "InvalidOutcome"]);

/**
 * The stop button. Harnesses get this wrong where the signal is looked at between turns only, so that the rest of a batch
 * still runs; where the abort of a request is caught like any other failure, and tried again; where a yes that comes after
 * the abort still counts; or where nobody listens to the signal while a handler or the human is waited for.
 *
 * **Rule** After the signal aborts no handler starts, at most one more turn is asked for, and the run ends.
 *
 * **Holds when** nothing starts after the abort, and the run ends by itself, as "aborted", by any other stop, or by an error
 * that tells of the abort. A handler that runs already may settle, and calls may stay without a result.
 *
 * **Often broken by** `if (signal.aborted)` at the top of the loop alone; a `catch` that swallows the AbortError; an `await`
 * that is not raced against the signal.
 *
 * @example
 * // "look_up" and "notify" are called in one turn; the signal aborts while "look_up" runs
 * // violated where the handler of "notify" starts after that
 */
export const abortStopsNewWork: Property = ofUntampered({
  id: "abort-stops-new-work",
  level: "must",
  rule: "After the signal aborts no handler starts, at most one more turn is asked for, and the run ends.",
  holdsWhen:
    "nothing starts after the abort, and the run ends, by an AbortError too, also while a handler or the human hangs",
  oftenBrokenBy: "looking at the signal between turns only, or catching the AbortError like any other failure",
  needs: ({ abort }) => (abort === true ? undefined : "abort is not claimed"),
  judge({ trace }) {
    const abortedAt = trace.findIndex((event) => event.type === "aborted" && !event.late);
    if (abortedAt < 0) return { kind: "holds", exercised: false };
    return verdictOf(newWorkAfter(trace, abortedAt), true);
  },
});

function newWorkAfter(trace: Trace, abortedAt: number): readonly Violation[] {
  const violations: Violation[] = [];
  let turns = 0;
  for (let at = abortedAt + 1; at < trace.length; at += 1) {
    const event = trace[at]!;
    // What comes after the end is another rule's.
    if (event.late) continue;
    if (event.type === "handler-started") {
      const because = `The handler of "${event.tool}" started ${inTurn(event.step)}, after the signal had aborted.`;
      violations.push(violated(at, "handler-after-abort", because));
    } else if (event.type === "asked") {
      turns += 1;
      if (turns <= MOST_TURNS_AFTER) continue;
      const because = `A turn was asked for ${turns} times after the signal had aborted.`;
      violations.push(violated(at, "turns-after-abort", because));
    } else if (event.type === "hung" && turns <= MOST_TURNS_AFTER) {
      violations.push(violated(at, "hung-after-abort", "The run did not end after the signal had aborted."));
    } else if (event.type === "crashed" && event.kitMade !== true && faults.has(event.name)) {
      const because = `The run crashed with ${event.name} (${event.message}) after the signal had aborted.`;
      violations.push(violated(at, "crashed-after-abort", because));
    }
  }
  return violations;
}
