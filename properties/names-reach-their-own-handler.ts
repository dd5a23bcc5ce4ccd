import type { Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";
import { needsWitnessedEffects } from "./oracle/witnessed-effects.ts";

/**
 * The way from a declared name to its handler. Harnesses get this wrong where names are shortened, cleaned, matched by
 * prefix or counted: two names then lead to one handler, or the order of declaration decides.
 *
 * **Rule** A declared name runs its own handler and no other.
 *
 * **Holds when** no effect of one tool was caused by the proposal of another.
 *
 * **Often broken by** names cut to a length or cleaned of odd letters; lookups by prefix or by position.
 *
 * @example
 * // declared: "refund" and "refund_status"
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "refund_status", "args": "{}" }
 * // violated where the handler of "refund" starts
 */
export const namesReachTheirOwnHandler: Property = ofUntampered({
  id: "names-reach-their-own-handler",
  level: "must",
  rule: "A declared name runs its own handler and no other.",
  holdsWhen: "no effect of one tool was caused by the proposal of another",
  oftenBrokenBy: "names that are cut, cleaned or matched by prefix before the lookup",
  needs: needsWitnessedEffects,
  judge(evidence) {
    const { credits } = licencesOf(evidence);
    const violations = credits.flatMap(({ at, effect, kind, call }) =>
      kind === "other-tool"
        ? violated(
            at,
            "another-handler",
            `"${call?.call.name}" was called ${inTurn(effect.step)}, but the handler of "${effect.tool}" ran.`,
          )
        : [],
    );
    return verdictOf(
      violations,
      credits.some(({ kind }) => kind === "licensed" || kind === "room"),
    );
  },
});
