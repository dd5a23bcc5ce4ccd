import type { Evidence } from "../../src/contract/property.ts";
import { decide, permissionsOf } from "../../src/world/policy.ts";
import type { ToolSpec } from "../../src/world/tool.ts";
import { findTool } from "../../src/world/world.ts";
import type { Approvals } from "./approvals.ts";
import type { Happening } from "./call-index.ts";
import type { Delivered, Deliveries, Fault } from "./deliveries.ts";

/** Why an effect had no licence. */
export type Reason = Fault | "not-approved" | "approval-of-another-call";

/** Where a call lacks several things, the first of these is named. */
export const reasonOrder: readonly (Reason | undefined)[] = [
  "not-offered",
  "denied",
  "not-approved",
  "approval-of-another-call",
  "malformed",
  "cut-off",
  "invalid-arguments",
];

export interface Gates {
  /** Why a call might not run at this point of the trace; `undefined` where it might. */
  reasonOf(call: Delivered, before: number): Reason | undefined;
  /** What keeps a tool from running with these arguments at this point, whatever was proposed. */
  shutFor(happening: Happening): Reason | undefined;
}

/** Whether the policy says one thing of some arguments and another of others. */
export function dependsOnArguments({ permission }: ToolSpec): boolean {
  return typeof permission !== "string" && new Set(permissionsOf(permission)).size > 1;
}

export function gatesOf({ world, claims }: Evidence, { firstLoad }: Deliveries, approvals: Approvals): Gates {
  const unapproved = (tool: string, callId: string | undefined, before: number): Reason =>
    approvals.anyFor(tool, callId, before) ? "approval-of-another-call" : "not-approved";
  return {
    reasonOf(call, before) {
      const [fault] = call.faults;
      if (fault === "not-offered" || fault === "denied" || call.permission !== "ask") return fault;
      if (approvals.covers(call, before) || approvals.coversRepaired(call, before)) return fault;
      if (approvals.cameTooLate(call, before)) return "not-approved";
      return unapproved(call.call.name, call.call.callId, before);
    },
    shutFor({ at, effect }) {
      const tool = findTool(world, effect.tool);
      if (tool === undefined) return undefined;
      const { offered, permission } = tool;
      const shown = offered === "always" || (offered !== "never" && (firstLoad.get(offered.afterSkill) ?? at) < at);
      if (!shown && claims.hiddenTools !== "none") return "not-offered";
      const readable = claims.argumentPolicies === true || !dependsOnArguments(tool);
      const only = readable ? decided(() => decide(permission, effect.args)) : undefined;
      if (only === "deny" && claims.deny) return "denied";
      if (only !== "ask" || claims.approvals === "none") return undefined;
      return unapproved(tool.name, effect.callId, at);
    },
  };
}

/** A policy whose schema can't be compiled decides nothing. */
function decided<Value>(compute: () => Value): Value | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}
