import type { Harness } from "../contract/harness.ts";
import type { Report } from "../contract/report.ts";
import type { Script } from "../contract/script.ts";
import { validHarness } from "../contract/valid-harness.ts";
import { validScript } from "../contract/valid-script.ts";
import { openStage } from "../run/stage.ts";
import { Campaign } from "./campaign.ts";
import type { OpenStage } from "./check-harness.ts";
import { chooseRules } from "./choose-rules.ts";
import { validOptions } from "./valid-options.ts";
import { withOk } from "./with-ok.ts";

export interface ReplayOptions {
  /** Rule ids: judge these alone. */
  readonly only?: readonly string[];
  /** Milliseconds after which the run counts as hung. Default 2,000. */
  readonly runTimeoutMs?: number;
}

/**
 * Plays one script and judges it by every rule. A rule to which the script gives nothing to judge is `not-exercised`,
 * which in a replay is no failure.
 *
 * @example
 * assertHolds(await replayScript(harness, script, { only: ["denied-tools-never-run"] }));
 */
export async function replayScript(harness: Harness, script: Script, options: ReplayOptions = {}): Promise<Report> {
  return replayOnStage(harness, script, options, openStage);
}

/** The same on a stage of the caller's. */
export async function replayOnStage(
  harness: Harness,
  script: Script,
  options: ReplayOptions,
  open: OpenStage,
): Promise<Report> {
  const usable = validHarness(harness);
  const playable = validScript(script);
  const { only, runTimeoutMs } = validOptions(options);
  const rules = chooseRules(only);
  const stage = await open(usable, { runTimeoutMs });
  try {
    // No deadline: one script and its simpler forms, each bounded by its own time-out.
    const campaign = new Campaign({ harness: usable, rules, stage, deadline: Number.POSITIVE_INFINITY, runTimeoutMs });
    await campaign.playSaved(playable);
    const books = campaign.report();
    const hints = stage.hints();
    return withOk({ format: 1, harness: usable.name, seed: 0, replayed: true, ...books, hints, fixed: [] });
  } finally {
    await stage.close();
  }
}
