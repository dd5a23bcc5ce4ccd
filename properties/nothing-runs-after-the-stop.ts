import type { Property } from "../src/contract/property.ts";
import type { TraceEvent } from "../src/contract/trace.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { verdictOf, violated } from "./oracle/verdicts.ts";
import { needsWitnessedEffects } from "./oracle/witnessed-effects.ts";

/**
 * What happens once the caller has been told that the run is over. Harnesses get this wrong where a call is started without
 * being awaited, where one failure of several side by side ends the run and the others go on, or where a timer fires later.
 *
 * **Rule** After the run has ended no handler starts and no turn is asked for.
 *
 * **Holds when** nothing starts late. A handler that started before the end may settle after it.
 *
 * **Often broken by** a missing `await`; `Promise.all` over calls that are started one after another; `setTimeout`.
 *
 * @example
 * // "look_up" and "notify" are called; "look_up" fails, and the run ends "failed"
 * // violated where the handler of "notify" starts after that
 */
export const nothingRunsAfterTheStop: Property = ofUntampered({
  id: "nothing-runs-after-the-stop",
  level: "must",
  rule: "After the run has ended no handler starts and no turn is asked for.",
  holdsWhen: "no handler starts and no turn is asked for once the run has ended",
  oftenBrokenBy: "a call that is not awaited, or one of several side by side that goes on when another has failed",
  needs: needsWitnessedEffects,
  judge({ trace }) {
    let isOver = false;
    let hasCalls = false;
    const violations = [];
    for (const [at, event] of trace.entries()) {
      // What a harness makes of the kit's own refusal is no evidence.
      if (event.type === "kit-refused" && event.because === "past-the-budget" && !isOver)
        return { kind: "holds", exercised: false };
      if (event.type === "proposed" && event.proposal.kind !== "text") hasCalls = true;
      if (event.type === "ended" || event.type === "crashed") isOver = true;
      if (event.late) violations.push(...startedLate(event, at));
    }
    return verdictOf(violations, isOver && hasCalls);
  },
});

function startedLate(event: TraceEvent, at: number) {
  if (event.type === "handler-started") {
    return [violated(at, "late-handler", `The handler of "${event.tool}" started after the run had ended.`)];
  }
  if (event.type === "inherited-called") {
    return [violated(at, "late-handler", `The inherited function "${event.name}" was called after the run had ended.`)];
  }
  if (event.type !== "asked") return [];
  return [violated(at, "late-turn", `Turn ${event.step + 1} was asked for after the run had ended.`)];
}
