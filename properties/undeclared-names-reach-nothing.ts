import type { Evidence, Property } from "../src/contract/property.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { type Licences, licencesOf } from "./licences.ts";
import type { Credit } from "./oracle/credits.ts";
import { type Delivered, hasArguments } from "./oracle/deliveries.ts";
import { silentTurn } from "./oracle/silence.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Names that no tool declares: inherited ones (`constructor`, `toString`, `__proto__`) and look-alikes by case, space,
 * Unicode form or prefix. A plain object as registry answers to the first kind, a forgiving lookup to the second.
 *
 * **Rule** A name that no tool declares runs nothing, and is refused like any other unknown name.
 *
 * **Holds when** nothing runs for such a name, inherited functions included, and the model is told of the refusal, or the run
 * ends in a controlled stop: not silence, and no result that looks like success.
 *
 * **Often broken by** `tools[name]` and `name in tools` on a plain object; names that are trimmed or lower-cased first.
 *
 * @example
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "toString", "args": "{}" }
 * // violated where a function is called, or where the next turn is asked for with the result "[object Object]"
 * // holds where that result is { "callId": "call-1", "text": "no such tool", "isError": true }
 */
export const undeclaredNamesReachNothing: Property = ofUntampered({
  id: "undeclared-names-reach-nothing",
  level: "must",
  rule: "A name that no tool declares runs nothing, and is refused like any other unknown name.",
  holdsWhen: "nothing runs for such a name, and it is answered with an error or ends the run in a controlled stop",
  oftenBrokenBy: "`tools[name]` on a plain object, or a lookup that trims, lower-cases or guesses",
  needs: () => undefined,
  judge(evidence) {
    const licences = licencesOf(evidence);
    const { credits, calls } = licences;
    const undeclared = calls.filter((call) => call.tool === undefined);
    const violations: Violation[] = [];
    for (const [at, event] of evidence.trace.entries()) {
      if (event.type !== "inherited-called" || event.late) continue;
      violations.push(
        violated(
          at,
          "inherited-name",
          `The inherited function "${event.name}" was called ${inTurn(event.step)}, though no tool has that name.`,
        ),
      );
    }
    for (const credit of credits) {
      if (credit.kind !== "undeclared" || credit.call === undefined) continue;
      violations.push(violated(credit.at, "undeclared-name", wordsFor(credit, credit.call, licences)));
    }
    const silent = silentTurn(evidence);
    for (const { at, step, stop, call } of undeclared) {
      if (step !== silent || stop !== "tool-calls") continue;
      violations.push(
        violated(
          at,
          "silence",
          `"${call.name}", a name that no tool declares, was met with silence: neither an error nor a stop.`,
        ),
      );
    }
    return verdictOf([...violations, ...successes(evidence, undeclared)], undeclared.length > 0);
  },
});

/** Where a declared name came with the same arguments, and no id tells the two apart, it may have been that one. */
function wordsFor({ effect }: Credit, call: Delivered, { calls, creditsOf }: Licences): string {
  const ran = `and the handler of "${effect.tool}" ran`;
  const name = `"${call.call.name}"`;
  const rival = calls.find(
    (other) =>
      other.tool !== undefined &&
      other.step === call.step &&
      other.call.name !== effect.tool &&
      !creditsOf.has(other) &&
      hasArguments(other, effect.args),
  );
  if (rival === undefined || effect.callId === call.call.callId) {
    return `${name} was called ${inTurn(effect.step)}, a name that no tool declares, ${ran}.`;
  }
  return `${name}, a name that no tool declares, or "${rival.call.name}" was called ${inTurn(effect.step)} with these arguments, ${ran}.`;
}

/** Results without an error flag: something answered for a name that nothing stands behind. */
function successes({ trace, claims, shape }: Evidence, undeclared: readonly Delivered[]): readonly Violation[] {
  if (!claims.results || shape.errorFlag === false) return [];
  const byTurn = new Map<number, Delivered[]>();
  const ids = new Map<string, number>();
  for (const event of trace) {
    if (event.type !== "proposed" || event.proposal.kind === "text") continue;
    ids.set(event.proposal.callId, (ids.get(event.proposal.callId) ?? 0) + 1);
  }
  for (const call of undeclared) {
    // Whose result it is can only be told where the id came once.
    if (ids.get(call.call.callId) === 1) byTurn.set(call.step, [...(byTurn.get(call.step) ?? []), call]);
  }
  return trace.flatMap((event, at) => {
    if (event.type !== "asked" || event.late) return [];
    return (byTurn.get(event.step - 1) ?? []).flatMap(({ call }) =>
      event.results?.some((result) => result.callId === call.callId && result.isError !== true)
        ? violated(
            at,
            "answered-as-success",
            `"${call.name}", a name that no tool declares, was answered as if a tool had run: its result is no error.`,
          )
        : [],
    );
  });
}
