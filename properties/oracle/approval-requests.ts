import type { Evidence } from "../../src/contract/property.ts";
import type { Licences } from "../licences.ts";
import { type Delivered, hasArguments } from "./deliveries.ts";
import { differenceFrom, nearest } from "./likeness.ts";
import { shownArguments } from "./shown-arguments.ts";

/** How calls were put to the human. */
export interface ApprovalRequests {
  /** The calls that a request was for, and the index of the first. */
  readonly asked: ReadonlyMap<Delivered, number>;
  /** The call that each request was for, where there is one. */
  readonly callOf: ReadonlyMap<number, Delivered>;
  /** Requests for a call that a request had been for already, though the human had said yes or no to it. */
  readonly again: readonly { readonly at: number; readonly call: Delivered }[];
}

const known = new WeakMap<Licences, ApprovalRequests>();

/** Several rules ask this of the same trace. */
export function approvalRequests(evidence: Evidence, licences: Licences): ApprovalRequests {
  let requests = known.get(licences);
  if (requests === undefined) {
    requests = matched(evidence, licences);
    known.set(licences, requests);
  }
  return requests;
}

/** Matches each request to one call of that tool delivered before it: by id or arguments, the current turn first. */
function matched({ trace, claims }: Evidence, { calls }: Licences): ApprovalRequests {
  const asked = new Map<Delivered, number>();
  const requests = new Map<number, Delivered>();
  const again: { at: number; call: Delivered }[] = [];
  if (claims.approvals !== "asked") return { asked, callOf: requests, again };
  const byTool = new Map<string, Delivered[]>();
  for (const call of calls) {
    const list = byTool.get(call.call.name) ?? [];
    list.push(call);
    byTool.set(call.call.name, list);
  }
  const open = new Set<Delivered>();
  for (const [at, event] of trace.entries()) {
    if (event.type === "approval-given" && ["approve", "deny"].includes(event.decision)) {
      const call = requests.get(event.request);
      if (call !== undefined) open.delete(call);
    }
    if (event.type !== "approval-asked" || event.late) continue;
    const args = shownArguments(event.args);
    const fits = (call: Delivered): boolean =>
      call.at < at && (call.call.callId === event.callId || hasArguments(call, args));
    const isFresh = (call: Delivered): boolean => !asked.has(call) && fits(call);
    const ofTool = byTool.get(event.tool) ?? [];
    const here = ofTool.filter((call) => call.step === event.step);
    // A question left open, and put again.
    const waiting = here.find(
      (call) => open.has(call) && call.call.callId === event.callId && hasArguments(call, args),
    );
    if (waiting !== undefined) {
      requests.set(event.request, waiting);
      continue;
    }
    const fresh =
      here.find((call) => isFresh(call) && call.call.callId === event.callId && hasArguments(call, args)) ??
      nearest(here.filter(isFresh), (call) => differenceFrom(call, args)) ??
      ofTool.findLast(isFresh);
    if (fresh !== undefined) {
      asked.set(fresh, at);
      open.add(fresh);
      requests.set(event.request, fresh);
      continue;
    }
    const before = here.find(fits);
    // A question left open, or lost in a human's error, may be put again; without ids it may be that of any equal call.
    const isAgain = before !== undefined && !ofTool.some((call) => open.has(call) && fits(call));
    if (isAgain) again.push({ at, call: before });
    if (before !== undefined) requests.set(event.request, before);
  }
  return { asked, callOf: requests, again };
}
