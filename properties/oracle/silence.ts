import type { Evidence } from "../../src/contract/property.ts";
import { licencesOf } from "../licences.ts";
import { runEnd } from "./run-end.ts";

/**
 * The turn on whose calls a run ended in silence: it says "answered", or that its steps were used up when they were not,
 * and has neither run nor answered a single call of its last turn.
 */
export function silentTurn(evidence: Evidence): number | undefined {
  const end = runEnd(evidence);
  if (end === undefined || !end.quiet) return undefined;
  const acted = licencesOf(evidence).credits.some(({ effect }) => effect.step === end.step);
  const asked = evidence.trace.some((event) => event.type === "approval-asked" && event.step === end.step);
  return acted || asked ? undefined : end.step;
}
