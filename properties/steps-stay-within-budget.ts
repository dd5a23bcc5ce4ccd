import type { Evidence, Property } from "../src/contract/property.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { turnsAllowed } from "../src/world/budget.ts";
import { licencesOf } from "./licences.ts";
import { isBudgeted } from "./oracle/run-end.ts";
import { verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * The bound on how often a run asks the model. Harnesses get this wrong by one, by checking after they asked, or by not
 * counting turns that did nothing useful: loads, refusals, unknown names, failures.
 *
 * **Rule** The harness asks for at most `maxSteps` turns, checked before it asks.
 *
 * **Holds when** no turn is asked for once as many were asked for as the budget allows; every kind of turn counts.
 *
 * **Often broken by** `<=` for `<`; a `continue` that skips the counter; a counter of tool runs in place of turns.
 *
 * @example
 * // maxSteps: 2; the model proposes "look_up" for ever
 * // asked: turn 0, turn 1, turn 2
 * // violated at the third
 */
export const stepsStayWithinBudget: Property = {
  id: "steps-stay-within-budget",
  level: "must",
  rule: "The harness asks for at most `maxSteps` turns, checked before it asks.",
  holdsWhen: "no turn is asked for once the budget is used up, whatever the turns were spent on",
  oftenBrokenBy: "an off-by-one, or a counter that skips loads, refusals, unknown names or failures",
  needs(claims, shape) {
    if (shape.loop === "none") return "a loop of its own is not claimed";
    return claims.budget === "none" ? "a budget is not claimed" : undefined;
  },
  judge(evidence) {
    if (!isBudgeted(evidence)) return { kind: "holds", exercised: false };
    const { overruns, spent } = count(evidence);
    return verdictOf(overruns, spent !== undefined && wantedMore(evidence, spent));
  },
};

/** The turns asked for past the budget, and the turn that used it up. */
function count({ trace, world, claims }: Evidence): { overruns: readonly Violation[]; spent: number | undefined } {
  const allowed = turnsAllowed(world.maxSteps);
  const overruns: Violation[] = [];
  let first = 0;
  let next = 0;
  let spent: number | undefined;
  for (const [at, event] of trace.entries()) {
    if (event.late) continue;
    if (event.type === "approval-given" && event.granted && claims.budget === "resume") first = next;
    if (event.type === "kit-refused" && event.because === "past-the-budget" && overruns.length === 0) {
      overruns.push(violated(at, "over-budget", `A turn was asked for far past the budget of ${allowed} steps.`));
    }
    if (event.type !== "asked") continue;
    next = Math.max(next, event.step + 1);
    if (event.step - first === allowed - 1) spent = event.step;
    if (event.step - first >= allowed) {
      overruns.push(
        violated(at, "over-budget", `Turn ${event.step + 1} was asked for, but the budget is ${allowed} steps.`),
      );
    }
  }
  return { overruns, spent };
}

/** A run that had an answer, or was refused, with its last step would have stopped anyway: that shows no bound. */
function wantedMore(evidence: Evidence, step: number): boolean {
  const { credits, loads } = licencesOf(evidence);
  const outOfSteps = evidence.trace.some((event) => event.type === "ended" && event.status === "out-of-steps");
  return (
    outOfSteps ||
    credits.some(({ effect }) => effect.step === step) ||
    loads.some((load) => load.known && load.step === step)
  );
}
