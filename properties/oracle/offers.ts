import type { Evidence } from "../../src/contract/property.ts";
import type { ToolSpec } from "../../src/world/tool.ts";
import { type Licences, licencesOf } from "../licences.ts";
import { stepsToActOn } from "./deliveries.ts";

/** Which tools stand open when a turn is asked for, and which do not; of some, loads leave it open. */
export interface Offers {
  isSurelyOffered(tool: ToolSpec, step: number): boolean;
  isSurelyHidden(tool: ToolSpec, step: number): boolean;
}

const read = new WeakMap<Licences, Offers>();

export function offersOf(evidence: Evidence): Offers {
  const licences = licencesOf(evidence);
  const offers = read.get(licences) ?? offersIn(evidence, licences);
  read.set(licences, offers);
  return offers;
}

/**
 * Reads off the delivered loads what was offered at each step. A load counts for sure where no correct harness can have left
 * it out: it was known, and nothing else in its turn was refused, failed, or waited for a human.
 */
function offersIn(evidence: Evidence, { calls, loads }: Licences): Offers {
  const { trace, claims, shape } = evidence;
  const first = new Map<string, number>();
  const sure = new Map<string, number>();
  const spoiled = new Set<number>();
  const ids = new Map<string, number>();
  for (const { step, call, due, permission } of calls) {
    if (!due || permission === "ask") spoiled.add(step);
    count(call.callId, step);
  }
  for (const { at, step, load, known } of loads) {
    const event = trace[at];
    if (!known || event?.type !== "proposed" || event.stop !== "tool-calls") spoiled.add(step);
    count(load.callId, step);
  }
  for (const { step, load, known } of loads) {
    if (!known) continue;
    if (!first.has(load.skill)) first.set(load.skill, step);
    const isSure = claims.hiddenTools === "by-skill" && !spoiled.has(step) && step < stepsToActOn(evidence);
    if (isSure && !sure.has(load.skill)) sure.set(load.skill, step);
  }
  return {
    isSurelyOffered({ offered }, step) {
      if (typeof offered === "string") return offered === "always";
      return (sure.get(offered.afterSkill) ?? step) < step;
    },
    isSurelyHidden({ offered }, step) {
      if (typeof offered === "string") return offered === "never";
      return (first.get(offered.afterSkill) ?? step) >= step;
    },
  };

  /** Which of two calls under one id a harness acts on is its own choice, and so is a second call where one is claimed. */
  function count(callId: string, step: number): void {
    const key = shape.idsAcrossTurns === false ? callId : `${step} ${callId}`;
    const isAgain = ids.has(key) || (claims.parallelCalls === false && ids.has(`turn ${step}`));
    if (isAgain) spoiled.add(step);
    ids.set(key, step).set(`turn ${step}`, step);
  }
}
