import type { Evidence, Property } from "../src/contract/property.ts";
import { satisfies } from "../src/world/input-schema.ts";
import { sameJson } from "../src/world/json.ts";
import { licencesOf } from "./licences.ts";
import type { Credit } from "./oracle/credits.ts";
import type { Delivered } from "./oracle/deliveries.ts";
import { shortly } from "./oracle/shortly.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Arguments that are a JSON object, but not one that the tool's schema allows. Models leave fields out, mistype them, and
 * make some up. Harnesses get this wrong where the schema is shown to the model and never checked, where the check stops
 * at the first level, or where it counts inherited fields: a `__proto__` in the arguments then supplies what is missing.
 *
 * **Rule** Arguments that break the tool's schema never reach its handler; `__proto__` does not count as a field.
 *
 * **Holds when** every effect has arguments that the schema allows. Arguments that became valid because unknown keys were
 * dropped or defaults filled in are fine; those that were mended in other ways break the rule about proposed arguments.
 *
 * **Often broken by** a schema that is for the prompt only; `"field" in args`; validating a copy.
 *
 * @example
 * // the schema of "look_up" requires "order", a string
 * // proposed: { ..., "name": "look_up", "args": "{\"order\":7}" }
 * // violated where the handler of "look_up" gets { "order": 7 }
 */
export const onlyValidArgumentsReachHandlers: Property = ofUntampered({
  id: "only-valid-arguments-reach-handlers",
  level: "must",
  rule: "Arguments that break the tool's schema never reach its handler; `__proto__` does not count as a field.",
  holdsWhen: "every effect has arguments that its tool's schema allows",
  oftenBrokenBy: 'a schema that is only shown to the model, or a check by `"field" in args`',
  needs: (claims) => (claims.argumentSchemas ? undefined : "argument schemas are not claimed"),
  judge(evidence) {
    const { credits, calls } = licencesOf(evidence);
    const violations = credits.flatMap((credit) => {
      const { at, effect, call } = credit;
      if (!isInvalid(evidence, credit) || call === undefined) return [];
      const polluting = call.values.some((value) => Object.hasOwn(value as object, "__proto__"));
      const { args } = call.call;
      const fault = args === "" ? "allow a call without arguments" : `allow its arguments: ${shortly(args)}`;
      const because = `"${effect.tool}" ran ${inTurn(effect.step)}, but its schema does not ${fault}.`;
      return violated(at, polluting ? "proto-for-a-field" : "invalid-arguments", because);
    });
    return verdictOf(violations, calls.some(isProbe));
  },
});

function isInvalid({ trace }: Evidence, { kind, reason, call, effect }: Credit): boolean {
  if (reason !== "invalid-arguments" || kind === "changed" || call?.tool === undefined) return false;
  const event = trace[call.at];
  if (event?.type === "proposed" && event.refusedBySchema) return true;
  if (call.values.some((value) => sameJson(value, effect.args))) return true;
  // Unknown keys were dropped, or defaults filled in: that may have been what was missing.
  return !satisfies(call.tool.inputSchema, effect.args);
}

/** Nothing but its arguments keeps it from running. */
function isProbe(call: Delivered): boolean {
  return call.faults.length === 1 && call.faults[0] === "invalid-arguments" && call.permission !== "ask";
}
