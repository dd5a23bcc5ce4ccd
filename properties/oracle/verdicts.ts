import type { Verdict, Violation } from "../../src/contract/verdict.ts";

/** The first violation of each cause, the first event first; or that the rule holds. */
export function verdictOf(violations: readonly Violation[], exercised: boolean): Verdict | readonly Verdict[] {
  if (violations.length === 0) return { kind: "holds", exercised };
  const byCause = new Map<string, Violation>();
  for (const violation of violations.toSorted((a, b) => a.at - b.at)) {
    if (!byCause.has(violation.cause)) byCause.set(violation.cause, violation);
  }
  return [...byCause.values()];
}

export function violated(at: number, cause: string, because: string): Violation {
  return { kind: "violated", at, cause, because };
}

/** Turns are counted from 1 where people read them. */
export function inTurn(step: number): string {
  return `in turn ${step + 1}`;
}
