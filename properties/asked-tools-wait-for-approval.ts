import type { Evidence, Property } from "../src/contract/property.ts";
import { licencesOf } from "./licences.ts";
import { approvalRequests } from "./oracle/approval-requests.ts";
import type { Credit } from "./oracle/credits.ts";
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
 * asks about all arguments; the rest is left to the rule about policies on arguments. Where there was an approval for that
 * tool or that id, the rule about what an approval covers is broken instead.
 *
 * **Often broken by** a check for `=== false` on an answer that may be missing; a `catch` that goes on; a time-out that
 * resolves to yes; a pause that is reported but not made.
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
    const violations = unguarded(evidence, "not-approved", twin).map((credit) => {
      const { cause, words } = whatWasMissing(evidence, credit);
      const { tool, step } = credit.effect;
      return violated(credit.at, cause, `"${tool}" ran ${inTurn(step)} without approval: ${words}.`);
    });
    return verdictOf(
      violations,
      licencesOf(evidence).calls.some((call) => isGateProbe(call, "ask")),
    );
  },
});

interface Missing {
  readonly cause: string;
  /** In words that follow "without approval: ". */
  readonly words: string;
}

const NOBODY_ASKED: Missing = { cause: "ran-without-approval", words: "no human was asked about this call" };

function whatWasMissing(evidence: Evidence, { at, call }: Credit): Missing {
  if (evidence.claims.approvals === "ends-run") {
    return { cause: "ran-without-approval", words: 'the run had to end there as "needs-approval"' };
  }
  // What the human was asked about another call of that tool says nothing of this one.
  const { asked, callOf } = approvalRequests(evidence, licencesOf(evidence));
  if (call === undefined || (asked.get(call) ?? at) >= at) return NOBODY_ASKED;
  const answer = evidence.trace
    .slice(0, at)
    .findLast((event) => event.type === "approval-given" && callOf.get(event.request) === call);
  return answer?.type === "approval-given" ? wordsFor(answer.decision) : wordsFor(undefined);
}

function wordsFor(decision: string | undefined): Missing {
  switch (decision) {
    case "deny":
      return { cause: "ran-though-denied", words: "the human was asked and said no" };
    case "later":
      return { cause: "ran-though-undecided", words: "the human was asked and left it open" };
    case "throw":
      return { cause: "ran-though-asking-failed", words: "the human was asked and the request failed" };
    case "late-approve":
      return { cause: "ran-though-too-late", words: "the human was asked and said yes too late" };
    case "approve":
      return { cause: "ran-though-aborted", words: "the human said yes after the run had been aborted" };
    default:
      return { cause: "ran-while-waiting", words: "the human was asked and had not answered yet" };
  }
}
