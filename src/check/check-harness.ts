import type { CheckOptions, Progress } from "../contract/check-options.ts";
import type { Harness } from "../contract/harness.ts";
import type { Report, RuleReport } from "../contract/report.ts";
import type { Script } from "../contract/script.ts";
import { validHarness } from "../contract/valid-harness.ts";
import { openStage } from "../run/stage.ts";
import { Campaign } from "./campaign.ts";
import { chooseRules } from "./choose-rules.ts";
import { enumeration, randomScripts } from "./phases.ts";
import { readSavedScripts, type SavedScript, saveScript } from "./saved-scripts.ts";
import { validOptions } from "./valid-options.ts";

/** Random scripts are drawn so many at a time. */
const drawnAtOnce = 200;

/**
 * Fuzzes a harness and judges every run by every rule of the contract: saved scripts first, then the enumeration, then
 * random scripts. A failure does not end the campaign: there is one finding for each rule and cause, with the smallest
 * script that shows it.
 *
 * Throws a `UsageError` where the harness or the options can't be used; a broken harness is not an error but a report.
 *
 * @example
 * const report = await checkHarness(harness, { runs: 500, seed: 1 });
 * if (!report.ok) throw new Error(renderText(report));
 */
export async function checkHarness(harness: Harness, options: CheckOptions = {}): Promise<Report> {
  const usable = validHarness(harness);
  const { runs, seed, timeLimitMs, runTimeoutMs, only, except, should, saved, onProgress } = validOptions(options);
  const rules = chooseRules(only, except);
  const savedScripts = readSavedScripts(saved);
  const deadline = Date.now() + timeLimitMs;
  const notes: string[] = [];
  const stage = await openStage(usable, { runTimeoutMs });
  try {
    const campaign = new Campaign({
      harness: usable,
      rules,
      stage,
      deadline,
      runTimeoutMs,
      onFinding(rule, finding) {
        const failed = typeof saved === "string" ? saveScript(saved, rule, finding.cause, finding.script) : undefined;
        if (failed !== undefined && !notes.includes(failed)) notes.push(failed);
      },
    });
    const enumerated = enumeration(usable);
    const of = savedScripts.length + enumerated.length + runs;
    const progress = (phase: Progress["phase"]) => () =>
      onProgress?.({
        phase,
        scripts: campaign.scripts,
        of,
        findings: campaign.findings,
        timeLeftMs: deadline - Date.now(),
      });

    const fixed = await playSaved(campaign, savedScripts, stage.play.bind(stage));
    await campaign.playAll(enumerated, "enumeration", progress("enumeration"));
    for (const scripts of randomScripts(usable, seed, runs, drawnAtOnce)) {
      await campaign.playAll(scripts, "random", progress("random"));
      if (campaign.stoppedEarly !== undefined) break;
    }
    const books = campaign.report(false);
    return {
      format: 1,
      harness: usable.name,
      ok: isOk(books.rules, should),
      seed,
      ...books,
      hints: [...stage.hints(), ...notes],
      fixed,
    };
  } finally {
    await stage.close();
  }
}

/** Plays the saved scripts, one by one; gives the names of those that no longer break the rule they were saved for. */
async function playSaved(
  campaign: Campaign,
  saved: readonly SavedScript[],
  play: (script: Script) => ReturnType<Awaited<ReturnType<typeof openStage>>["play"]>,
): Promise<readonly string[]> {
  const fixed: string[] = [];
  for (const { name, script, rule } of saved) {
    const trace = await play(script);
    campaign.scripts += 1;
    const broken = await campaign.judge(script, trace, "saved");
    const judges =
      rule === undefined || campaign.ledgers.some((ledger) => ledger.rule.id === rule && ledger.needs === undefined);
    if (judges && (rule === undefined ? broken.length === 0 : !broken.includes(rule))) fixed.push(name);
  }
  return fixed;
}

function isOk(rules: readonly RuleReport[], should: "report" | "fail"): boolean {
  return rules.every(
    (rule) =>
      rule.verdict === "holds" ||
      rule.verdict === "unsupported" ||
      (rule.level === "should" && should === "report" && rule.verdict !== "unknown"),
  );
}
