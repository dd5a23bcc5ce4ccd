import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { Baseline } from "../contract/baseline.ts";
import type { CheckOptions } from "../contract/check-options.ts";
import type { Report } from "../contract/report.ts";
import { UsageError } from "../errors.ts";
import { messageOf } from "../run/plain.ts";
import { parseJson } from "../world/json.ts";
import { applyBaseline } from "./apply-baseline.ts";
import { updateBaseline } from "./update-baseline.ts";
import { isSame, validBaseline } from "./valid-baseline.ts";

type BaselineOptions = Pick<CheckOptions, "baseline" | "updateBaseline">;

/**
 * What a baseline makes of the report of a campaign. A baseline that can't be read, or not be written where that was asked
 * for, is refused here, before a long campaign and not after it.
 */
export function openBaseline({ baseline, updateBaseline: isUpdated }: BaselineOptions): (report: Report) => Report {
  if (baseline === undefined) return (report) => report;
  if (typeof baseline !== "string") {
    const valid = validBaseline(baseline);
    return (report) => withOthersNamed(applyBaseline(report, valid), valid);
  }
  if (isUpdated !== true) {
    const read = readBaseline(baseline);
    return (report) => withFile(withOthersNamed(applyBaseline(report, read), read), baseline);
  }
  readIfThere(baseline);
  refuseUnwritable(baseline);
  return (report) => updated(report, baseline);
}

/** Writes the baseline anew, and judges the report by it; by the one before where it could not be written. */
function updated(report: Report, file: string): Report {
  let earlier: Baseline = { format: 1, known: [] };
  try {
    // Read again: other harnesses may have written theirs meanwhile, and people their reasons.
    earlier = readIfThere(file);
    const next = updateBaseline(report, earlier);
    writeWhole(file, `${JSON.stringify(next, null, 2)}\n`);
    const only = (these: Baseline, those: Baseline) =>
      these.known
        .filter((entry) => !those.known.some((other) => isSame(entry, other)))
        .map(({ rule, cause, because }) => ({ rule, cause, because }));
    return withFile(applyBaseline(report, next), file, { added: only(next, earlier), removed: only(earlier, next) });
  } catch (error) {
    const judged = withFile(applyBaseline(report, earlier), file);
    return { ...judged, ok: false, baseline: { gone: [], open: [], ...judged.baseline, notWritten: messageOf(error) } };
  }
}

/** Puts a new file in the place of the old one: what people wrote is not lost where the writing fails half-way. */
function writeWhole(file: string, text: string): void {
  const place = existsSync(file) ? realpathSync(file) : file;
  const beside = `${place}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, place);
  } finally {
    rmSync(beside, { force: true });
  }
}

function withFile(report: Report, file: string, written?: NonNullable<Report["baseline"]>["written"]): Report {
  const { gone = [], open = [] } = report.baseline ?? {};
  return { ...report, baseline: { file, gone, open, ...(written === undefined ? {} : { written }) } };
}

/** A harness that was given another name would lose all its entries, and nobody would see why. */
function withOthersNamed(report: Report, { known }: Baseline): Report {
  const names = [...new Set(known.map(({ harness }) => harness))];
  if (names.length === 0 || names.includes(report.harness)) return report;
  const others = names.map((name) => JSON.stringify(name)).join(", ");
  const hint = `The baseline holds nothing for ${JSON.stringify(report.harness)}, only for ${others}.`;
  return { ...report, hints: [...report.hints, hint] };
}

function readIfThere(file: string): Baseline {
  return existsSync(file) ? readBaseline(file) : { format: 1, known: [] };
}

/** Reads a baseline; anything but one is a usage error that names the file. */
export function readBaseline(file: string): Baseline {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const got = reasonOf(error, { ENOENT: "which does not exist", EISDIR: "which is a folder" });
    const please = existsSync(file) ? "name another one" : "check the path, or write it with `--update-baseline`";
    throw new UsageError(
      "no-such-baseline",
      `Expected the baseline to be a file that can be read, got \`${file}\`, ${got}. Do ${please}.`,
      { file },
    );
  }
  // Editors of some systems put a byte order mark in front.
  const value = parseJson(text.replace(/^\uFEFF/, ""));
  if (value === undefined) {
    throw new UsageError(
      "baseline-not-json",
      `Expected \`${file}\` to hold a baseline as JSON, got text that does not parse. Do correct or restore the file.`,
      { file },
    );
  }
  return validBaseline(value, file);
}

function refuseUnwritable(file: string): void {
  const isNew = !existsSync(file);
  try {
    closeSync(openSync(file, "a"));
    if (isNew) rmSync(file);
  } catch (error) {
    const got = reasonOf(error, { ENOENT: "whose folder does not exist" });
    throw new UsageError(
      "unwritable-baseline",
      `Expected the baseline to be a file that can be written, got \`${file}\`, ${got}. Do name another one.`,
      { file },
    );
  }
}

function reasonOf(error: unknown, words: Readonly<Record<string, string>>): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "unknown";
  return words[code] ?? `which fails with ${code}`;
}
