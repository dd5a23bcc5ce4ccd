import type { Claims, Shape } from "../../src/contract/harness.ts";
import type { Evidence } from "../../src/contract/property.ts";
import { turnsAllowed } from "../../src/world/budget.ts";
import { licencesOf } from "../licences.ts";

/** The rules about budgets need a loop that is the harness's own, and a budget. */
export function needsBudget({ budget }: Claims, { loop }: Shape): string | undefined {
  if (loop === "none") return "the harness has no loop of its own";
  return budget === "none" ? "a budget is not claimed" : undefined;
}

/** How a run spent its budget. */
export interface StepCount {
  readonly allowed: number;
  /** The turns that were asked for past the budget. */
  readonly overruns: readonly { readonly at: number; readonly step: number }[];
  /** The turn that used the budget up. */
  readonly spent: number | undefined;
}

/** Counts the turns asked for; where the budget starts again at each approval, from there. */
export function countSteps({ trace, world, claims }: Evidence): StepCount {
  const allowed = turnsAllowed(world.maxSteps);
  const overruns: { at: number; step: number }[] = [];
  let first = 0;
  let next = 0;
  let spent: number | undefined;
  for (const [at, event] of trace.entries()) {
    if (event.late) continue;
    if (event.type === "approval-given" && event.granted && claims.budget === "resume") first = next;
    if (event.type !== "asked") continue;
    const { step } = event;
    next = Math.max(next, step + 1);
    if (step - first === allowed - 1) spent = step;
    if (step - first >= allowed) overruns.push({ at, step });
  }
  return { allowed, overruns, spent };
}

/** A run that had an answer, or was refused, with its last step would have stopped anyway: that shows no bound. */
export function wantedMore(evidence: Evidence, step: number): boolean {
  const { credits, loads } = licencesOf(evidence);
  const outOfSteps = evidence.trace.some((event) => event.type === "ended" && event.status === "out-of-steps");
  return (
    outOfSteps ||
    credits.some(({ effect }) => effect.step === step) ||
    loads.some((load) => load.known && load.step === step)
  );
}
