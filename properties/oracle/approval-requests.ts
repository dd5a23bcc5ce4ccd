import type { Evidence } from "../../src/contract/property.ts";
import type { Licences } from "../licences.ts";
import { type Delivered, hasArguments } from "./deliveries.ts";
import { differenceFrom, nearest } from "./likeness.ts";

/** How calls were put to the human. */
export interface ApprovalRequests {
  /** The calls that a request was for, and the index of the first. */
  readonly asked: ReadonlyMap<Delivered, number>;
  /** The call that each request was for, where there is one. */
  readonly callOf: ReadonlyMap<number, Delivered>;
  /** Requests for a call that a request had been for already, though the human had said yes or no to it. */
  readonly again: readonly { readonly at: number; readonly call: Delivered }[];
}

/** Matches each request to one call of that tool delivered before it: by id or arguments, the current turn first. */
export function approvalRequests({ trace, claims }: Evidence, { calls }: Licences): ApprovalRequests {
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
    const fits = (call: Delivered): boolean =>
      call.at < at && (call.call.callId === event.callId || hasArguments(call, event.args));
    const isFresh = (call: Delivered): boolean => !asked.has(call) && fits(call);
    const here = (byTool.get(event.tool) ?? []).filter((call) => call.step === event.step);
    const fresh =
      here.find((call) => isFresh(call) && call.call.callId === event.callId) ??
      nearest(here.filter(isFresh), (call) => differenceFrom(call, event.args)) ??
      byTool.get(event.tool)?.findLast(isFresh);
    if (fresh !== undefined) {
      asked.set(fresh, at);
      open.add(fresh);
      requests.set(event.request, fresh);
      continue;
    }
    const before = here.find(fits);
    // A question left open, or lost in a human's error, may be put again.
    if (before !== undefined && !open.has(before)) again.push({ at, call: before });
    if (before !== undefined) requests.set(event.request, before);
  }
  return { asked, callOf: requests, again };
}
