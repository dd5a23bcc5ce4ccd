import type { Report } from "./report.ts";
import { badArgument, validArgument } from "./valid-argument.ts";

/** Refuses what is no report, such as the promise of one. Only what is read of every report is looked at. */
export function validReport(report: Report, of: string): void {
  const argument = { of, is: "the report", please: "give what `await checkHarness(harness)` gives" };
  validArgument(report, argument, { rules: "list", hints: "list", fixed: "list" });
  if (typeof report.ok !== "boolean") throw badArgument(argument, "true or false", report.ok, "ok");
}
