import type { Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import { approvalRequests } from "./oracle/approval-requests.ts";
import { isGateProbe } from "./oracle/gate-probes.ts";
import { unguarded, withConstantPolicies } from "./oracle/policy-kinds.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * Calls that the policy puts to a human first. Harnesses get this wrong where they fail open: the human says no, says
 * nothing, throws or comes too late, and the call runs all the same; or they ask after the fact.
 *
 * **Rule** What the policy asks about runs only after the human approved that call.
 *
 * **Holds when** each such effect follows an approval; where approvals end the run, there is no such effect. Where the
 * policy depends on the arguments, it may have been misread: such an effect counts only if it is there too when the policy
 * asks about all arguments; the rest is left to the rule about policies on arguments.
 *
 * **Often broken by** a check for `=== false` on an answer that may be missing; a pause that is reported but not made.
 *
 * @example
 * // the policy asks about "refund"; approvals end the run
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "refund", "args": "{}" }
 * // violated where its handler starts; holds where the run ends "needs-approval"
 */
export const askedToolsWaitForApproval: Property = ofUntampered({
  id: "asked-tools-wait-for-approval",
  level: "must",
  rule: "What the policy asks about runs only after the human approved that call.",
  holdsWhen: "each effect of a call that the policy asks about follows an approval of it",
  oftenBrokenBy: "failing open where the human says no, says nothing, throws, or comes too late",
  needs: (claims) => (claims.approvals === "none" ? "approvals are not claimed" : undefined),
  twin: (script, evidence) => withConstantPolicies(script, evidence, "not-approved"),
  judge(evidence, twin) {
    const licences = licencesOf(evidence);
    const violations = unguarded(evidence, "not-approved", twin).flatMap(({ at, effect, call }) => {
      const ran = `"${effect.tool}" ran ${inTurn(effect.step)}`;
      if (evidence.claims.approvals === "ends-run") {
        return violated(
          at,
          "ran-without-approval",
          `${ran} without approval: the run had to end there as "needs-approval".`,
        );
      }
      // What the human was asked about another call of that tool says nothing of this one.
      const askedAt = call === undefined ? undefined : approvalRequests(evidence, licences).asked.get(call);
      return askedAt === undefined || askedAt > at
        ? violated(at, "ran-without-approval", `${ran} without approval: no human was asked about this call.`)
        : violated(at, "ran-though-not-approved", `${ran} without approval: the human was asked and did not say yes.`);
    });
    return verdictOf(
      violations,
      licences.calls.some((call) => isGateProbe(call, "ask")),
    );
  },
});
