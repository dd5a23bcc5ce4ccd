import type { Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import { shortly } from "./oracle/shortly.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";
import { needsWitnessedEffects } from "./oracle/witnessed-effects.ts";

/**
 * What arrives at the handler of a call that may run. Harnesses get this wrong where they unwrap an object that looks like
 * an envelope, merge the arguments of several calls, coerce a text to a number, or keep arguments in a place that two
 * calls share.
 *
 * **Rule** A handler receives the arguments of its proposal, or those arguments as its schema normalises them.
 *
 * **Holds when** every effect has the arguments of a proposal of its tool; unknown keys dropped and defaults filled in are
 * fine, and so is whatever the harness's own `normalise` gives. A call that a gate forbids is left to the rule of that gate.
 *
 * **Often broken by** `args.args ?? args`; `{ ...previous, ...args }`; `coerceTypes`; a repair that guesses.
 *
 * @example
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "look_up", "args": "{\"order\":\"A-1\"}" }
 * // violated where the handler of "look_up" gets { "order": "a-1" }
 * // holds where it gets { "order": "A-1" }
 */
export const handlersGetTheProposedArguments: Property = ofUntampered({
  id: "handlers-get-the-proposed-arguments",
  level: "must",
  rule: "A handler receives the arguments of its proposal, or those arguments as its schema normalises them.",
  holdsWhen: "the arguments of every effect are those of a proposal of its tool",
  oftenBrokenBy: "arguments that are unwrapped, merged, coerced, repaired, or taken from another call",
  needs: needsWitnessedEffects,
  judge(evidence) {
    const { credits } = licencesOf(evidence);
    const violations = credits.flatMap(({ at, effect, kind, call, reason }) => {
      // Arguments that were mended until they fitted the schema never reached the handler as they were proposed.
      if (kind !== "changed" || call === undefined || (reason !== undefined && reason !== "invalid-arguments"))
        return [];
      const because = `"${effect.tool}" was called ${inTurn(call.step)} with ${shortly(call.call.args)}, but its handler got ${shortly(effect.args)}.`;
      return violated(at, "changed-arguments", because);
    });
    return verdictOf(
      violations,
      credits.some(({ kind }) => kind === "licensed" || kind === "room"),
    );
  },
});
