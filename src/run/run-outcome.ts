import type { Harness, Outcome } from "../contract/harness.ts";
import { statusSchema } from "../contract/run-record.ts";
import type { TraceEvent } from "../contract/trace.ts";
import type { Hints } from "./hints.ts";
import { isKitRefusal } from "./kit-refusals.ts";
import { snapshotLog } from "./model-input.ts";
import { isOneOf, kindOf, messageOf, plain } from "./plain.ts";

const STATUSES: ReadonlySet<unknown> = new Set(statusSchema.options);
const FAULTS: ReadonlySet<string> = new Set(["TypeError", "RangeError", "ReferenceError"]);

/** How a run ended whose `run` resolved. */
export function endByOutcome(outcome: unknown, step: number, hints: Hints): TraceEvent {
  try {
    const { status, log } = (outcome ?? {}) as { status?: unknown; log?: unknown };
    if (STATUSES.has(status)) {
      const entries = snapshotLog(log, hints);
      if (entries !== undefined) hints.note("log");
      return { type: "ended", step, status: status as Outcome["status"], ...(entries && { log: entries }) };
    }
  } catch {
    // An outcome that throws when it is read is none.
  }
  const options = statusSchema.options.map((status) => `"${status}"`).join(", ");
  const message = `Expected \`run\` to give { status: ${options} }, got ${shown(outcome)}.`;
  return { type: "crashed", step, name: "InvalidOutcome", message };
}

/**
 * How a run ended whose `run` threw or rejected: by a stop that the harness documents, by the abort, or by a crash. A TypeError,
 * RangeError or ReferenceError is a crash whatever `stopsWith` says.
 */
export function endByError(harness: Harness, error: unknown, step: number, isAborted: boolean): TraceEvent {
  const name = nameOf(error);
  let status: unknown;
  let complaint = "";
  try {
    if (!isFault(error, name)) status = harness.stopsWith?.(error);
    if (status !== undefined && !STATUSES.has(status)) complaint = ` (and \`stopsWith\` gave ${shown(status)})`;
  } catch (failure) {
    complaint = ` (and \`stopsWith\` threw ${messageOf(failure)})`;
  }
  if (STATUSES.has(status)) return { type: "ended", step, status: status as Outcome["status"], thrown: name };
  if (isAborted && name === "AbortError") return { type: "ended", step, status: "aborted", thrown: name };
  const crash = { type: "crashed", step, name, message: messageOf(error) + complaint } as const;
  if (isKitRefusal(error)) return { ...crash, kitMade: true };
  const stack = stackOf(error);
  return stack === undefined ? crash : { ...crash, stack };
}

function isFault(error: unknown, name: string): boolean {
  return FAULTS.has(name) || isOneOf(error, TypeError, RangeError, ReferenceError);
}

function nameOf(error: unknown): string {
  if (error === null) return "null";
  if (typeof error !== "object") return typeof error;
  try {
    const name: unknown = "name" in error ? error.name : undefined;
    if (typeof name === "string" && name !== "") return name;
  } catch {
    // Named by its class then.
  }
  return kindOf(error);
}

function stackOf(error: unknown): string | undefined {
  try {
    const stack: unknown = error instanceof Error ? error.stack : undefined;
    return typeof stack === "string" ? stack : undefined;
  } catch {
    return undefined;
  }
}

function shown(value: unknown): string {
  try {
    const text = JSON.stringify(plain(value));
    return value === undefined ? "undefined" : text.length > 80 ? `${text.slice(0, 80)}...` : text;
  } catch (error) {
    return messageOf(error);
  }
}
