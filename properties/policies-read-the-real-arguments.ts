import type { Evidence, Property } from "../src/contract/property.ts";
import { sameJson } from "../src/world/json.ts";
import { decide, type Permission } from "../src/world/policy.ts";
import { findTool } from "../src/world/world.ts";
import { licencesOf } from "./licences.ts";
import type { Credit } from "./oracle/credits.ts";
import type { Delivered } from "./oracle/deliveries.ts";
import { wasAsked } from "./oracle/policy-kinds.ts";
import { shortly } from "./oracle/shortly.ts";
import { dependsOnArguments } from "./oracle/shut-gates.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Policies that depend on the arguments: small payments pass, large ones are put to a human, some commands never run.
 * Harnesses get this wrong where the policy reads something else than what runs: the text before it is parsed, the first
 * word of a command, the first of two equal keys, a copy from before a default was filled in.
 *
 * **Rule** Where the policy depends on the arguments, it decides on the arguments that run.
 *
 * **Holds when** no effect of such a tool has arguments that its policy denies, or asks about without an approval. An effect
 * against a policy that does depend on the arguments is blamed here; the rules about denied and asked tools are broken as
 * well only where the same call runs under a policy that says the same of all arguments, so that nothing was misread.
 *
 * **Often broken by** `command.startsWith("git ")`; a pattern on the raw text; deciding first and normalising later.
 *
 * @example
 * // the policy of "pay" denies cents over 1000, and allows the rest
 * // proposed: { ..., "name": "pay", "args": "{\"cents\":5000}" }
 * // violated where the handler of "pay" starts
 */
export const policiesReadTheRealArguments: Property = ofUntampered({
  id: "policies-read-the-real-arguments",
  level: "must",
  rule: "Where the policy depends on the arguments, it decides on the arguments that run.",
  holdsWhen: "no effect has arguments that the policy of its tool denies, or asks about without an approval",
  oftenBrokenBy: "a policy that reads a prefix, a copy, a default, or the text before it is parsed",
  needs({ argumentPolicies, approvals, deny }) {
    if (argumentPolicies !== true) return "policies on arguments are not claimed";
    return approvals === "none" && !deny ? "neither approvals nor denied tools are claimed" : undefined;
  },
  judge(evidence) {
    const { credits, calls } = licencesOf(evidence);
    const violations = credits.flatMap((credit) => {
      const said = verdictAgainst(evidence, credit);
      if (said === undefined) return [];
      const { at, effect } = credit;
      const ran = `"${effect.tool}" ran ${inTurn(effect.step)} with ${shortly(effect.args)}`;
      return said === "deny"
        ? violated(at, "denied-arguments", `${ran}, but the policy denies these arguments.`)
        : violated(
            at,
            "unapproved-arguments",
            `${ran}, but the policy asks about these arguments, and nobody approved.`,
          );
    });
    return verdictOf(violations, calls.some(isProbe));
  },
});

/** What the policy says of arguments with which a tool ran all the same. */
function verdictAgainst(evidence: Evidence, credit: Credit): Permission | undefined {
  const tool = findTool(evidence.world, credit.effect.tool);
  if (tool === undefined || !dependsOnArguments(tool)) return undefined;
  if (credit.reason === "denied") return "deny";
  if (credit.reason === "not-approved") return wasAsked(evidence, credit) ? undefined : "ask";
  return credit.reason === undefined && credit.call?.permission === "open" ? lateVerdict(evidence, credit) : undefined;
}

/** Of a call whose arguments can be read in several ways, the effect shows which of them counts. */
function lateVerdict(evidence: Evidence, { at, effect, call }: Credit): Permission | undefined {
  const { world, claims, trace } = evidence;
  const tool = findTool(world, effect.tool);
  const event = call === undefined ? undefined : trace[call.at];
  const normalised = event?.type === "proposed" ? event.normalised : undefined;
  if (tool === undefined) return undefined;
  // What a schema has made of the arguments counts once it runs; what is neither that nor the proposal, another rule judges.
  if (normalised !== undefined && ![normalised, call?.values[0]].some((value) => sameJson(value, effect.args))) {
    return undefined;
  }
  const said = attempt(() => decide(tool.permission, effect.args));
  if (said === "deny") return claims.deny ? said : undefined;
  if (said !== "ask" || claims.approvals === "none") return undefined;
  return licencesOf(evidence).approvals.anyFor(tool.name, effect.callId, at) ? undefined : said;
}

/** A policy whose schema can't be compiled decides nothing. */
function attempt<Value>(compute: () => Value): Value | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

/** Nothing but the policy, and what it says of these arguments, keeps it from running. */
function isProbe({ tool, faults, permission }: Delivered): boolean {
  if (tool === undefined || !dependsOnArguments(tool)) return false;
  return permission === "deny" ? faults.length === 1 : permission === "ask" && faults.length === 0;
}
