import { type McpCommandHarness, startedMcpHarness } from "../adapters/mcp-command.ts";
import { checkHarness } from "../check/check-harness.ts";
import { replayScript } from "../check/replay-script.ts";
import { readScriptFile } from "../check/saved-scripts.ts";
import { campaignSeed } from "../contract/campaign-seed.ts";
import type { CheckOptions } from "../contract/check-options.ts";
import type { Report } from "../contract/report.ts";
import { UsageError } from "../errors.ts";
import { exitCode } from "./exit-code.ts";
import { checkWritable } from "./json-target.ts";
import { withNamedRule } from "./named-rule.ts";
import { ProgressLine } from "./progress-line.ts";
import type { CheckFlags } from "./run-check.ts";
import { showReport } from "./show-report.ts";
import { watchProcess } from "./watch-process.ts";

export interface McpFlags extends Omit<CheckFlags, "export"> {
  readonly tools?: readonly string[];
  readonly validCalls?: true;
  /** Seconds in which a call has to be answered. */
  readonly answerLimit?: number;
  /** A script to play alone. */
  readonly replay?: string;
}

const usualAnswerLimit = 5;
const startMs = 30_000;

/** More than a run can take: the server's answers are waited for one turn after another, each for so long and no longer. */
const longestTurns = 20;

/**
 * `gatecrash mcp -- COMMAND ...`: fuzzes the server that this command starts. The server has a process of its own anyway, and what it
 * blocks is not this one.
 */
export async function runMcp(words: readonly string[], flags: McpFlags): Promise<number> {
  const { json, replay, should, tools, validCalls = false, answerLimit = usualAnswerLimit } = flags;
  const began = Date.now();
  const [command = "", ...args] = words;
  if (command === "") {
    throw new UsageError(
      "no-server-command",
      "Expected the command that starts the server, got none. Do write `gatecrash mcp -- node server.js`.",
    );
  }
  if (json !== undefined) checkWritable(json);
  const script = replay === undefined ? undefined : readScriptFile(replay);
  const progress = new ProgressLine();
  const release = watchProcess(() => progress.soFar);
  // An end by this signal would leave the server behind: it is ended where the process exits.
  const endProcess = (): never => {
    process.stderr.write(`\nInterrupted: ${progress.soFar}.\n`);
    release();
    process.exit(143);
  };
  process.on("SIGTERM", endProcess);
  let report: Report;
  let harness: McpCommandHarness | undefined;
  try {
    const answerMs = answerLimit * 1000;
    const end =
      script === undefined && flags.timeLimit !== undefined ? began + timeFor(flags.timeLimit, answerMs) : undefined;
    const options = { command, args, validCalls, answerMs, startMs, ...(tools && { tools }) };
    harness = await startedMcpHarness(options, end);
    const runTimeoutMs = longestTurns * answerMs + startMs;
    if (script === undefined) {
      report = await checkHarness(harness, { ...campaignOptions(flags, progress, end), runTimeoutMs });
    } else {
      const only = flags.only === undefined ? {} : { only: flags.only };
      report = withNamedRule(await replayScript(harness, script, { ...only, runTimeoutMs }), replay ?? "");
    }
    report = withNotes(report, harness);
  } finally {
    // Where nothing was played, nobody has ended it.
    await harness?.close?.();
    progress.clear();
    process.off("SIGTERM", endProcess);
    release();
  }
  const server = { words, validCalls, ...(tools && { tools }) };
  showReport(report, json, { command: { server, ...(replay !== undefined && { scriptFile: replay }) } });
  return exitCode(report, script === undefined ? should : "fail");
}

/** Milliseconds for starting and playing: a failure that is met last is still played again, which may take an answer's time. */
function timeFor(seconds: number, answerMs: number): number {
  return seconds * 1000 - Math.min(answerMs, seconds * 125);
}

function campaignOptions(flags: McpFlags, progress: ProgressLine, end: number | undefined): CheckOptions {
  const { seed, runs, only, should, baseline, updateBaseline } = flags;
  return {
    seed: seed ?? campaignSeed(process.env),
    saved: ".gatecrash",
    onProgress: (step) => progress.show(step),
    ...(runs === undefined ? {} : { runs }),
    ...(only === undefined ? {} : { only }),
    ...(should === undefined ? {} : { should }),
    ...(end === undefined ? {} : { timeLimitMs: Math.max(1, end - Date.now()) }),
    ...(baseline === undefined ? {} : { baseline }),
    ...(updateBaseline === undefined ? {} : { updateBaseline }),
  };
}

/** What a harness file would set, a command line can't. */
const isAboutClaims = (hint: string): boolean => /\bclaims\.\w/.test(hint);

function withNotes(report: Report, harness: McpCommandHarness): Report {
  return { ...report, hints: [...harness.notes(), ...report.hints.filter((hint) => !isAboutClaims(hint))] };
}
