import { replayScript } from "../check/replay-script.ts";
import { readScriptFile } from "../check/saved-scripts.ts";
import type { Report } from "../contract/report.ts";
import type { ReplayCommand } from "../report/replay-command.ts";
import { exitCode } from "./exit-code.ts";
import { checkWritable } from "./json-target.ts";
import { loadHarness } from "./load-harness.ts";
import type { PlayFlags } from "./run-check.ts";
import { showReport } from "./show-report.ts";
import { watchProcess } from "./watch-process.ts";

export interface ReplayFlags extends PlayFlags {
  readonly harness: string;
}

/** `gatecrash replay SCRIPT.json --harness FILE`: plays one script and judges that run by every rule. */
export async function runReplay(file: string, flags: ReplayFlags): Promise<number> {
  if (flags.json !== undefined) checkWritable(flags.json);
  const script = readScriptFile(file);
  const release = watchProcess(() => `replaying ${file}`);
  let report: Report;
  let command: ReplayCommand;
  try {
    const loaded = await loadHarness(flags.harness, flags.export);
    command = { ...loaded.command, scriptFile: file };
    report = await replayScript(loaded.harness, script, flags.only === undefined ? {} : { only: flags.only });
  } finally {
    release();
  }
  showReport(report, flags.json, { command, replayed: true });
  return exitCode(report, "fail");
}
