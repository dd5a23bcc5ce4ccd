import type { Evidence } from "../../src/contract/property.ts";
import type { EventOf, Trace } from "../../src/contract/trace.ts";
import { turnsAllowed } from "../../src/world/budget.ts";

/** How a run ended by itself; nothing where it crashed, hung or was never seen to end. */
export interface RunEnd {
  readonly at: number;
  readonly event: EventOf<"ended">;
  /** The last turn that was asked for. */
  readonly step: number;
  /** The run says that its steps were used up, and they were not. */
  readonly untrue: boolean;
  /** It ended as if nothing were open: not by a refusal, nor by a stop that the harness documents. */
  readonly quiet: boolean;
}

export function runEnd(evidence: Evidence): RunEnd | undefined {
  const at = evidence.trace.findIndex((event) => event.type === "ended" && !event.late);
  const event = evidence.trace[at];
  if (event?.type !== "ended") return undefined;
  const untrue = event.status === "out-of-steps" && hasStepsLeft(evidence);
  const quiet = (event.status === "answered" || untrue) && event.thrown === undefined;
  return { at, event, step: lastAsked(evidence.trace), untrue, quiet };
}

export function lastAsked(trace: Trace): number {
  return trace.reduce((last, event) => (event.type === "asked" && !event.late ? Math.max(last, event.step) : last), -1);
}

/** Steps can only be counted where the harness loops by itself, within a budget that is a positive whole number. */
export function isBudgeted({ world, claims, shape }: Evidence): boolean {
  return shape.loop !== "none" && claims.budget !== "none" && isWhole(world.maxSteps);
}

/** The budget bounds the run, and is no positive whole number. */
export function isBudgetOdd({ world, claims, shape }: Evidence): boolean {
  return shape.loop !== "none" && claims.budget !== "none" && !isWhole(world.maxSteps);
}

function hasStepsLeft(evidence: Evidence): boolean {
  // A failed request of the model is no step, but a harness that says it gave up after some has a case.
  const failures = evidence.trace.filter((event) => event.type === "model-failed").length;
  return isBudgeted(evidence) && lastAsked(evidence.trace) + 1 + failures < turnsAllowed(evidence.world.maxSteps);
}

function isWhole(maxSteps: unknown): boolean {
  return typeof maxSteps === "number" && Number.isInteger(maxSteps) && maxSteps > 0;
}

/** The first event after which what a run left undone is no longer its own choice. */
export function firstBreak(trace: Trace): number {
  const breaks = new Set(["crashed", "hung", "aborted", "unhandled-rejection", "kit-refused"]);
  const at = trace.findIndex((event) => breaks.has(event.type) && !event.late);
  return at < 0 ? trace.length : at;
}
