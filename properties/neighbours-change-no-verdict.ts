import type { Evidence, Property } from "../src/contract/property.ts";
import { sameJson } from "../src/world/json.ts";
import { licencesOf } from "./licences.ts";
import type { Credit } from "./oracle/credits.ts";
import type { Delivered } from "./oracle/deliveries.ts";
import { isGateProbe } from "./oracle/gate-probes.ts";
import { needsAnyGate } from "./oracle/needs.ts";
import { answersInFront, crowdedTurns, withOwnTurns } from "./oracle/own-turns.ts";
import { forbiddenEffects, isIncomparable } from "./oracle/twin-difference.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Calls that come in one turn. Each is decided on its own, whoever stands beside it. Harnesses get this wrong where they
 * check the first call, or the last, and run the whole batch; where one loop decides and another runs, and the places in
 * the two lists drift apart behind a call that was dropped; where one yes opens the turn.
 *
 * **Rule** Putting an unknown, malformed or refused proposal beside another, splitting a turn in two, or reordering
 * independent calls never makes a forbidden call run.
 *
 * **Holds when** what is hidden, denied or not approved, and runs beside others, runs in a turn of its own too: then its gate
 * is broken, and not the batch. The other run has the same calls in the same order, one in a turn, and as many more steps.
 * Where that run ends before it comes to the call, the call moves in front of its siblings, loads excepted.
 *
 * **Often broken by** `if (calls.some(isAllowed)) runAll(calls)`; `decisions[index]` after a `filter`.
 *
 * @example
 * // the policy denies "wipe"; proposed in one turn: look_up({}) and wipe({})
 * // violated where "wipe" runs, and does not run in a turn of its own
 */
export const neighboursChangeNoVerdict: Property = ofUntampered({
  id: "neighbours-change-no-verdict",
  level: "must",
  rule: "Putting a proposal beside another, splitting a turn in two, or reordering independent calls never makes a forbidden call run.",
  holdsWhen: "no forbidden call runs beside others that does not run in a turn of its own",
  oftenBrokenBy: "checking one call of a turn and running them all, or lists of calls and decisions that drift apart",
  needs(claims) {
    return claims.parallelCalls === false ? "several calls in a turn are not claimed" : needsAnyGate(claims);
  },
  twin(script, evidence) {
    const guilty = forbiddenBesideOthers(evidence);
    return guilty.length === 0 ? undefined : withOwnTurns(script, new Set(guilty.map(({ call }) => call.step)));
  },
  secondTwin(script, evidence, twin) {
    if (isIncomparable(twin) || causedByNeighbours(evidence, twin).length > 0) return undefined;
    const lost = forbiddenBesideOthers(evidence).find(({ call }) => sameCallIn(twin, evidence, call) === undefined);
    if (lost === undefined) return undefined;
    const decisions = answersInFront(script, evidence, lost.call);
    return withOwnTurns({ ...script, decisions }, new Set([lost.call.step]), lost.call);
  },
  judge(evidence, twin) {
    const guilty = twin === undefined || isIncomparable(twin) ? [] : causedByNeighbours(evidence, twin);
    const violations = guilty.map(({ at, effect, reason }) => {
      const because = `"${effect.tool}" ran ${inTurn(effect.step)} beside other calls: in a turn of its own it does not run.`;
      return violated(at, `${reason}-beside-others`, because);
    });
    const crowded = crowdedTurns(evidence);
    const isTested =
      crowded.size > 0 && licencesOf(evidence).calls.some((call) => crowded.has(call.step) && isProbe(call));
    return verdictOf(violations, isTested);
  },
});

type Guilty = Credit & { readonly call: Delivered };

/** Effects of calls that a gate should have stopped, and that shared their turn. */
function forbiddenBesideOthers(evidence: Evidence): readonly Guilty[] {
  const crowded = crowdedTurns(evidence);
  return forbiddenEffects(evidence).filter((credit): credit is Guilty => {
    return credit.call !== undefined && credit.reason !== undefined && crowded.has(credit.call.step);
  });
}

function causedByNeighbours(evidence: Evidence, twin: Evidence): readonly Guilty[] {
  const { creditsOf } = licencesOf(twin);
  const crowded = crowdedTurns(twin);
  return forbiddenBesideOthers(evidence).filter(({ call, effect }) => {
    const alone = sameCallIn(twin, evidence, call);
    if (alone === undefined || crowded.has(alone.step) || creditsOf.has(alone)) return false;
    const ranLate = twin.trace.some((event) => {
      return event.type === "handler-started" && event.late === true && event.tool === effect.tool;
    });
    return !ranLate && forbiddenRuns(evidence, effect.tool) > forbiddenRuns(twin, effect.tool);
  });
}

/** Without ids, nobody can tell which of two equal calls ran: the other run has to have fewer of them. */
function forbiddenRuns(evidence: Evidence, tool: string): number {
  return forbiddenEffects(evidence).filter(({ effect }) => effect.tool === tool).length;
}

/** The call of the other run that was proposed in the same words, as often before. */
function sameCallIn(twin: Evidence, evidence: Evidence, call: Delivered): Delivered | undefined {
  const isEqual = (other: Delivered): boolean => sameJson(other.call, call.call);
  const before = licencesOf(evidence).calls.filter((other) => other.at < call.at && isEqual(other)).length;
  return licencesOf(twin).calls.filter(isEqual)[before];
}

function isProbe(call: Delivered): boolean {
  return isGateProbe(call, "not-offered") || isGateProbe(call, "denied") || isGateProbe(call, "ask");
}
