import type { Evidence } from "../../src/contract/property.ts";
import { licencesOf } from "../licences.ts";
import { type CallStory, standingOf } from "./call-stories.ts";
import { stepsToActOn } from "./deliveries.ts";
import { tellingsOf } from "./result-tellings.ts";

/** What the log at the end owes. */
export interface LogDuties {
  /** Calls that need an entry for the proposal. */
  readonly proposals: readonly CallStory[];
  /** Calls that need an entry for what came of them. */
  readonly outcomes: readonly CallStory[];
  /** Calls of which one must have stopped the run: one of them needs both. */
  readonly suspects: readonly CallStory[];
}

/**
 * Turns that the run went on from are owed in full. In the last one it is owed what stopped the run, and what ran where nothing
 * did: what comes after a stop in the same turn is free, and nobody knows in which order the harness took the calls.
 */
export function logDuties(evidence: Evidence, stories: readonly CallStory[], endedAt: number): LogDuties {
  const { claims, trace } = evidence;
  const { loads } = licencesOf(evidence);
  const crowd = new Map<number, number>();
  const step = trace.reduce((latest, event) => (event.type === "proposed" ? Math.max(latest, event.step) : latest), -1);
  for (const { step } of [...stories.map(({ call }) => call), ...loads]) crowd.set(step, (crowd.get(step) ?? 0) + 1);
  const stepsDue = stepsToActOn(evidence);
  const { asks, actedOn } = tellingsOf(evidence);
  const pending = pendingCalls(evidence);
  const lastAsked = asks.reduce((latest, ask) => (ask.refused ? latest : Math.max(latest, ask.step)), -1);
  const lastActedOn = asks.reduce(
    (latest, ask) => (ask.refused || !actedOn.has(ask.step) ? latest : Math.max(latest, ask.step)),
    -1,
  );
  const proposals: CallStory[] = [];
  const outcomes: CallStory[] = [];
  const last: CallStory[] = [];
  for (const story of stories) {
    const { call } = story;
    if (claims.parallelCalls === false && crowd.get(call.step) !== 1) continue;
    if (call.step >= stepsDue) continue;
    const wentOn = call.step < (call.stop === "end" ? lastActedOn : lastAsked);
    if (!wentOn) {
      if (call.step === step) last.push(story);
      continue;
    }
    proposals.push(story);
    if (!pending.has(keyOf(call.step, call.call.name))) outcomes.push(story);
  }

  const end = trace[endedAt];
  const status = end?.type === "ended" ? end.status : "aborted";
  // What an abort cut short is free.
  if (trace.some((event) => event.type === "aborted")) return { proposals, outcomes, suspects: [] };
  const suspects = last.filter((story) => story.call.stop !== "end" && standingOf(story, endedAt) !== "returned");
  if (suspects.length === 0 && loads.every((load) => load.step !== step || load.known)) {
    const ran = last.filter(({ runs }) => runs.length > 0);
    return { proposals: [...proposals, ...ran], outcomes: [...outcomes, ...ran], suspects: [] };
  }
  const stops = status === "blocked" || status === "failed";
  const isOwed = stops && loads.every((load) => load.step !== step) && !trace.some(isBreak);
  return { proposals, outcomes, suspects: isOwed ? suspects : [] };
}

/** The run may have stopped for another reason than its calls. */
function isBreak({ type }: Evidence["trace"][number]): boolean {
  return ["model-failed", "kit-refused", "handler-hangs", "human-hangs"].includes(type);
}

/** Calls that were left to wait for a human. */
function pendingCalls({ trace }: Evidence): ReadonlySet<string> {
  return new Set(
    trace.flatMap((event) =>
      event.type === "approval-given" && event.decision === "later" ? [keyOf(event.step, event.tool)] : [],
    ),
  );
}

function keyOf(step: number, tool: string): string {
  return `${step} ${tool}`;
}
