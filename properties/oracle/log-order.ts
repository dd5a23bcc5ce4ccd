import type { Evidence } from "../../src/contract/property.ts";
import type { LogEntry } from "../../src/contract/run-record.ts";
import type { Violation } from "../../src/contract/verdict.ts";
import type { CallStory } from "./call-stories.ts";
import { talliesOf } from "./log-entries.ts";
import { violated } from "./verdicts.ts";

/** Whether the log at the end tells things in the order in which they came. Within a turn, calls may overtake each other. */
export function disorder(
  evidence: Evidence,
  stories: readonly CallStory[],
  log: readonly LogEntry[],
  at: number,
): readonly Violation[] {
  const violations: Violation[] = [];
  const stops = log.filter(({ type }) => type === "stop").length;
  if (stops === 0) violations.push(violated(at, "no-stop-entry", "The log at the end has no stop."));
  else if (log.at(-1)?.type !== "stop") {
    violations.push(violated(at, "out-of-order", `The log ends with an entry "${log.at(-1)?.type}", after the stop.`));
  }
  const tallies = talliesOf(evidence);
  const steps = new Map<string, number>();
  for (const { call } of stories) {
    // Where an id came twice, nobody knows which call an entry is about.
    if (tallies.get(call.call.callId)?.places.length === 1) steps.set(call.call.callId, call.step);
  }
  const late = lateCalls(evidence);
  const proposed = new Set<string>();
  let latest = -1;
  for (const { type, callId } of log) {
    const step = callId === undefined ? undefined : steps.get(callId);
    if (callId === undefined || step === undefined || type === "stop") continue;
    if (type === "proposal") proposed.add(callId);
    else if (!proposed.has(callId) && log.some((entry) => entry.type === "proposal" && entry.callId === callId)) {
      const words = `The log has what came of the call "${callId}" before its proposal.`;
      violations.push(violated(at, "out-of-order", words));
    }
    if (step < latest && !late.has(step)) {
      const words = `The log has an entry "${type}" of the call "${callId}" after entries of a later turn.`;
      violations.push(violated(at, "out-of-order", words));
    }
    latest = Math.max(latest, step);
  }
  return violations;
}

/** Turns of which something came only later: a human who had not decided, a handler that was not waited for. */
function lateCalls({ trace }: Evidence): ReadonlySet<number> {
  const late = new Set<number>();
  for (const event of trace) {
    if (event.type === "handler-hangs" || event.type === "human-hangs") late.add(event.step);
    if (event.type === "approval-given" && ["later", "late-approve"].includes(event.decision)) late.add(event.step);
    if (event.type === "handler-started" && event.behaviour.kind === "slow") late.add(event.step);
  }
  return late;
}
