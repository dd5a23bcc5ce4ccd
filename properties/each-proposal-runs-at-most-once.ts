import type { Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import { shortly } from "./oracle/shortly.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";
import { needsWitnessedEffects } from "./oracle/witnessed-effects.ts";

/**
 * How often one proposal runs. What a handler does can seldom be undone, and what looks like a failure may have done its
 * work. Harnesses get this wrong where they try again after a time-out, dispatch the same turn in two places, run what was
 * pending once more after a failed request of the model, or start a call of their own.
 *
 * **Rule** One proposal, at most one invocation.
 *
 * **Holds when** every effect has a proposal of its own. A model that proposes the same call again gets it again.
 *
 * **Often broken by** a retry around `execute`; calls that stay in a queue when the model's next request fails.
 *
 * @example
 * // "refund" is called once; its handler does its work and then throws "socket hang up"
 * // violated where the handler starts a second time
 */
export const eachProposalRunsAtMostOnce: Property = ofUntampered({
  id: "each-proposal-runs-at-most-once",
  level: "must",
  rule: "One proposal, at most one invocation: no blind retry, no doubled dispatch.",
  holdsWhen: "every effect has a proposal of its own",
  oftenBrokenBy: "a retry around the handler, or a queue that is worked off twice",
  needs: needsWitnessedEffects,
  judge(evidence) {
    const { credits, creditsOf } = licencesOf(evidence);
    const failed = new Set<number>();
    for (const event of evidence.trace) {
      if (event.type === "handler-settled" && event.outcome === "threw") failed.add(event.effect);
    }
    const violations = credits.flatMap(({ at, effect, kind, call, reason }) => {
      // An effect that a gate forbids is left to the rule of that gate.
      if (reason !== undefined) return [];
      if (kind === "invented") {
        const because = `"${effect.tool}" ran ${inTurn(effect.step)} with ${shortly(effect.args)}, though no proposal asked for it.`;
        return violated(at, "ran-without-proposal", because);
      }
      if (kind !== "repeated" || call === undefined) return [];
      const [first] = creditsOf.get(call) ?? [];
      const isRetry = first !== undefined && failed.has(first.effect.effect);
      const after = isRetry ? " after it had failed" : "";
      return violated(
        at,
        isRetry ? "retried" : "ran-twice",
        `"${effect.tool}" was proposed once, but ran again${after}.`,
      );
    });
    return verdictOf(
      violations,
      credits.some(({ kind }) => kind === "licensed" || kind === "room"),
    );
  },
});
