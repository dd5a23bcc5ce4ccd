import type { Property } from "../src/contract/property.ts";
import type { LogEntry } from "../src/contract/run-record.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * The log as the model is shown it, turn after turn. A model, or a library around it, keeps its hands on what it was given:
 * it cuts, overwrites and appends. Harnesses get this wrong where they show their own list, or a copy of the list that still
 * holds the same entries.
 *
 * **Rule** What the model is shown is a snapshot: each one extends the one before, whatever the model did to it.
 *
 * **Holds when** each log that the run hands over begins with the whole of the one before, entry for entry.
 *
 * **Often broken by** `nextTurn({ log })`, and `nextTurn({ log: [...log] })`, whose entries are shared; a history that is
 * summed up or tidied while the run goes on.
 *
 * @example
 * // shown before turn 2: [{ "type": "proposal", "callId": "call-1" }, { "type": "result", "callId": "call-1" }]
 * // violated where the log shown before turn 3 begins with [{ "type": "proposal", "callId": "edited" }]
 */
export const thePastDoesNotChange: Property = ofUntampered({
  id: "the-past-does-not-change",
  level: "must",
  rule: "What the model is shown is a snapshot: each one extends the one before, whatever the model did to it.",
  holdsWhen: "each log that the run hands over begins with the whole of the one before",
  oftenBrokenBy: "showing the model the log itself, or a copy that shares its entries",
  needs: ({ log }) => (log === true ? undefined : "a log is not claimed"),
  judge({ trace }) {
    const violations: Violation[] = [];
    let before: readonly LogEntry[] = [];
    let exercised = false;
    for (const [at, event] of trace.entries()) {
      if ((event.type !== "asked" && event.type !== "ended") || event.late || event.log === undefined) continue;
      const { log } = event;
      exercised ||= before.length > 0;
      const when = event.type === "asked" ? `the log shown ${inTurn(event.step)}` : "the log at the end";
      const changed = before.findIndex((entry, index) => index < log.length && !isSame(entry, log[index]));
      if (changed >= 0) {
        const [was, is] = [before[changed], log[changed]].map((entry) => JSON.stringify(entry));
        violations.push(violated(at, "past-edited", `Entry ${changed + 1} of ${when} is ${is}; it was ${was} before.`));
      }
      if (log.length < before.length) {
        const [fewer, more] = [log.length, before.length];
        const words = `The log had ${more} entries, but ${when} has ${fewer}.`;
        violations.push(violated(at, "snapshot-shrank", words));
      }
      before = log;
    }
    return verdictOf(violations, exercised);
  },
});

function isSame(one: LogEntry, other: LogEntry | undefined): boolean {
  return (
    one.type === other?.type &&
    one.callId === other.callId &&
    one.tool === other.tool &&
    one.step === other.step &&
    one.detail === other.detail
  );
}
