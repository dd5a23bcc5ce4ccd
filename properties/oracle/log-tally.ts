import type { Evidence } from "../../src/contract/property.ts";
import type { LogEntry } from "../../src/contract/run-record.ts";
import type { Violation } from "../../src/contract/verdict.ts";
import type { CallStory } from "./call-stories.ts";
import { logDuties } from "./log-duties.ts";
import { EntryBooks, talliesOf } from "./log-entries.ts";
import { inTurn, violated } from "./verdicts.ts";

/** Calls that the log at the end says nothing of, or not what came of them. */
export function missingEntries(
  evidence: Evidence,
  stories: readonly CallStory[],
  log: readonly LogEntry[],
  at: number,
): readonly Violation[] {
  const { proposals, outcomes, suspects } = logDuties(evidence, stories, at);
  const books = new EntryBooks(log);
  const has = (kind: "proposal" | "outcome", { call }: CallStory, times: number): boolean => {
    const { proposals: before, outcomes: after } = books.of(call.call.callId);
    return (kind === "proposal" ? before : after) >= times || books.takeNameless(kind, call.call.name);
  };
  const violations: Violation[] = [];
  const check = (kind: "proposal" | "outcome", owed: readonly CallStory[]): void => {
    for (const [story, times] of timesOwed(evidence, owed)) {
      if (!has(kind, story, times)) violations.push(missing(kind, story, at));
    }
  };
  check("proposal", proposals);
  check("outcome", outcomes);
  const [first] = suspects;
  for (const kind of ["proposal", "outcome"] as const) {
    if (first !== undefined && !suspects.some((story) => has(kind, story, 1)))
      violations.push(missing(kind, first, at));
  }
  return violations;
}

/** Each turn owes an id one entry; of calls that share an id in one turn, the harness may take one. */
function* timesOwed({ shape }: Evidence, owed: readonly CallStory[]): Generator<[CallStory, number]> {
  const turns = new Map<string, Set<number>>();
  for (const story of owed) {
    const { call, step } = story.call;
    const seen = turns.get(call.callId) ?? new Set();
    turns.set(call.callId, seen);
    if (seen.has(step) || (seen.size > 0 && shape.idsAcrossTurns === false)) continue;
    seen.add(step);
    yield [story, seen.size];
  }
}

function missing(kind: "proposal" | "outcome", { call }: CallStory, at: number): Violation {
  const what = kind === "proposal" ? "" : "what came of ";
  const words = `The log does not have ${what}"${call.call.name}", called ${inTurn(call.step)} under the id "${call.call.callId}".`;
  return violated(at, "entry-missing", words);
}

/** Entries that came more often than what they are about. */
export function surplusEntries(evidence: Evidence, log: readonly LogEntry[], at: number): readonly Violation[] {
  const tallies = talliesOf(evidence);
  const books = new EntryBooks(log);
  const requests = requestsByTool(evidence);
  const violations: Violation[] = [];
  for (const callId of books.ids) {
    const tally = tallies.get(callId);
    if (tally === undefined || tally.hasLoad) continue;
    const { proposals, outcomes, blocked } = books.of(callId);
    const most = tally.places.length;
    // While a call waits for a human it may be written down as blocked.
    const waits = tally.places.reduce((sum, place) => {
      const event = evidence.trace[place];
      const isCall = event?.type === "proposed" && event.proposal.kind === "tool-call";
      return sum + (isCall ? (requests.get(event.proposal.name) ?? 0) : 0);
    }, 0);
    if (proposals > most) violations.push(twice("the proposal", callId, proposals, most, at));
    if (outcomes - Math.min(blocked, waits) > most)
      violations.push(twice("what came of it", callId, outcomes, most, at));
  }
  const stops = log.filter(({ type }) => type === "stop").length;
  const pauses = [...requests.values()].reduce((sum, count) => sum + count, 0);
  if (stops > 1 + pauses) violations.push(violated(at, "entry-twice", `The log has ${stops} stops.`));
  return violations;
}

function twice(what: string, callId: string, times: number, most: number, at: number): Violation {
  const calls = most === 1 ? "once" : `${most} times`;
  const words = `The log has ${what} ${times} times for the id "${callId}", which was proposed ${calls}.`;
  return violated(at, "entry-twice", words);
}

function requestsByTool({ trace }: Evidence): ReadonlyMap<string, number> {
  const requests = new Map<string, number>();
  for (const event of trace) {
    if (event.type === "approval-asked") requests.set(event.tool, (requests.get(event.tool) ?? 0) + 1);
  }
  return requests;
}
