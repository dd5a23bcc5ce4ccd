import type { Evidence } from "../../src/contract/property.ts";
import type { Violation } from "../../src/contract/verdict.ts";
import { licencesOf } from "../licences.ts";
import { stepsToActOn } from "./deliveries.ts";
import type { Ask, Tellings } from "./result-tellings.ts";
import { inTurn, violated } from "./verdicts.ts";

/**
 * Calls that had no result when the run went on. A request on the side may leave them out, so they are owed by the next
 * turn that the harness acted on, or, where it acted on none, by the last one that it asked for.
 */
export function missingResults(
  evidence: Evidence,
  tellings: Tellings,
): { readonly owed: number; readonly violations: readonly Violation[] } {
  const { calls, loads, creditsOf } = licencesOf(evidence);
  const { claims, shape } = evidence;
  const crowd = new Map<number, number>();
  const times = new Map<string, number>();
  for (const { step, call } of calls) note(step, call.callId);
  for (const { step, load } of loads) note(step, load.callId);
  const stepsDue = stepsToActOn(evidence);
  const shown = shownAt(tellings.asks);
  let owed = 0;
  let turn: Due | undefined;
  const violations: Violation[] = [];
  for (const call of calls) {
    const { callId, name } = call.call;
    // Where one call a turn is claimed, or one id a call, which of several is answered is the harness's choice.
    if (claims.parallelCalls === false && crowd.get(call.step) !== 1) continue;
    if (shape.idsAcrossTurns === false && times.get(callId) !== 1) continue;
    if (call.step >= stepsDue) continue;
    if (turn?.step !== call.step) turn = dueAfter(call.step, tellings);
    // Calls beside an answer are no part of the work, and what comes after it may be a request on the side.
    const due = turn.main ?? (call.stop === "end" ? undefined : turn.last);
    if (due === undefined) continue;
    owed += 1;
    if (shown.get(callId)?.some((at) => at > call.at && at <= due.at)) continue;
    const which = `"${name}", called ${inTurn(call.step)} under the id "${callId}",`;
    // Whether it ran, nobody can know of a handler that can't be watched.
    const isSeen = shape.effects !== "told";
    violations.push(
      creditsOf.has(call) || !isSeen
        ? violated(due.at, "missing-result", `${which} ${isSeen ? "ran, but " : ""}had no result when the run went on.`)
        : violated(due.at, "refusal-without-result", `${which} did not run, and had no result when the run went on.`),
    );
  }
  return { owed, violations };

  function note(step: number, callId: string): void {
    crowd.set(step, (crowd.get(step) ?? 0) + 1);
    times.set(callId, (times.get(callId) ?? 0) + 1);
  }
}

/** The requests by which the results of one turn were owed; none where the run did not go on. */
interface Due {
  readonly step: number;
  /** For the next turn that the harness acted on. */
  readonly main: Ask | undefined;
  /** The last one, where the harness said something of results. */
  readonly last: Ask | undefined;
}

function dueAfter(step: number, { asks, actedOn }: Tellings): Due {
  const later = asks.filter((ask) => ask.step > step && !ask.refused);
  const next = later.find((ask) => actedOn.has(ask.step))?.step;
  const isTold = later.some(({ results }) => results !== undefined);
  return {
    step,
    main: next === undefined ? undefined : later.findLast((ask) => ask.step === next),
    last: isTold ? later.at(-1) : undefined,
  };
}

/** Where each id was shown. A request that failed has shown nothing, unless no other one that counts came after it. */
function shownAt(asks: readonly Ask[]): ReadonlyMap<string, readonly number[]> {
  const shown = new Map<string, number[]>();
  const last = asks.findLastIndex(({ refused }) => !refused);
  for (const [index, { at, failed, results = [] }] of asks.entries()) {
    if (failed && index < last) continue;
    for (const { callId } of results) {
      const places = shown.get(callId);
      if (places === undefined) shown.set(callId, [at]);
      else places.push(at);
    }
  }
  return shown;
}
