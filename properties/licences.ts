import type { Evidence } from "../src/contract/property.ts";
import { type Approvals, approvalsOf } from "./oracle/approvals.ts";
import { type Credit, creditsOf } from "./oracle/credits.ts";
import { type Delivered, type Deliveries, deliveriesOf } from "./oracle/deliveries.ts";
import { type Gates, gatesOf } from "./oracle/shut-gates.ts";

/** What a run was allowed to do, and what it did. */
export interface Licences extends Deliveries {
  /** One for each effect that did not come late, in order. */
  readonly credits: readonly Credit[];
  readonly creditsOf: ReadonlyMap<Delivered, readonly Credit[]>;
  readonly approvals: Approvals;
  readonly gates: Gates;
}

interface Known {
  readonly evidence: Evidence;
  readonly licences: Licences;
}

/** All rules judge the same trace, one after another; some a second one beside it. */
let last: Known | undefined;
let lastButOne: Known | undefined;

/**
 * The oracle that most rules share: which of the calls that the model proposed might run, which had to, and which call
 * each effect came from. Harnesses get this wrong in many ways, so it is worked out once, from the world and the
 * delivered proposals alone: a distinct, delivered, permitted and well-formed proposal is a licence for one effect.
 *
 * @example
 * // world: "refund" asks; approvals end the run; the trace holds the proposal refund({}) and its effect
 * licencesOf(evidence).credits[0]?.reason; // "not-approved"
 */
export function licencesOf(evidence: Evidence): Licences {
  if (last !== undefined && isSame(last.evidence, evidence)) return last.licences;
  if (lastButOne !== undefined && isSame(lastButOne.evidence, evidence)) return lastButOne.licences;
  const deliveries = deliveriesOf(evidence);
  const approvals = approvalsOf(evidence, deliveries.calls);
  const gates = gatesOf(evidence, deliveries, approvals);
  const credits = creditsOf(evidence, deliveries, approvals, gates);
  const byCall = new Map<Delivered, Credit[]>();
  for (const credit of credits) {
    if (credit.call === undefined) continue;
    const earlier = byCall.get(credit.call);
    if (earlier === undefined) byCall.set(credit.call, [credit]);
    else earlier.push(credit);
  }
  const licences: Licences = { ...deliveries, credits, creditsOf: byCall, approvals, gates };
  lastButOne = last;
  last = { evidence, licences };
  return licences;
}

function isSame(a: Evidence, b: Evidence): boolean {
  if (a.trace !== b.trace) return false;
  return (
    a.world === b.world && a.claims === b.claims && (a.shape === b.shape || (isEmpty(a.shape) && isEmpty(b.shape)))
  );
}

/** A harness that gives no shape is given another empty one each time. */
function isEmpty(shape: Evidence["shape"]): boolean {
  for (const _ in shape) return false;
  return true;
}
