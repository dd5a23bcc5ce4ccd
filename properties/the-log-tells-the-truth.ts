import type { Evidence, Property } from "../src/contract/property.ts";
import type { LogEntry } from "../src/contract/run-record.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { storiesOf } from "./oracle/call-stories.ts";
import { talliesOf } from "./oracle/log-entries.ts";
import { disorder } from "./oracle/log-order.ts";
import { missingEntries, surplusEntries } from "./oracle/log-tally.ts";
import { untrueEntries } from "./oracle/log-truth.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * The log that a run leaves, and that is read when something went wrong. Harnesses get it wrong where entries are kept by id
 * and a repeated one overwrites the first, where only what ran is written down, and where the last turn is forgotten.
 *
 * **Rule** The log has each proposal, result, refusal, failure and the final stop once, in order, and agrees with what happened.
 *
 * **Holds when** each call has one entry as a proposal, then one as a result, an error or blocked, and a stop comes last. Entries
 * for text, loads, waiting approvals, and calls after the stop in the same turn are free; so is the order within a turn.
 *
 * **Often broken by** a map from ids to entries; an early return that skips the log; a stop that is written twice.
 *
 * @example
 * // "wipe" is denied
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "wipe", "args": "{}" }
 * // violated where the run ends "blocked" with the log [{ "type": "stop" }]
 * // holds where "proposal" and "blocked", both with that id, come before the stop
 */
export const theLogTellsTheTruth: Property = ofUntampered({
  id: "the-log-tells-the-truth",
  level: "must",
  rule: "The log has each proposal, result, refusal, failure and the final stop once, in order, and agrees with what happened.",
  holdsWhen: "each call has one entry as a proposal, then one for what came of it, and a stop comes last",
  oftenBrokenBy: "a map from ids to entries, or a return that skips the log",
  needs: ({ log }) => (log === true ? undefined : "a log is not claimed"),
  judge(evidence) {
    const { trace } = evidence;
    const violations = [...inventedEntries(evidence)];
    const at = trace.findIndex((event) => event.type === "ended" && !event.late);
    const end = trace[at];
    if (end?.type === "ended" && end.log !== undefined) {
      const stories = storiesOf(evidence);
      violations.push(
        ...missingEntries(evidence, stories, end.log, at),
        ...surplusEntries(evidence, end.log, at),
        ...untrueEntries(evidence, stories, end.log, at),
        ...disorder(evidence, stories, end.log, at),
      );
    } else if (end?.type === "ended" && end.thrown === undefined && end.status !== "aborted") {
      violations.push(violated(at, "no-stop-entry", `The run ended "${end.status}" and handed no log over.`));
    }
    return verdictOf(violations, end?.type === "ended" && end.log !== undefined);
  },
});

/** Entries about calls that had not been proposed, and a stop while the run goes on. */
function inventedEntries(evidence: Evidence): readonly Violation[] {
  const tallies = talliesOf(evidence);
  const violations: Violation[] = [];
  let seen = 0;
  for (const [at, event] of evidence.trace.entries()) {
    if ((event.type !== "asked" && event.type !== "ended") || event.late || event.log === undefined) continue;
    // What was there before has been looked at.
    const fresh: readonly LogEntry[] = event.log.slice(seen);
    seen = event.log.length;
    for (const entry of fresh) {
      if (entry.type === "stop") {
        if (event.type === "ended" || evidence.claims.approvals === "asked") continue;
        const words = `The log had a stop ${inTurn(event.step)}, but the run went on.`;
        violations.push(violated(at, "entry-invented", words));
      } else if (entry.callId !== undefined && !((tallies.get(entry.callId)?.places[0] ?? at) < at)) {
        const words = `The log has an entry "${entry.type}" for "${entry.callId}", which no call had as its id.`;
        violations.push(violated(at, "entry-invented", words));
      }
    }
  }
  return violations;
}
