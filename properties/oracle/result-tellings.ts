import type { Evidence } from "../../src/contract/property.ts";
import type { ToolResult } from "../../src/contract/run-record.ts";
import { type Licences, licencesOf } from "../licences.ts";
import type { CallStory } from "./call-stories.ts";

/** One request for a turn, and the results that went with it. */
export interface Ask {
  readonly at: number;
  /** The turn asked for. */
  readonly step: number;
  /** `undefined`: the harness said nothing about results. */
  readonly results: readonly ToolResult[] | undefined;
  /** The model was never reached. */
  readonly failed: boolean;
  /** The run was over or broken off by then: nobody has to be told anything. */
  readonly refused: boolean;
}

export interface Telling {
  readonly ask: Ask;
  readonly results: readonly ToolResult[];
}

export interface Tellings {
  readonly asks: readonly Ask[];
  /** The requests that told of each id, and what they said of it. */
  readonly byId: ReadonlyMap<string, readonly Telling[]>;
  /**
   * Turns that the harness acted on. A turn asked for on the side (a title, a summary) is not: its calls, if there are any, are
   * ignored, and the request for it may leave results out.
   */
  readonly actedOn: ReadonlySet<number>;
}

const known = new WeakMap<Licences, Tellings>();

/** What the model was told, request by request. */
export function tellingsOf(evidence: Evidence): Tellings {
  const licences = licencesOf(evidence);
  let tellings = known.get(licences);
  if (tellings === undefined) {
    tellings = read(evidence, licences);
    known.set(licences, tellings);
  }
  return tellings;
}

function read({ trace }: Evidence, { calls, credits }: Licences): Tellings {
  const asks: (Ask & { failed: boolean; refused: boolean })[] = [];
  const actedOn = new Set(credits.map(({ call, effect }) => call?.step ?? effect.step));
  const turnOf = new Map<string, number>();
  for (const { call, step } of calls) if (!turnOf.has(call.callId)) turnOf.set(call.callId, step);
  const byId = new Map<string, { ask: Ask; results: ToolResult[] }[]>();
  let isOver = false;
  for (const [at, event] of trace.entries()) {
    if (event.late) continue;
    const last = asks.at(-1);
    if (event.type === "asked") {
      const ask = { at, step: event.step, results: event.results, failed: false, refused: isOver };
      asks.push(ask);
      for (const result of event.results ?? []) {
        const told = byId.get(result.callId) ?? [];
        if (told.length === 0) byId.set(result.callId, told);
        const now = told.at(-1);
        if (now?.ask === ask) now.results.push(result);
        else told.push({ ask, results: [result] });
        const step = turnOf.get(result.callId);
        if (step !== undefined && step < event.step) actedOn.add(step);
      }
    } else if (event.type === "approval-asked") actedOn.add(event.step);
    else if (event.type === "model-failed" && last !== undefined) last.failed = true;
    else if (event.type === "kit-refused" && last !== undefined) last.refused = true;
    else if (event.type === "aborted") isOver = true;
  }
  return { asks, byId, actedOn };
}

/** The first request that told of a call, and what it said; `undefined` where it can't be told from another call of that id. */
export function firstTelling({ byId }: Tellings, { call, until, isReused }: CallStory): Telling | undefined {
  const first = byId.get(call.call.callId)?.find(({ ask }) => ask.at > call.at && ask.step > call.step);
  if (first === undefined || first.ask.at > until) return undefined;
  return isReused && first.results.length > 1 ? undefined : first;
}
