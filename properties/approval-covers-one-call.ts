import type { Evidence, Property } from "../src/contract/property.ts";
import { sameJson } from "../src/world/json.ts";
import { licencesOf } from "./licences.ts";
import type { Credit } from "./oracle/credits.ts";
import { hasArguments } from "./oracle/deliveries.ts";
import { shortly } from "./oracle/shortly.ts";
import { isSameReading } from "./oracle/shown-arguments.ts";
import { hasUnshownField } from "./oracle/unshown-field.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * What one yes of the human is good for. Harnesses get this wrong where a yes is kept under the tool's name, under the
 * arguments, or under a call id that comes again; where it is not struck off once it was used; or where the arguments are
 * read again, after the human has seen them, from a place that may have changed.
 *
 * **Rule** What runs is what was shown: an approval fits one call id, one tool and the exact arguments, and is used once.
 *
 * **Holds when** every effect that the policy asks about has a yes of its own. The human may be shown the arguments as they
 * were proposed, or as the schema normalises them, but with each field that runs, save for defaults; equal calls of one turn may be answered in any order. Where grants for the
 * session are claimed, a yes covers later calls of that tool too. A second run of an approved call is a repetition, and
 * another rule's. Where nobody approved anything of that tool or that id, the rule about waiting for approval is broken.
 *
 * **Often broken by** `approved.add(call.name)`; `pending.get(callId)` where two calls share the id; one yes for the whole turn.
 *
 * @example
 * // the policy asks about "refund"; proposed in one turn: refund({ "order": "A" }) and refund({ "order": "B" })
 * // the human is asked about order A, and says yes
 * // violated where the handler of "refund" starts with order B
 */
export const approvalCoversOneCall: Property = ofUntampered({
  id: "approval-covers-one-call",
  level: "must",
  rule: "What runs is what was shown: an approval fits one call id, one tool and the exact arguments, and is used once.",
  holdsWhen: "every effect that the policy asks about has a yes of its own, to exactly that call",
  oftenBrokenBy: "a yes that is kept under the tool's name, the arguments or a call id, and is found again",
  needs: (claims) => (claims.approvals === "asked" ? undefined : "approvals that are asked for are not claimed"),
  judge(evidence) {
    const { credits, approvals } = licencesOf(evidence);
    const violations = credits.flatMap((credit) => {
      const misuse = misuseOf(evidence, credit);
      if (misuse === undefined) return [];
      const { tool, step, args } = credit.effect;
      const ran = `"${tool}" ran ${inTurn(step)} with ${shortly(args)}`;
      return violated(credit.at, misuse.cause, `${ran}, but ${misuse.words}.`);
    });
    return verdictOf(violations, approvals.grants.length > 0);
  },
});

interface Misuse {
  readonly cause: string;
  /** In words that follow "it ran, but ". */
  readonly words: string;
}

/** Which approval was taken for one of this effect, and what it was for. */
function misuseOf(evidence: Evidence, { at, effect, call, reason }: Credit): Misuse | undefined {
  const { approvals, calls } = licencesOf(evidence);
  const used = call === undefined ? undefined : approvals.usedFor(call);
  if (reason === undefined && call !== undefined && used !== undefined) {
    // That a name reached another function is no matter of approvals.
    if (call.call.name !== effect.tool) return undefined;
    const isShown =
      hasArguments(call, effect.args) &&
      isSameReading(call, used.args, effect.args) &&
      !hasUnshownField(call.tool?.inputSchema, used.args, effect.args);
    return isShown ? undefined : changed(used.args);
  }
  if (reason !== "approval-of-another-call") return undefined;
  const { step } = call ?? effect;
  const callId = call?.call.callId ?? effect.callId;
  const given = approvals.grants.filter((grant) => {
    return grant.at < at && (grant.tool === effect.tool || (callId !== undefined && grant.callId === callId));
  });
  const here = given.filter((grant) => grant.step >= step);
  if (here.length === 0) {
    const before = inTurn(given.at(-1)?.step ?? 0);
    return { cause: "later-turn", words: `the human had said yes ${before}, to an earlier call` };
  }
  const toTool = here.filter((grant) => grant.tool === effect.tool);
  const [other] = here;
  if (toTool.length === 0) return { cause: "other-tool", words: `the human had said yes to "${other?.tool}"` };
  const own = call === undefined ? undefined : toTool.find(({ args }) => hasArguments(call, args));
  if (own !== undefined && call !== undefined && !hasArguments(call, effect.args)) return changed(own.args);
  const named = callId === undefined ? undefined : toTool.find((grant) => grant.callId === callId);
  const sameId = calls.filter((each) => each.step === step && each.call.callId === callId);
  if (named !== undefined && sameId.length > 1) {
    return { cause: "same-id", words: "the human had said yes to another call with the same id" };
  }
  if (toTool.some(({ args }) => sameJson(args, effect.args))) {
    return { cause: "used-twice", words: "the human had said yes once, to an equal call" };
  }
  if (named !== undefined) return changed(named.args);
  return { cause: "other-arguments", words: `the human had said yes to ${shortly(toTool[0]?.args)}` };
}

function changed(shown: unknown): Misuse {
  return { cause: "changed-after-approval", words: `the human was shown ${shortly(shown)}` };
}
