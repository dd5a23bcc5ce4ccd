import type { Claims } from "../../src/contract/harness.ts";

/** The rules about verdicts need something that can be refused. */
export function needsAnyGate({ approvals, deny, hiddenTools }: Claims): string | undefined {
  const gated = approvals !== "none" || deny || hiddenTools !== "none";
  return gated ? undefined : "no gate is claimed, neither approvals nor denied nor hidden tools";
}
