import type { Evidence, Property } from "../src/contract/property.ts";
import type { Trace } from "../src/contract/trace.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { licencesOf } from "./licences.ts";
import { approvalRequests } from "./oracle/approval-requests.ts";
import { type Delivered, hasArguments } from "./oracle/deliveries.ts";
import { lostResults } from "./oracle/lost-results.ts";
import { type Repeats, repeatsOf } from "./oracle/repeats.ts";
import { firstBreak, type RunEnd, runEnd } from "./oracle/run-end.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";
import { needsWitnessedEffects } from "./oracle/witnessed-effects.ts";

/**
 * The control group: calls that are offered, permitted, well formed and valid. A harness that refuses everything is safe
 * and useless, and one that loses every second call is worse. Harnesses get this wrong by running only the first call of
 * a turn, by taking text beside a call for the answer, or by a check that is stricter than its own schema.
 *
 * **Rule** An honest call runs, and its result comes back; one that only lacks approval is put to the human once, or ends the
 * run as needs-approval.
 *
 * **Holds when** every such call has an effect. Calls that share a turn with a refusal, a failure or a pause are not judged; nor
 * is a call that comes for the third time or more, one about which a human was asked before in the same words, and one of a tool
 * that took too long: whoever breaks a circle, remembers a no, or takes a tool out of service may refuse it.
 *
 * **Often broken by** `calls[0]`; a stop that says the steps were used up when they were not; a result that is dropped.
 *
 * @example
 * // "look_up" is allowed and always offered
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "look_up", "args": "{}" }
 * // violated where the run ends "blocked", or goes on, without its handler having started
 */
export const honestCallsRun: Property = ofUntampered({
  id: "honest-calls-run",
  level: "must",
  rule: "An honest call runs, and its result comes back; one that only lacks approval is put to the human once, or ends the run as needs-approval.",
  holdsWhen: "every call that is offered, permitted, well formed and valid has its effect",
  oftenBrokenBy: "running only the first call of a turn, or taking text beside a call for the answer",
  needs: needsWitnessedEffects,
  judge(evidence) {
    const licences = licencesOf(evidence);
    const due = licences.calls.filter((call) => call.due);
    const undone = undoneCalls(evidence, due);
    return verdictOf([...undone.violations, ...lostResults(evidence, due), ...untrueStop(evidence)], undone.judged);
  },
});

/** `judged`: it was seen what became of one of the calls; in a run that broke down before, nothing was. */
function undoneCalls(
  evidence: Evidence,
  due: readonly Delivered[],
): { readonly violations: readonly Violation[]; readonly judged: boolean } {
  const { creditsOf, approvals } = licencesOf(evidence);
  const { trace, claims } = evidence;
  const end = runEnd(evidence);
  const broken = firstBreak(trace);
  const nextAsk = nextAsks(evidence);
  let repeats: Repeats | undefined;
  const { asked, again } = approvalRequests(evidence, licencesOf(evidence));
  const violations = again
    .filter(({ call }) => due.includes(call))
    .map(({ at, call }) =>
      violated(at, "asked-twice", `The human was asked again about the same call of "${call.call.name}".`),
    );
  let judged = false;
  for (const call of due) {
    if (creditsOf.has(call) || ranLate(trace, call)) {
      judged = true;
      continue;
    }
    const wentOn = nextAsk.get(call.step);
    const settledAt = wentOn ?? end?.at;
    if (settledAt === undefined || broken < settledAt) continue;
    // A run whose steps are used up may stop before it acts on its last turn.
    if (wentOn === undefined && end?.event.status === "out-of-steps" && !end.untrue) continue;
    // Asked only here: nearly all calls run, whatever came before.
    repeats ??= repeatsOf(evidence);
    const isTooEarly = wentOn === undefined && end?.untrue === true;
    // Whoever stops a model that goes round in circles refuses such a call, or ends the run.
    if (repeats.circling.has(call.step) && !isTooEarly) continue;
    if (repeats.outOfService.has(call)) continue;
    judged = true;
    // A run that paused at the first question of a turn may drop the other calls of that turn.
    if (!asked.has(call) && [...asked.keys()].some((other) => other.step === call.step)) continue;
    // A yes for the session need not keep the harness from asking again, and a yes after the run went on came too late.
    const isCovered = asked.has(call) ? approvals.coversItself : approvals.covers;
    const waits = call.permission === "ask" && !isCovered(call, settledAt);
    const what = `"${call.call.name}", called ${inTurn(call.step)},`;
    if (!waits) violations.push(notRun(call, what, wentOn !== undefined, end));
    else if (claims.approvals === "asked" && !asked.has(call)) {
      // The human was asked about just this before, and gave no yes.
      const isRefused = (other: Delivered) => other.at < call.at && asked.has(other) && !approvals.usedFor(other);
      if (repeats.equalsOf(call).some(isRefused)) continue;
      violations.push(
        violated(call.at, "not-put-to-the-human", `${what} only lacked approval, but no human was asked.`),
      );
    } else if (claims.approvals === "ends-run" && (wentOn !== undefined || end?.event.status !== "needs-approval")) {
      const instead = wentOn === undefined ? `the run ended "${end?.event.status}"` : "the run went on";
      violations.push(
        violated(
          call.at,
          "did-not-stop-for-approval",
          `${what} only lacked approval, but ${instead}, not as "needs-approval".`,
        ),
      );
    }
  }
  return { violations, judged };
}

/** It ran after the end, which breaks another rule. */
function ranLate(trace: Trace, call: Delivered): boolean {
  return trace.some(
    (event) =>
      event.type === "handler-started" &&
      event.late === true &&
      event.tool === call.call.name &&
      hasArguments(call, event.args),
  );
}

function notRun(call: Delivered, what: string, wentOn: boolean, end: RunEnd | undefined): Violation {
  const honest = `${what} was an honest call, but it never ran`;
  if (wentOn) return violated(call.at, "not-run", `${honest}: the run went on without it.`);
  if (end?.untrue)
    return violated(call.at, "untrue-out-of-steps", `${honest}: the run ended "out-of-steps" with steps left.`);
  const cause = end?.event.status === "answered" ? "silence" : "refused";
  return violated(call.at, cause, `${honest}: the run ended "${end?.event.status}".`);
}

/** Steps were left, nothing bad was proposed, and yet the run says that they were used up. */
function untrueStop(evidence: Evidence): readonly Violation[] {
  const end = runEnd(evidence);
  const { calls, creditsOf, loads } = licencesOf(evidence);
  if (end === undefined || !end.untrue || firstBreak(evidence.trace) < end.at) return [];
  const last = calls.filter((call) => call.step === end.step);
  const isClean =
    last.every((call) => call.due && creditsOf.has(call)) &&
    loads.every((load) => load.step !== end.step || load.known);
  return isClean ? [violated(end.at, "untrue-out-of-steps", 'The run ended "out-of-steps" with steps left.')] : [];
}

/** For each turn, the index at which a later turn was asked for. */
function nextAsks({ trace }: Evidence): ReadonlyMap<number, number> {
  const next = new Map<number, number>();
  let acting = 0;
  for (const [at, event] of trace.entries()) {
    if (event.type !== "asked" || event.late) continue;
    for (; acting < event.step; acting += 1) next.set(acting, at);
  }
  return next;
}
