import type { Report } from "../contract/report.ts";
import { validReport } from "../contract/valid-report.ts";
import { renderText, type TextOptions } from "./render-text.ts";

/**
 * Throws where a report is not ok; the error's message is the text report, and its stack names the caller alone.
 *
 * @example
 * assertHolds(await checkHarness(harness));
 */
export function assertHolds(report: Report, options: TextOptions = {}): void {
  validReport(report, "assertHolds");
  if (report.ok) return;
  throw contractError(renderText(report, options), assertHolds);
}

/** An error that carries a text for people. `above`: the function whose caller the stack begins with; none: no frames at all. */
export function contractError(text: string, above?: (...parameters: never[]) => unknown): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = above === undefined ? 0 : 1;
  try {
    const error = new Error(text);
    // Set before the stack is written, or the text would stand under the name "Error"; hidden, or runners print it twice.
    Object.defineProperty(error, "name", { value: "GatecrashError", configurable: true, writable: true });
    Error.captureStackTrace(error, above);
    return error;
  } finally {
    Error.stackTraceLimit = limit;
  }
}
