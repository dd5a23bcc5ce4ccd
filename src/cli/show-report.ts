import type { Report } from "../contract/report.ts";
import { renderJson } from "../report/render-json.ts";
import { renderText, type TextOptions } from "../report/render-text.ts";
import { writeJson } from "./json-target.ts";
import { print } from "./standard-output.ts";

/** Prints a report as text, and writes it as JSON where that was asked for; "-" puts the JSON in the place of the text. */
export function showReport(report: Report, json: string | undefined, options: TextOptions): void {
  if (json === "-") {
    print(`${renderJson(report)}\n`);
    return;
  }
  print(`${renderText(report, { ...options, colour: wantsColour() })}\n`);
  if (json !== undefined) writeJson(json, renderJson(report));
}

export function wantsColour(): boolean {
  const { NO_COLOR, TERM } = process.env;
  return process.stdout.isTTY === true && (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
}
