import { openBaseline } from "../check/baseline-file.ts";
import { checkHarness, checkOnStage, type OpenStage } from "../check/check-harness.ts";
import { campaignSeed } from "../contract/campaign-seed.ts";
import type { CheckOptions } from "../contract/check-options.ts";
import type { Harness } from "../contract/harness.ts";
import type { Report } from "../contract/report.ts";
import { UsageError } from "../errors.ts";
import { embeddedHarness } from "./embedded-harness.ts";
import { exitCode } from "./exit-code.ts";
import { tellPlaying } from "./heartbeat.ts";
import { checkWritable } from "./json-target.ts";
import { loadHarness } from "./load-harness.ts";
import { ProgressLine } from "./progress-line.ts";
import { showReport } from "./show-report.ts";
import { watchProcess } from "./watch-process.ts";
import { watchedCommand } from "./watched-command.ts";

/** What every command understands that plays scripts. */
export interface PlayFlags {
  readonly only?: readonly string[];
  readonly export?: string;
  readonly json?: string;
}

export interface CheckFlags extends PlayFlags {
  readonly seed?: number;
  readonly runs?: number;
  readonly scripts?: number;
  readonly should?: "fail" | "report";
  readonly timeLimit?: number;
  readonly baseline?: string;
  readonly updateBaseline?: boolean;
}

const usualLimit = 120;

/** A week. */
const longestLimit = 604_800;

/** `gatecrash check FILE`, in a process that can be ended where the harness blocks it for ever. */
export async function watchedCheck(words: readonly string[], file: string, flags: CheckFlags): Promise<number> {
  refuseUnusable(flags);
  const seed = flags.seed ?? campaignSeed(process.env);
  const at = words.indexOf("check") + 1;
  const seeded = [...words.slice(0, at), "--seed", String(seed), ...words.slice(at)];
  return watchedCommand(seeded, { file, picked: flags.export }, async (open, lostMs) => {
    const lost = Math.ceil(lostMs / 1000);
    const timeLimit = Math.min(longestLimit, (flags.timeLimit ?? usualLimit) + lost);
    const report = await checkAndShow(file, { ...flags, seed, ...(lost === 0 ? {} : { timeLimit }) }, open);
    return { code: exitCode(report, flags.should), isExplained: !report.ok || knowsOfLoss(report) };
  });
}

/** `gatecrash check [FILE]`: fuzzes the harness of that file, or the embedded one. */
export async function runCheck(file: string | undefined, flags: CheckFlags): Promise<number> {
  return exitCode(await checkAndShow(file, flags), flags.should);
}

async function checkAndShow(file: string | undefined, flags: CheckFlags, open?: OpenStage): Promise<Report> {
  const { seed, runs, scripts, should, timeLimit, only, baseline, updateBaseline } = flags;
  refuseUnusable(flags);
  const progress = new ProgressLine();
  const release = watchProcess(() => progress.soFar);
  let report: Report;
  let command = null;
  try {
    let harness: Harness;
    if (file === undefined) harness = await embeddedHarness();
    else ({ harness, command } = await loadHarness(file, flags.export));
    const options: CheckOptions = {
      seed: seed ?? campaignSeed(process.env),
      ...(runs === undefined ? {} : { runs }),
      ...(scripts === undefined ? {} : { scripts }),
      ...(only === undefined ? {} : { only }),
      ...(should === undefined ? {} : { should }),
      ...(timeLimit === undefined ? {} : { timeLimitMs: timeLimit * 1000 }),
      // The embedded example would play what another harness failed at.
      ...(file === undefined ? {} : { saved: ".gatecrash" }),
      ...(baseline === undefined ? {} : { baseline }),
      ...(updateBaseline === undefined ? {} : { updateBaseline }),
      onProgress: (step) => progress.show(step),
    };
    tellPlaying(() => progress.soFar);
    report = await (open === undefined ? checkHarness(harness, options) : checkOnStage(harness, options, open));
  } finally {
    progress.clear();
    release();
  }
  showReport(report, flags.json, { command });
  return report;
}

/** What can be told to be unusable before anything is loaded. */
function refuseUnusable({ json, baseline, updateBaseline = false }: CheckFlags): void {
  if (json !== undefined) checkWritable(json);
  if (updateBaseline && baseline === undefined) {
    throw new UsageError(
      "no-baseline-named",
      "Expected `--update-baseline` to stand beside `--baseline FILE`, got no file. Do name it.",
    );
  }
  if (baseline !== undefined) openBaseline({ baseline, updateBaseline });
}

/** Whether the harness is known to block or to end its process. */
function knowsOfLoss({ rules }: Report): boolean {
  return rules.some(({ findings }) =>
    findings.some(({ known, trace }) => {
      const end = trace.at(-1);
      return known !== undefined && (end?.type === "hung" || (end?.type === "crashed" && end.name === "ProcessEnded"));
    }),
  );
}
