import type { BaselineReport, KnownFailure, Report } from "../contract/report.ts";
import { counted, quoted, visible } from "./visible-text.ts";

type Named = Pick<KnownFailure, "rule" | "cause">;

/** What a report says of its baseline, beside the rules that are broken as it knows: what changed, and what can't be told. */
export function knownFailures({ baseline }: Pick<Report, "baseline">): readonly string[] {
  if (baseline === undefined) return [];
  const { gone, open, written, notWritten } = baseline;
  return [
    ...section(
      "No longer broken, although the baseline says so",
      gone.map((failure) => goneSentence(failure, baseline)),
    ),
    ...section(
      "Known failures that could not be looked for",
      open.map((failure) => `${nameOf(failure)}: ${visible(failure.unclear)}`),
    ),
    ...(written === undefined
      ? []
      : section(`The baseline was written: ${place(baseline)}`, [
          ...written.added.map((failure) => `new: ${nameOf(failure)}; fill in its \`because\``),
          ...written.removed.map((failure) => `taken out: ${nameOf(failure)}${reason(failure)}`),
          ...(written.added.length + written.removed.length === 0 ? ["nothing changed"] : []),
        ])),
    ...(notWritten === undefined ? [] : section("The baseline was not written", [visible(notWritten)])),
  ];
}

/** What to do about an entry that no longer fails. */
export function goneSentence(failure: KnownFailure, baseline: Pick<BaselineReport, "file">): string {
  const what = `${nameOf(failure)} no longer fails${reason(failure)}.`;
  if (baseline.file === undefined) return `${what} Do take it out of the baseline.`;
  return `${what} Do take it out of ${place(baseline)}, or run the check with \`--update-baseline\`.`;
}

/** The headline's words on the entries that no rule shows. */
export function knownCounts({ gone, open, notWritten }: BaselineReport): readonly string[] {
  return [
    ...(gone.length === 0
      ? []
      : [`${counted(gone.length, "known failure")} no longer fail${gone.length > 1 ? "" : "s"}`]),
    ...(open.length === 0 ? [] : [`${counted(open.length, "known failure")} not looked for`]),
    ...(notWritten === undefined ? [] : ["the baseline was not written"]),
  ];
}

function nameOf({ rule, cause }: Named): string {
  return `${visible(rule)}, ${visible(cause)}`;
}

function reason({ because }: Pick<KnownFailure, "because">): string {
  return because === "" ? "" : ` (known, because: ${visible(because)})`;
}

function place({ file = "the baseline" }: Pick<BaselineReport, "file">): string {
  return quoted(file);
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ["", heading, ...lines.map((line) => `  ${line}`)];
}
