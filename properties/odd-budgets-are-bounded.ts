import type { Evidence, Property } from "../src/contract/property.ts";
import type { Trace } from "../src/contract/trace.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { budgetGiven, type MaxSteps, turnsAllowed } from "../src/world/budget.ts";
import { type Breakdown, breakdownOf } from "./oracle/breakdown.ts";
import { isBudgetOdd, lastAsked } from "./oracle/run-end.ts";
import { countSteps, needsBudget, wantedMore } from "./oracle/step-count.ts";
import { badBefore, failureBefore } from "./oracle/suspects.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Budgets that are not a positive whole number: 0, a negative one, a fraction, NaN. They come from a missing setting, a
 * division, an environment variable. Harnesses get this wrong where the bound is a comparison that NaN makes false for
 * ever, or where 0 is taken for "not set".
 *
 * **Rule** A budget of 0 asks for nothing; a negative, fractional or NaN one is refused or read as the whole number below
 * it, never as unlimited.
 *
 * **Holds when** no more turns are asked for than the whole number below it allows: none for 0, for a negative one and for
 * NaN, two for 2.5. A refusal is a stop that the harness documents, or any error before the first turn was asked for; a
 * crash or a hang later on is blamed here, unless a handler failed or a proposal was bad.
 *
 * **Often broken by** `maxSteps || 10`; `while (steps !== maxSteps)`; `if (steps > maxSteps) break`.
 *
 * @example
 * // maxSteps: NaN
 * // violated at the first turn that is asked for; holds where the run ends "out-of-steps", or by a RangeError
 */
export const oddBudgetsAreBounded: Property = ofUntampered({
  id: "odd-budgets-are-bounded",
  level: "should",
  rule: "A budget of 0 asks for nothing; a negative, fractional or NaN one is refused or read as the whole number below it, never as unlimited.",
  holdsWhen: "no more turns are asked for than the whole number below the budget, or the budget is refused",
  oftenBrokenBy: "`maxSteps || 10`, or a comparison that is false for ever where the budget is NaN",
  needs: needsBudget,
  // A run that breaks down within a sensible budget too, one that lets it go as far, has something else to blame.
  twin(script, evidence) {
    const found = isBudgetOdd(evidence) ? suspiciousBreakdown(evidence) : undefined;
    if (found === undefined) return undefined;
    const maxSteps = Math.max(1, turnsAllowed(script.world.maxSteps), lastAsked(evidence.trace) + 1);
    return { ...script, world: { ...script.world, maxSteps } };
  },
  judge(evidence, twin) {
    if (!isBudgetOdd(evidence)) return { kind: "holds", exercised: false };
    const { maxSteps } = evidence.world;
    const kind = kindOf(maxSteps);
    const { overruns, spent, allowed } = countSteps(evidence);
    const violations = overruns.map(({ at, step }) => {
      const bound = allowed === 0 ? "which allows none" : `which allows ${allowed}`;
      return violated(at, `budget-${kind}`, `Turn ${step + 1} was asked for, but the budget is ${maxSteps}, ${bound}.`);
    });
    const isTested = allowed === 0 || (spent !== undefined && wantedMore(evidence, spent));
    return verdictOf([...violations, ...breakdowns(evidence, kind, twin)], isTested);
  },
});

function kindOf(maxSteps: MaxSteps): string {
  const budget = budgetGiven(maxSteps);
  if (Number.isNaN(budget)) return "nan";
  if (budget === 0) return "zero";
  return budget < 0 ? "negative" : "fractional";
}

function breakdowns(evidence: Evidence, kind: string, twin: Evidence | undefined): readonly Violation[] {
  const found = suspiciousBreakdown(evidence);
  if (found === undefined || (twin !== undefined && breakdownOf(twin.trace) !== undefined)) return [];
  const because = `The run ${found.words}; its budget is ${evidence.world.maxSteps}.`;
  return [violated(found.at, `${found.cause}-budget-${kind}`, because)];
}

/** One that is no refusal of the budget, and that no handler and no proposal is suspected of. */
function suspiciousBreakdown(evidence: Evidence): Breakdown | undefined {
  const { trace } = evidence;
  const found = breakdownOf(trace);
  if (found === undefined || isRefusal(trace, found.at)) return undefined;
  const isOthers = failureBefore(trace, found.at) !== undefined || badBefore(evidence, found.at).length > 0;
  return isOthers ? undefined : found;
}

/** An error before anything was asked for. */
function isRefusal(trace: Trace, at: number): boolean {
  const event = trace[at];
  const isError = event?.type === "crashed" && event.name !== "InvalidOutcome";
  return isError && !trace.some((other) => other.type === "asked");
}
