import type { OpenStage } from "../check/check-harness.ts";
import { replayOnStage, replayScript } from "../check/replay-script.ts";
import { readScriptFile } from "../check/saved-scripts.ts";
import type { Report } from "../contract/report.ts";
import type { ReplayCommand } from "../report/replay-command.ts";
import { exitCode } from "./exit-code.ts";
import { tellPlaying } from "./heartbeat.ts";
import { checkWritable } from "./json-target.ts";
import { loadHarness } from "./load-harness.ts";
import { withNamedRule } from "./named-rule.ts";
import type { PlayFlags } from "./run-check.ts";
import { showReport } from "./show-report.ts";
import { watchProcess } from "./watch-process.ts";
import { watchedCommand } from "./watched-command.ts";

export interface ReplayFlags extends PlayFlags {
  readonly harness: string;
}

/** `gatecrash replay`, in a process that can be ended where the harness blocks it for ever. */
export async function watchedReplay(words: readonly string[], file: string, flags: ReplayFlags): Promise<number> {
  if (flags.json !== undefined) checkWritable(flags.json);
  readScriptFile(file);
  return watchedCommand(words, { file: flags.harness, picked: flags.export }, async (open) => {
    const code = await runReplay(file, flags, open);
    return { code, isExplained: code !== 0 };
  });
}

/** `gatecrash replay SCRIPT.json --harness FILE`: plays one script and judges that run by every rule. */
export async function runReplay(file: string, flags: ReplayFlags, open?: OpenStage): Promise<number> {
  if (flags.json !== undefined) checkWritable(flags.json);
  const script = readScriptFile(file);
  const release = watchProcess(() => `replaying ${file}`);
  let report: Report;
  let command: ReplayCommand;
  try {
    const loaded = await loadHarness(flags.harness, flags.export);
    command = { ...loaded.command, scriptFile: file };
    tellPlaying(() => `replaying ${file}`);
    const options = flags.only === undefined ? {} : { only: flags.only };
    report = await (open === undefined
      ? replayScript(loaded.harness, script, options)
      : replayOnStage(loaded.harness, script, options, open));
  } finally {
    release();
  }
  report = withNamedRule(report, file);
  showReport(report, flags.json, { command });
  return exitCode(report, "fail");
}
