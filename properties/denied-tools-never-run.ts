import type { Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import { isGateProbe } from "./oracle/gate-probes.ts";
import { unguarded, withConstantPolicies } from "./oracle/policy-kinds.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Tools, or calls, that the policy denies. Harnesses get this wrong where the denial is one branch among many: it is asked
 * after the approval, or only for tools on the menu, or a skill that brings the tool brings the permission too.
 *
 * **Rule** What the policy denies never runs.
 *
 * **Holds when** no effect belongs to a call that the policy denies, whatever was offered, approved, said or loaded. Where
 * the policy depends on the arguments, it may have been misread: such an effect counts only if it is there too when the
 * policy denies all arguments; the rest is left to the rule about policies on arguments.
 *
 * **Often broken by** treating "deny" like "ask"; checking the policy in one of two dispatch paths.
 *
 * @example
 * // the policy denies "delete_order"
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "delete_order", "args": "{}" }
 * // violated where its handler starts
 */
export const deniedToolsNeverRun: Property = ofUntampered({
  id: "denied-tools-never-run",
  level: "must",
  rule: "What the policy denies never runs, whatever was offered, approved, said or loaded.",
  holdsWhen: "no effect belongs to a call that the policy denies",
  oftenBrokenBy: 'a policy that knows "allow" and "ask" only, or that one of two dispatch paths forgets',
  needs: (claims) => (claims.deny ? undefined : "denied tools are not claimed"),
  twin: (script, evidence) => withConstantPolicies(script, evidence, "denied"),
  judge(evidence, twin) {
    const { calls } = licencesOf(evidence);
    const violations = unguarded(evidence, "denied", twin).map(({ at, effect }) =>
      violated(at, "denied-tool", `"${effect.tool}" ran ${inTurn(effect.step)}, but the policy denied it.`),
    );
    return verdictOf(
      violations,
      calls.some((call) => isGateProbe(call, "denied")),
    );
  },
});
