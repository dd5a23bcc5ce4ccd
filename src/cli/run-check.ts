import { checkHarness, checkOnStage, type OpenStage } from "../check/check-harness.ts";
import { campaignSeed } from "../contract/campaign-seed.ts";
import type { CheckOptions } from "../contract/check-options.ts";
import type { Harness } from "../contract/harness.ts";
import type { Report } from "../contract/report.ts";
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
  readonly should?: "fail" | "report";
  readonly timeLimit?: number;
}

const usualLimit = 120;

/** A week. */
const longestLimit = 604_800;

/** `gatecrash check FILE`, in a process that can be ended where the harness blocks it for ever. */
export async function watchedCheck(words: readonly string[], file: string, flags: CheckFlags): Promise<number> {
  if (flags.json !== undefined) checkWritable(flags.json);
  const seed = flags.seed ?? campaignSeed(process.env);
  const at = words.indexOf("check") + 1;
  const seeded = [...words.slice(0, at), "--seed", String(seed), ...words.slice(at)];
  return watchedCommand(seeded, { file, picked: flags.export }, (open, lostMs) => {
    const lost = Math.ceil(lostMs / 1000);
    if (lost === 0) return runCheck(file, { ...flags, seed }, open);
    const timeLimit = Math.min(longestLimit, (flags.timeLimit ?? usualLimit) + lost);
    return runCheck(file, { ...flags, seed, timeLimit }, open);
  });
}

/** `gatecrash check [FILE]`: fuzzes the harness of that file, or the embedded one. */
export async function runCheck(file: string | undefined, flags: CheckFlags, open?: OpenStage): Promise<number> {
  const { seed, runs, should, timeLimit, only } = flags;
  if (flags.json !== undefined) checkWritable(flags.json);
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
      ...(only === undefined ? {} : { only }),
      ...(should === undefined ? {} : { should }),
      ...(timeLimit === undefined ? {} : { timeLimitMs: timeLimit * 1000 }),
      // The embedded example would play what another harness failed at.
      ...(file === undefined ? {} : { saved: ".gatecrash" }),
      onProgress: (step) => progress.show(step),
    };
    tellPlaying(() => progress.soFar);
    report = await (open === undefined ? checkHarness(harness, options) : checkOnStage(harness, options, open));
  } finally {
    progress.clear();
    release();
  }
  showReport(report, flags.json, { command });
  return exitCode(report, should);
}
