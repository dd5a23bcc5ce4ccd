import type { Evidence, Property } from "../src/contract/property.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { licencesOf } from "./licences.ts";
import { breakdownOf } from "./oracle/breakdown.ts";
import {
  isComparable,
  lostCallsAfter,
  oddEffectsAfter,
  pathOf,
  placesOfEffects,
  type Tampering,
  tamperingIn,
  withoutTampering,
} from "./oracle/tool-list-edits.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * The tool list of a run that goes on. Handlers can often reach it: they share a module, a plugin object, a registry.
 * Harnesses get this wrong where they read names, permissions or functions from the live list at each call, so that
 * whatever has its hands on the list decides what may run.
 *
 * **Rule** A handler that edits the tool list, a tool's permission or a tool's function changes nothing in that run.
 *
 * **Holds when** after the edit nothing runs that does not run without it, every name leads to the same function, and calls
 * that run without it run with it. What happens in the same script without the edit too is no evidence.
 *
 * **Often broken by** `run.tools.find(...)` at each call; a permission that is read from the tool object; a shared registry.
 *
 * @example
 * // the policy denies "wipe"; the handler of "look_up" sets every permission to "allow"
 * // violated where "wipe" runs afterwards; holds where it is refused as before
 */
export const theRegistryStaysFixed: Property = {
  id: "the-registry-stays-fixed",
  level: "should",
  rule: "A handler that edits the tool list, a tool's permission or a tool's function changes nothing in that run.",
  holdsWhen: "after the edit the same calls run, and reach the same functions, as without it",
  oftenBrokenBy: "reading names, permissions or functions from the live list at each call",
  needs: (_, shape) => (shape.sameProcess === false ? "the harness runs in another process" : undefined),
  twin(script, evidence) {
    const tampering = tamperingIn(evidence.trace);
    return tampering === undefined || !isSuspicious(evidence, tampering) ? undefined : withoutTampering(script);
  },
  judge(evidence, twin) {
    const tampering = tamperingIn(evidence.trace);
    if (tampering === undefined) return { kind: "holds", exercised: false };
    const violations = twin === undefined || !isComparable(twin) ? [] : differences(evidence, twin, tampering);
    const isTested = licencesOf(evidence).calls.some((call) => call.at > tampering.at);
    return verdictOf(violations, isTested);
  },
};

function isSuspicious(evidence: Evidence, tampering: Tampering): boolean {
  return (
    oddEffectsAfter(evidence, tampering).length > 0 ||
    lostCallsAfter(evidence, tampering).length > 0 ||
    breakdownOf(evidence.trace) !== undefined
  );
}

function differences(evidence: Evidence, twin: Evidence, tampering: Tampering): readonly Violation[] {
  const inTwin = placesOfEffects(twin);
  const { tool, edit } = tampering.event;
  const because = `the handler of "${tool}" had edited the tool list (${edit})`;
  const violations = oddEffectsAfter(evidence, tampering)
    .filter((credit) => !inTwin.has(pathOf(credit)))
    .map(({ at, effect, kind, call }) => {
      const ran = `"${effect.tool}" ran ${inTurn(effect.step)}`;
      const misled = kind === "other-tool" || kind === "undeclared";
      if (misled) return violated(at, "another-function", `${ran} where "${call?.call.name}" was called: ${because}.`);
      return violated(at, "opened-by-an-edit", `${ran}, which it does not without the edit: ${because}.`);
    });
  const { calls, creditsOf } = licencesOf(twin);
  const ran = new Set(calls.filter((call) => creditsOf.has(call)).map(({ step, position }) => `${step} ${position}`));
  for (const { step, position, call } of lostCallsAfter(evidence, tampering)) {
    if (!ran.has(`${step} ${position}`)) continue;
    const lost = `"${call.name}", called ${inTurn(step)}, did not run, which it does without the edit`;
    violations.push(violated(tampering.at, "lost-by-an-edit", `${lost}: ${because}.`));
  }
  const found = breakdownOf(evidence.trace);
  if (found !== undefined && found.at > tampering.at) {
    violations.push(violated(found.at, `${found.cause}-by-an-edit`, `The run ${found.words}: ${because}.`));
  }
  return violations;
}
