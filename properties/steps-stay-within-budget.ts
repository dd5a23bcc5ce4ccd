import type { Property } from "../src/contract/property.ts";
import { isBudgeted } from "./oracle/run-end.ts";
import { countSteps, needsBudget, wantedMore } from "./oracle/step-count.ts";
import { ofUntampered } from "./oracle/untampered.ts";
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
export const stepsStayWithinBudget: Property = ofUntampered({
  id: "steps-stay-within-budget",
  level: "must",
  rule: "The harness asks for at most `maxSteps` turns, checked before it asks.",
  holdsWhen: "no turn is asked for once the budget is used up, whatever the turns were spent on",
  oftenBrokenBy: "an off-by-one, or a counter that skips loads, refusals, unknown names or failures",
  needs: needsBudget,
  judge(evidence) {
    if (!isBudgeted(evidence)) return { kind: "holds", exercised: false };
    const { overruns, spent, allowed } = countSteps(evidence);
    const violations = overruns.map(({ at, step }) =>
      violated(
        at,
        "over-budget",
        `Turn ${step + 1} was asked for, but the budget is ${allowed} ${allowed === 1 ? "step" : "steps"}.`,
      ),
    );
    return verdictOf(violations, spent !== undefined && wantedMore(evidence, spent));
  },
});
