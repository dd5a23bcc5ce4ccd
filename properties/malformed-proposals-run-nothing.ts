import type { Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import type { Delivered } from "./oracle/deliveries.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Argument text that is not one JSON object: cut, empty, doubled, fenced, `null`, an array, a scalar, JSON within JSON.
 * Harnesses get this wrong where they repair it, or go on with `{}`, and run what nobody proposed.
 *
 * **Rule** Argument text that is not one JSON object runs nothing.
 *
 * **Holds when** no effect comes from a call with malformed arguments; repair may help the model, never execution.
 *
 * **Often broken by** `catch { return {} }` around `JSON.parse`; a parser that completes or repairs; no check for an object.
 *
 * @example
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "look_up", "args": "{\"order\":" }
 * // violated where the handler of "look_up" starts
 * // holds where the call is answered with an error
 */
export const malformedProposalsRunNothing: Property = ofUntampered({
  id: "malformed-proposals-run-nothing",
  level: "must",
  rule: "Argument text that is not one JSON object runs nothing.",
  holdsWhen: "no effect comes from a call with malformed arguments",
  oftenBrokenBy: "a parser that repairs, or falls back to `{}`, and no check that the value is an object",
  needs: () => undefined,
  judge(evidence) {
    const { credits, calls } = licencesOf(evidence);
    const violations = credits.flatMap(({ at, effect, call, reason }) =>
      reason === "malformed"
        ? violated(
            at,
            "malformed-arguments",
            `"${effect.tool}" ran ${inTurn(effect.step)}, but its arguments were malformed: ${quoted(call)} is not one JSON object.`,
          )
        : [],
    );
    return verdictOf(violations, calls.some(isProbe));
  },
});

/** Nothing but its arguments keeps it from running. */
function isProbe(call: Delivered): boolean {
  return (
    call.tool !== undefined && call.faults.length === 1 && call.faults[0] === "malformed" && call.permission !== "ask"
  );
}

function quoted(call: Delivered | undefined): string {
  const text = call?.call.args ?? "";
  return text.length > 60 ? `'${text.slice(0, 60)}...'` : `'${text}'`;
}
