import type { Finding } from "../contract/finding.ts";
import type { Report, RuleReport } from "../contract/report.ts";
import { type Paint, paintFor } from "./paint.ts";
import { parting } from "./parting.ts";
import { renderTest } from "./render-test.ts";
import { type ReplayCommand, replayLine } from "./replay-command.ts";
import { scriptLines } from "./script-lines.ts";
import { timeline } from "./timeline.ts";
import { counted, quoted, shortened, visible, wrapped } from "./visible-text.ts";

export interface FindingOptions {
  readonly paint?: Paint;
  readonly command?: ReplayCommand;
  /** Leaves the paste-ready test out: another finding of the same rule has one. Default false. */
  readonly withoutTest?: boolean;
}

/** One finding as a reader needs it: the fact, the smallest script, what the world saw, the rule, and how to go on. */
export function renderFinding(
  rule: RuleReport,
  finding: Finding,
  report: Pick<Report, "harness" | "replayed" | "savedIn">,
  options: FindingOptions = {},
): string {
  const paint = options.paint ?? paintFor(false);
  const word = finding.flaky === true ? paint.open("FLAKY ") : paint.bad("BROKEN");
  const command = options.command ?? {};
  const replay = replayLine(finding, { folder: report.savedIn, ...command });
  const named = finding.trace[finding.at];
  const tools = named !== undefined && "tool" in named ? [named.tool] : [];
  const section = (title: string, lines: readonly string[]) => [
    "",
    paint.strong(title),
    ...lines.map((line) => `  ${line}`),
  ];
  return [
    `${word} ${paint.strong(rule.id)} in ${quoted(report.harness)}${rule.level === "should" ? " (a SHOULD)" : ""}`,
    `       ${paint.strong(shortened(visible(finding.because), 600))}`,
    ...section(
      `${isSmallest(finding, report) ? "The smallest script" : "The script, not made smaller"}: ${counted(finding.proposals, "proposal")}`,
      scriptLines(finding.script, finding.classes, tools),
    ),
    ...section("What the world saw", timeline(finding.trace, finding.at).map(arrowed(paint))),
    ...(finding.twin === undefined
      ? []
      : [
          ...section("The other run it was compared with", scriptLines(finding.twin.script, [], tools)),
          ...section("Where the two runs part", parting(finding.trace, finding.twin.trace)),
        ]),
    ...section("The rule", wrapped(rule.rule)),
    ...section("Often broken by", wrapped(rule.oftenBrokenBy)),
    ...section("How it was found", [originWords(finding, report.replayed === true)]),
    ...(replay === undefined ? [] : section("Replay it", [replay])),
    ...(options.withoutTest === true
      ? []
      : ["", paint.strong("Keep it as a test"), renderTest(rule.id, finding, command)]),
  ].join("\n");
}

/** Found just before the time was up, it stays as it was found. */
function isSmallest({ shrinkRuns, proposals }: Finding, { replayed }: Pick<Report, "replayed">): boolean {
  return shrinkRuns > 0 || proposals < 2 || replayed === true;
}

function arrowed(paint: Paint): (line: string) => string {
  return (line) => (line.startsWith("→") ? paint.bad(line) : line);
}

function originWords(finding: Finding, replayed: boolean): string {
  const where = { saved: "a saved script", enumeration: "the enumeration", random: "the random scripts" }[
    finding.foundIn
  ];
  const again = finding.flaky === true ? "; it did not fail again when it was played again" : "";
  const smaller = finding.shrinkRuns === 0 ? "" : `, made smaller in ${counted(finding.shrinkRuns, "run")}`;
  const found = replayed
    ? "by playing the script again"
    : `by ${where}, after ${counted(finding.foundAfter, "script")}`;
  return `${found}${smaller}; cause: ${visible(finding.cause)}${again}`;
}
