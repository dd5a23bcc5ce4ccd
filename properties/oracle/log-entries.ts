import type { Evidence } from "../../src/contract/property.ts";
import type { LogEntry } from "../../src/contract/run-record.ts";
import { licencesOf } from "../licences.ts";

/** What was proposed under one id. */
interface Tally {
  /** Where each was proposed, in order. */
  readonly places: readonly number[];
  readonly steps: ReadonlySet<number>;
  /** Entries for loads are free. */
  readonly hasLoad: boolean;
}

/** The proposals of a run by id. */
export function talliesOf(evidence: Evidence): ReadonlyMap<string, Tally> {
  const { calls, loads } = licencesOf(evidence);
  const tallies = new Map<string, { places: number[]; steps: Set<number>; hasLoad: boolean }>();
  const add = (callId: string, at: number, step: number, isLoad: boolean): void => {
    const tally = tallies.get(callId) ?? { places: [], steps: new Set(), hasLoad: false };
    tally.places.push(at);
    tally.steps.add(step);
    tally.hasLoad ||= isLoad;
    tallies.set(callId, tally);
  };
  for (const { call, at, step } of calls) add(call.callId, at, step, false);
  for (const { load, at, step } of loads) add(load.callId, at, step, true);
  if (loads.length > 0) for (const { places } of tallies.values()) places.sort((one, other) => one - other);
  return tallies;
}

export function isOutcome({ type }: LogEntry): boolean {
  return type === "result" || type === "error" || type === "blocked";
}

/** How many entries of a log belong to each id; those without an id stand for any call, and are given out one by one. */
export class EntryBooks {
  private readonly byId = new Map<string, { proposals: number; outcomes: number; blocked: number }>();
  private readonly nameless: LogEntry[];

  constructor(log: readonly LogEntry[]) {
    this.nameless = log.filter(({ callId }) => callId === undefined);
    for (const entry of log) {
      if (entry.callId === undefined || entry.type === "stop") continue;
      const books = this.of(entry.callId);
      if (entry.type === "proposal") books.proposals += 1;
      else books.outcomes += 1;
      if (entry.type === "blocked") books.blocked += 1;
      this.byId.set(entry.callId, books);
    }
  }

  of(callId: string): { proposals: number; outcomes: number; blocked: number } {
    return this.byId.get(callId) ?? { proposals: 0, outcomes: 0, blocked: 0 };
  }

  get ids(): Iterable<string> {
    return this.byId.keys();
  }

  /** Takes an entry without an id for a call of this tool, if there is one left. */
  takeNameless(kind: "proposal" | "outcome", tool: string): boolean {
    const at = this.nameless.findIndex(
      (entry) =>
        (kind === "proposal" ? entry.type === "proposal" : isOutcome(entry)) &&
        (entry.tool === undefined || entry.tool === tool),
    );
    if (at >= 0) this.nameless.splice(at, 1);
    return at >= 0;
  }
}
