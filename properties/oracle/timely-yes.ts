import type { Claims } from "../../src/contract/harness.ts";
import type { EventOf } from "../../src/contract/trace.ts";

/** Whether the human said yes, and not too late. Without a deadline nothing comes too late. */
export function isTimelyYes({ granted, decision }: EventOf<"approval-given">, { deadlineMs }: Claims): boolean {
  return granted && (decision !== "late-approve" || deadlineMs === undefined);
}
