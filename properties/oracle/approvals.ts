import type { Evidence } from "../../src/contract/property.ts";
import { type Delivered, hasArguments } from "./deliveries.ts";

/** One yes of the human. It fits one call id, one tool and the exact arguments, and is used once. */
interface Grant {
  readonly at: number;
  readonly askedAt: number;
  readonly args: unknown;
}

/** Which calls the human said yes to, in time. */
export interface Approvals {
  /** Whether an approval covers this call before the event of this index. */
  covers(call: Delivered, before: number): boolean;
  /** The same, and the approval is used up. */
  use(call: Delivered, before: number): boolean;
  /** Whether there was an approval for that tool or that id, whatever it was for. */
  anyFor(tool: string, callId: string | undefined, before: number): boolean;
}

const NO_APPROVALS: Approvals = { covers: () => false, use: () => false, anyFor: () => false };

/**
 * Reads the approvals of a run. A yes after the deadline, or after the run was aborted, is none; where approvals end the
 * run there is none at all.
 */
export function approvalsOf({ trace, claims }: Evidence, calls: readonly Delivered[]): Approvals {
  if (claims.approvals !== "asked") return NO_APPROVALS;
  const ids = new Set(calls.map((call) => call.call.callId));
  const requests = new Map<number, number>();
  const firstByTool = new Map<string, number>();
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
    grants.push({ at, askedAt: requests.get(event.request) ?? at, args: event.args });
    open.set(key, grants);
    if (!firstByTool.has(event.tool)) firstByTool.set(event.tool, at);
    if (callId !== undefined && !firstById.has(callId)) firstById.set(callId, at);
  }

  const search = (call: Delivered, before: number, spend: boolean): boolean => {
    if (claims.sessionGrants) return (firstByTool.get(call.call.name) ?? before) < before;
    for (const key of [keyOf(call.call.name, call.call.callId), keyOf(call.call.name, undefined)]) {
      const grants = open.get(key) ?? [];
      const index = grants.findIndex(
        (grant) => grant.at < before && grant.askedAt > call.at && hasArguments(call, grant.args),
      );
      if (index >= 0 && spend) grants.splice(index, 1);
      if (index >= 0) return true;
    }
    return false;
  };
  return {
    covers: (call, before) => search(call, before, false),
    use: (call, before) => search(call, before, true),
    anyFor: (tool, callId, before) =>
      (firstByTool.get(tool) ?? before) < before ||
      (callId !== undefined && (firstById.get(callId) ?? before) < before),
  };
}

function keyOf(tool: string, callId: string | undefined): string {
  return JSON.stringify(callId === undefined ? [tool] : [tool, callId]);
}
