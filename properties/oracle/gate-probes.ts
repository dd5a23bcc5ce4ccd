import type { Delivered, Fault } from "./deliveries.ts";

/**
 * Whether a call puts a gate to the test: it lacks nothing but permission. That a malformed call of a hidden tool did not
 * run says nothing about hidden tools.
 */
export function isGateProbe(call: Delivered, gate: "not-offered" | "denied" | "ask"): boolean {
  const shut: readonly Fault[] = ["not-offered", "denied"];
  const tested = gate === "ask" ? call.permission === "ask" : call.faults.includes(gate);
  return tested && call.faults.every((fault) => shut.includes(fault));
}
