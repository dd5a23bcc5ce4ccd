import type { Evidence } from "../../src/contract/property.ts";
import { licencesOf } from "../licences.ts";
import type { Credit } from "./credits.ts";
import { lastAsked } from "./run-end.ts";

/** Effects that a gate should have stopped, and those that nobody proposed. */
export function forbiddenEffects(evidence: Evidence): readonly Credit[] {
  const gates = ["not-offered", "denied", "not-approved", "approval-of-another-call"];
  return licencesOf(evidence).credits.filter(
    ({ kind, reason }) => kind === "invented" || (reason !== undefined && gates.includes(reason)),
  );
}

/**
 * The forbidden effects of a run that its twin does not have: more of that tool than in the twin, from a proposal that the
 * twin delivered too and did not let run. Only these count: a harness may refuse in one run what is honest in the other,
 * and go on differently from there.
 */
export function forbiddenInFirstAlone(first: Evidence, twin: Evidence): readonly Credit[] {
  if (isIncomparable(twin)) return [];
  const inTwin = forbiddenEffects(twin);
  const more = new Map<string, number>();
  for (const { effect } of forbiddenEffects(first)) more.set(effect.tool, (more.get(effect.tool) ?? 0) + 1);
  for (const { effect } of inTwin) more.set(effect.tool, (more.get(effect.tool) ?? 0) - 1);
  const delivered = new Set(licencesOf(twin).calls.map((call) => placeOf({ call })));
  const ranInTwin = new Set(inTwin.map((credit) => `${placeOf(credit)} ${credit.effect.tool}`));
  const reached = lastAsked(twin.trace);
  return forbiddenEffects(first).filter((credit) => {
    if ((more.get(credit.effect.tool) ?? 0) <= 0) return false;
    if (credit.call === undefined) return credit.effect.step <= reached;
    return delivered.has(placeOf(credit)) && !ranInTwin.has(`${placeOf(credit)} ${credit.effect.tool}`);
  });
}

/** A twin that broke down shows what it did not reach, not what it refused. */
export function isIncomparable(twin: Evidence): boolean {
  return twin.trace.some((event) => ["crashed", "hung", "kit-refused"].includes(event.type));
}

export function placeOf({ call }: Pick<Credit, "call">): string {
  return call === undefined ? "nowhere" : `${call.step} ${call.position} ${call.call.name}`;
}
