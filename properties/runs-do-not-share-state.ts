import type { Evidence, Property } from "../src/contract/property.ts";
import { isAccompanied, soloOf } from "../src/contract/script.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { singleRunRules } from "./oracle/single-run-rules.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { verdictOf, violated } from "./oracle/verdicts.ts";
import { needsWitnessedEffects } from "./oracle/witnessed-effects.ts";

/**
 * One harness that serves many users: its runs come one after another, and side by side. Harnesses get this wrong where
 * what belongs to a run is kept in the module or in an object that outlives it: the skills that were loaded, the
 * approvals that were given, the results by call id, the steps that are left, the run that is "current".
 *
 * **Rule** Runs of one harness, one after another or side by side, share no visibility, approvals, results or budget.
 *
 * **Holds when** a run that others came before, or went beside, breaks no rule that the same run alone keeps.
 *
 * **Often broken by** `const approved = new Map()` at the top of a module; a set of loaded skills that is a field of a
 * class with one instance; `let current` that is set when a run starts, and read after an `await`.
 *
 * @example
 * // the policy asks about "pay"; in an earlier run the human said yes to it, in this one no
 * // violated where the handler of "pay" starts, and does not start where this run is alone
 */
export const runsDoNotShareState: Property = ofUntampered({
  id: "runs-do-not-share-state",
  level: "must",
  rule: "Runs of one harness, one after another or side by side, share no visibility, approvals, results or budget.",
  holdsWhen: "a run that others came before, or went beside, breaks no rule that the same run alone keeps",
  oftenBrokenBy:
    "approvals, loaded skills, results, counters or a `current` run kept in a module or in a shared object",
  needs: needsWitnessedEffects,
  comparesWithSolo: true,
  twin: (script, evidence) =>
    isAccompanied(script) && !isTimed(evidence) && faultsOf(evidence).length > 0 ? soloOf(script) : undefined,
  judge(evidence, twin) {
    if (isTimed(evidence)) return { kind: "holds", exercised: false };
    const violations = twin === undefined ? [] : faultsInFirstAlone(evidence, twin);
    return verdictOf(
      violations,
      evidence.accompanied === true && evidence.trace.some(({ type }) => type === "proposed"),
    );
  },
});

/** Where an abort strikes, or a deadline passes, may depend on how long the other runs take. */
function isTimed({ trace }: Evidence): boolean {
  return trace.some(({ type }) => type === "aborted" || type === "handler-hangs" || type === "human-hangs");
}

interface Fault {
  readonly rule: Property;
  readonly violation: Violation;
}

/** What any rule finds in this run, taken alone. */
function faultsOf(evidence: Evidence): readonly Fault[] {
  return singleRunRules.flatMap((rule) => {
    if (rule.needs(evidence.claims, evidence.shape) !== undefined) return [];
    const verdicts = [rule.judge(evidence)].flat();
    return verdicts.flatMap((violation) => (violation.kind === "violated" ? [{ rule, violation }] : []));
  });
}

function faultsInFirstAlone(evidence: Evidence, twin: Evidence): readonly Violation[] {
  // A run that broke down shows what it did not reach, not what it would have refused.
  if (isTimed(twin) || twin.trace.some(({ type }) => ["crashed", "hung", "kit-refused"].includes(type))) return [];
  const inTwin = new Set(faultsOf(twin).map(nameOf));
  return faultsOf(evidence)
    .filter((fault) => !inTwin.has(nameOf(fault)))
    .map(({ rule, violation: { at, because } }) =>
      violated(at, rule.id, `${because} The same run alone does not come to that: it shares state with another run.`),
    );
}

function nameOf({ rule, violation }: Fault): string {
  return `${rule.id} ${violation.cause}`;
}
