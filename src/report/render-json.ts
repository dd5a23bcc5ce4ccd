import type { Report } from "../contract/report.ts";
import { validReport } from "../contract/valid-report.ts";
import { indentedJson } from "./json-text.ts";

/** A report as JSON text, for programs; two campaigns of one seed give the same text. */
export function renderJson(report: Report): string {
  validReport(report, "renderJson");
  return indentedJson(report);
}
