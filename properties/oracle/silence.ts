import type { Evidence } from "../../src/contract/property.ts";
import { licencesOf } from "../licences.ts";
import { stepsToActOn } from "./deliveries.ts";
import { runEnd } from "./run-end.ts";

/**
 * The turn on whose calls a run ended in silence: it says "answered", or that its steps were used up when they were not,
 * and has neither run nor answered a single call of its last turn. Where an undeclared name stands beside another bad
 * proposal, nobody can tell which of the two it was silent about.
 */
export function silentTurn(evidence: Evidence): number | undefined {
  const end = runEnd(evidence);
  if (end === undefined || !end.quiet) return undefined;
  const { calls, credits, loads } = licencesOf(evidence);
  const { step } = end;
  if (step >= stepsToActOn(evidence)) return undefined;
  const acted = credits.some(({ effect }) => effect.step === step);
  const asked = evidence.trace.some((event) => event.type === "approval-asked" && event.step === step);
  const undeclared = calls.some((call) => call.step === step && call.tool === undefined);
  const unknown = loads.some((load) => load.step === step && !load.known);
  const refused = calls.some((call) => call.step === step && call.tool !== undefined && call.faults.length > 0);
  return acted || asked || (undeclared && (unknown || refused)) ? undefined : step;
}
