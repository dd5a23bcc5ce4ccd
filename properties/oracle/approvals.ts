import type { Evidence } from "../../src/contract/property.ts";
import { type Delivered, hasArguments } from "./deliveries.ts";
import { differenceFrom, nearest } from "./likeness.ts";

/** One yes of the human. It fits one call id, one tool and the exact arguments, and is used once. */
interface Grant {
  readonly at: number;
  readonly step: number;
  readonly askedAt: number;
  readonly args: unknown;
}

/** Which calls the human said yes to, in time. */
export interface Approvals {
  /** Whether an approval covers this call before the event of this index. */
  covers(call: Delivered, before: number): boolean;
  /** The same, where a yes to an earlier call of that tool does not count. */
  coversItself(call: Delivered, before: number): boolean;
  /** The same, and the approval is used up. */
  use(call: Delivered, before: number): boolean;
  /** Whether there was an approval for that tool or that id, whatever it was for. */
  anyFor(tool: string, callId: string | undefined, before: number): boolean;
}

const NO_APPROVALS: Approvals = {
  covers: () => false,
  coversItself: () => false,
  use: () => false,
  anyFor: () => false,
};

/**
 * Reads the approvals of a run. A yes after the deadline, or after the run was aborted, is none; where approvals end the
 * run there is none at all.
 */
export function approvalsOf({ trace, claims }: Evidence, calls: readonly Delivered[]): Approvals {
  if (claims.approvals !== "asked") return NO_APPROVALS;
  const ids = new Set(calls.map((call) => call.call.callId));
  const requests = new Map<number, number>();
  const firstByTool = new Map<string, Pick<Grant, "at" | "step">>();
  const firstById = new Map<string, number>();
  const open = new Map<string, Grant[]>();
  for (const [at, event] of trace.entries()) {
    if (event.late) continue;
    if (event.type === "aborted") break;
    if (event.type === "approval-asked" && !requests.has(event.request)) requests.set(event.request, at);
    if (event.type !== "approval-given" || !event.granted || event.decision === "late-approve") continue;
    // An id that the harness minted itself tells nothing.
    const callId = event.callId !== undefined && ids.has(event.callId) ? event.callId : undefined;
    const key = keyOf(event.tool, callId);
    const grants = open.get(key) ?? [];
    grants.push({ at, step: event.step, askedAt: requests.get(event.request) ?? at, args: event.args });
    open.set(key, grants);
    if (!firstByTool.has(event.tool)) firstByTool.set(event.tool, { at, step: event.step });
    if (callId !== undefined && !firstById.has(callId)) firstById.set(callId, at);
  }

  const search = (call: Delivered, before: number, spend: boolean): boolean => {
    for (const key of [keyOf(call.call.name, call.call.callId), keyOf(call.call.name, undefined)]) {
      const grants = open.get(key) ?? [];
      const fitting = grants.filter(
        (grant) => grant.at < before && grant.askedAt > call.at && hasArguments(call, grant.args),
      );
      const found = nearest(fitting, (grant) => differenceFrom(call, grant.args));
      if (found === undefined) continue;
      if (spend) grants.splice(grants.indexOf(found), 1);
      return true;
    }
    return false;
  };
  /** A yes for the session reaches later calls; one that was refused in an earlier turn is not called back. */
  const inSession = (call: Delivered, before: number): boolean => {
    const first = claims.sessionGrants ? firstByTool.get(call.call.name) : undefined;
    return first !== undefined && first.at < before && first.step <= call.step;
  };
  return {
    covers: (call, before) => search(call, before, false) || inSession(call, before),
    coversItself: (call, before) => search(call, before, false),
    use: (call, before) => search(call, before, true) || inSession(call, before),
    anyFor: (tool, callId, before) =>
      (firstByTool.get(tool)?.at ?? before) < before ||
      (callId !== undefined && (firstById.get(callId) ?? before) < before),
  };
}

function keyOf(tool: string, callId: string | undefined): string {
  return JSON.stringify(callId === undefined ? [tool] : [tool, callId]);
}
