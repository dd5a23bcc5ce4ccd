import type { Evidence } from "../../src/contract/property.ts";
import { type Delivered, hasArguments } from "./deliveries.ts";
import { differenceFrom, nearest } from "./likeness.ts";
import { shownArguments } from "./shown-arguments.ts";
import { isTimelyYes } from "./timely-yes.ts";

/** One yes of the human. It fits one call id, one tool and the exact arguments, and is used once. */
export interface Grant {
  readonly at: number;
  readonly step: number;
  readonly askedAt: number;
  readonly tool: string;
  /** As the harness gave it; not every harness hands the call's id on. */
  readonly callId: string | undefined;
  readonly args: unknown;
}

/** Which calls the human said yes to, in time. */
export interface Approvals {
  /** Every yes that came in time, in order. */
  readonly grants: readonly Grant[];
  /** Whether an approval covers this call before the event of this index. */
  covers(call: Delivered, before: number): boolean;
  /** The same, where a yes to an earlier call of that tool does not count. */
  coversItself(call: Delivered, before: number): boolean;
  /** Whether the human said yes to what the harness made of a call whose text is malformed: it is known by its id alone. */
  coversRepaired(call: Delivered, before: number): boolean;
  /** The same, and the approval is used up. */
  use(call: Delivered, before: number): boolean;
  /** The approval that this call has used up. */
  usedFor(call: Delivered): Grant | undefined;
  /** Whether the human said yes to this call, but past the deadline or after an abort. */
  cameTooLate(call: Delivered, before: number): boolean;
  /** Whether there was an approval for that tool or that id, whatever it was for. */
  anyFor(tool: string, callId: string | undefined, before: number): boolean;
}

const NO_APPROVALS: Approvals = {
  grants: [],
  covers: () => false,
  coversItself: () => false,
  coversRepaired: () => false,
  use: () => false,
  usedFor: () => undefined,
  cameTooLate: () => false,
  anyFor: () => false,
};

/**
 * Reads the approvals of a run. A yes after the deadline, or, where the harness obeys the signal, after the run was aborted, is
 * none; where approvals end the run there is none at all.
 */
export function approvalsOf({ trace, claims }: Evidence, calls: readonly Delivered[]): Approvals {
  if (claims.approvals !== "asked") return NO_APPROVALS;
  const ids = new Set(calls.map((call) => call.call.callId));
  const requests = new Map<number, number>();
  const grants: Grant[] = [];
  const refusals: Grant[] = [];
  const tooLate: Grant[] = [];
  let isAborted = false;
  const firstByTool = new Map<string, Pick<Grant, "at" | "step">>();
  const firstById = new Map<string, number>();
  const open = new Map<string, Grant[]>();
  const used = new Map<Delivered, Grant>();
  for (const [at, event] of trace.entries()) {
    if (event.late) continue;
    if (event.type === "aborted" && claims.abort === true) isAborted = true;
    if (event.type === "approval-asked" && !requests.has(event.request)) requests.set(event.request, at);
    if (event.type !== "approval-given") continue;
    const { step, tool, callId, decision } = event;
    const args = shownArguments(event.args);
    const grant = { at, step, askedAt: requests.get(event.request) ?? at, tool, callId, args };
    // A throwing human counts as a no.
    if (decision === "deny" || decision === "throw") refusals.push(grant);
    if (event.granted && (isAborted || !isTimelyYes(event, claims))) tooLate.push(grant);
    if (isAborted || !isTimelyYes(event, claims)) continue;
    grants.push(grant);
    const known = open.get(tool);
    if (known === undefined) open.set(tool, [grant]);
    else known.push(grant);
    if (!firstByTool.has(tool)) firstByTool.set(tool, { at, step });
    if (callId !== undefined && ids.has(callId) && !firstById.has(callId)) firstById.set(callId, at);
  }

  const hasRival = (no: Grant, call: Delivered): boolean =>
    calls.some((other) => other !== call && other.step === call.step && isAbout(no, other));
  /** In a later turn the human may say yes to an equal call: that takes back no answer to this one. */
  const isAfterNo = (yes: Grant, call: Delivered): boolean =>
    yes.step > call.step && refusals.some((no) => no.step === call.step && isAbout(no, call) && !hasRival(no, call));
  // Not by id: not every harness hands it on, some mint their own, and of equal calls it makes no difference which runs.
  const search = (call: Delivered, before: number): Grant | undefined => {
    const fits = (grant: Grant): boolean => grant.at < before && isAbout(grant, call) && !isAfterNo(grant, call);
    const fitting = open.get(call.call.name)?.filter(fits) ?? [];
    return nearest(fitting, (grant) => differenceFrom(call, grant.args));
  };
  const spend = (call: Delivered, before: number): boolean => {
    const found = search(call, before);
    if (found === undefined) return false;
    const left = open.get(found.tool) ?? [];
    left.splice(left.indexOf(found), 1);
    used.set(call, found);
    return true;
  };
  /** A yes for the session reaches later calls; not one of an earlier turn, nor one that the human said no to. */
  const inSession = (call: Delivered, before: number): boolean => {
    const first = claims.sessionGrants ? firstByTool.get(call.call.name) : undefined;
    if (first === undefined || first.at >= before || first.step > call.step) return false;
    return !refusals.some((no) => no.at < before && isAbout(no, call) && !hasRival(no, call));
  };
  return {
    grants,
    covers: (call, before) => search(call, before) !== undefined || inSession(call, before),
    coversItself: (call, before) => search(call, before) !== undefined,
    coversRepaired({ at, values, call }, before) {
      const isOwn = calls.filter((other) => other.call.callId === call.callId).length === 1;
      const isNamed = (grant: Grant): boolean =>
        grant.at < before && grant.askedAt > at && grant.tool === call.name && grant.callId === call.callId;
      return values.length === 0 && isOwn && grants.some(isNamed);
    },
    use: (call, before) => spend(call, before) || inSession(call, before),
    usedFor: (call) => used.get(call),
    cameTooLate: (call, before) => tooLate.some((yes) => yes.at < before && isAbout(yes, call)),
    anyFor: (tool, callId, before) =>
      (firstByTool.get(tool)?.at ?? before) < before ||
      (callId !== undefined && (firstById.get(callId) ?? before) < before),
  };
}

function isAbout(answer: Grant, call: Delivered): boolean {
  return answer.tool === call.call.name && answer.askedAt > call.at && hasArguments(call, answer.args);
}
