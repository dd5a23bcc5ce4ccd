import type { Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import type { Delivered } from "./oracle/deliveries.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Turns that stopped because the model ran out of room. What it wanted to say next is not known: another field, another
 * call, a second thought. Harnesses get this wrong where they look at the calls alone and never at why the turn stopped.
 *
 * **Rule** A turn that stopped by length runs nothing, even where its arguments parse.
 *
 * **Holds when** no effect comes from a call in such a turn.
 *
 * **Often broken by** a stop reason that is never read, or read only where the arguments do not parse.
 *
 * @example
 * // delivered: { "stop": "length", "proposals": [{ ..., "name": "refund", "args": "{\"cents\":100}" }] }
 * // violated where the handler of "refund" starts
 */
export const cutOffTurnsRunNothing: Property = ofUntampered({
  id: "cut-off-turns-run-nothing",
  level: "must",
  rule: "A turn that stopped by length runs nothing, even where its arguments parse.",
  holdsWhen: "no effect comes from a call in a turn that stopped by length",
  oftenBrokenBy: "a stop reason that is never read, or read only where the arguments do not parse",
  needs: (claims) => (claims.stopReason ? undefined : "the stop reason is not claimed"),
  judge(evidence) {
    const { credits, calls } = licencesOf(evidence);
    const violations = credits.flatMap(({ at, effect, reason }) =>
      reason === "cut-off"
        ? violated(at, "cut-off-turn", `"${effect.tool}" ran ${inTurn(effect.step)}, but that turn had been cut off.`)
        : [],
    );
    return verdictOf(violations, calls.some(isProbe));
  },
});

/** Nothing but the cut keeps it from running. */
function isProbe(call: Delivered): boolean {
  return call.faults.length === 1 && call.faults[0] === "cut-off" && call.permission !== "ask";
}
