import type { CheckOptions, Progress } from "../contract/check-options.ts";
import type { Harness } from "../contract/harness.ts";
import type { Report } from "../contract/report.ts";
import { isAccompanied } from "../contract/script.ts";
import { validHarness } from "../contract/valid-harness.ts";
import { messageOf } from "../run/plain.ts";
import { openStage, type Stage } from "../run/stage.ts";
import { openBaseline } from "./baseline-file.ts";
import { Campaign } from "./campaign.ts";
import { chooseRules } from "./choose-rules.ts";
import { Gates } from "./gates.ts";
import { comfortableMs, Pace } from "./pace.ts";
import { planned, playedFirst, randomScripts, worldsOf } from "./phases.ts";
import { type Plan, scriptOf } from "./plan.ts";
import { readSavedScripts, type SavedScript, saveScript } from "./saved-scripts.ts";
import { validOptions } from "./valid-options.ts";
import { WaitingRation } from "./waiting-ration.ts";
import { withOk } from "./with-ok.ts";

/** Scripts are made so many at a time. */
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
  return checkOnStage(harness, options, openStage);
}

/** Opens the stage on which a campaign plays its scripts: in this process, or in another one. */
export type OpenStage = (harness: Harness, options: { readonly runTimeoutMs: number }) => Promise<Stage>;

/** The same on a stage of the caller's. */
export async function checkOnStage(harness: Harness, options: CheckOptions, open: OpenStage): Promise<Report> {
  const usable = validHarness(harness);
  const { runs, seed, timeLimitMs, runTimeoutMs, only, except, should, saved, onProgress } = validOptions(options);
  const rules = chooseRules(only, except);
  const savedScripts = readSavedScripts(saved);
  const inKnownLight = openBaseline(options);
  const began = Date.now();
  const deadline = began + timeLimitMs;
  const notes: string[] = [];
  const stage = await open(usable, { runTimeoutMs });
  let report: Report;
  try {
    const campaign = new Campaign({
      harness: usable,
      rules,
      stage,
      deadline,
      runTimeoutMs,
      save(rule, finding) {
        if (typeof saved !== "string") return undefined;
        const { name, failed } = saveScript(saved, usable.name, `${rule}.${finding.cause}`, finding.script);
        if (failed !== undefined && !notes.includes(failed)) notes.push(failed);
        return failed === undefined ? name : undefined;
      },
    });
    const first = playedFirst(usable);
    const plans = planned(usable);
    const ration = new WaitingRation(usable);
    const { scripts: wanted } = options;
    const pace =
      wanted === undefined
        ? new Pace({
            timeMs: (msPerRun) => options.timeLimitMs ?? Math.min(timeLimitMs, comfortableMs(msPerRun)),
            elapsed: () => Date.now() - began,
            msPerRun: () => campaign.msPerRun,
          })
        : new Pace({ timeMs: () => wanted, elapsed: () => campaign.scripts, msPerRun: () => 1, inScripts: true });
    const all = savedScripts.length + first.length + plans.length + runs;
    const tell = onProgress === undefined ? () => {} : withoutHarm(onProgress, notes);
    const progress = (phase: Progress["phase"]) => () =>
      tell({
        phase,
        scripts: campaign.scripts,
        of: all - pace.leftOut,
        findings: campaign.findings,
        timeLeftMs: deadline - Date.now(),
      });

    // What runs leave behind is blamed on the right one only while nothing was left behind yet.
    const inOrder = savedScripts.toSorted((a, b) => Number(isAccompanied(b.script)) - Number(isAccompanied(a.script)));
    const fixed = await playSaved(campaign, inOrder, usable);
    await campaign.playFirst(first, (rest) => pace.fitFirst(rest), progress("enumeration"));
    const playFitting = async (all: readonly Plan[], fitting: (left: readonly Plan[]) => readonly Plan[]) => {
      for (let left = fitting(all); left.length > 0; left = fitting(left.slice(drawnAtOnce))) {
        const scripts = left.slice(0, drawnAtOnce).map(scriptOf);
        await campaign.playAll(ration.take(scripts, "enumeration"), "enumeration", progress("enumeration"));
        if (campaign.stoppedEarly !== undefined) break;
      }
    };
    const isAlone = ({ moves }: Plan): boolean => moves.length < 2;
    await playFitting(plans.filter(isAlone), (left) => pace.fitAlone(left));
    await playFitting(
      plans.filter((plan) => !isAlone(plan)),
      (left) => pace.fitTogether(left),
    );
    const isEnumerated = campaign.stoppedEarly === undefined;
    // So many as the user asks for; where nobody asks, so many as there is time for.
    let left = options.runs ?? pace.fitRandom(runs);
    for (const scripts of randomScripts(usable, seed, left, drawnAtOnce)) {
      const some = scripts.slice(0, left);
      await campaign.playAll(ration.take(some, "random"), "random", progress("random"));
      left -= some.length;
      if (options.runs === undefined) left = pace.fitRandom(left);
      if (left === 0 || campaign.stoppedEarly !== undefined) break;
    }
    const gates = new Gates(usable, worldsOf(usable));
    const books = campaign.report(gates);
    report = withOk({
      format: 1,
      harness: usable.name,
      seed,
      ...books,
      hints: [
        ...campaign.hints(gates),
        ...gates.hints(),
        ...ration.hints(),
        ...pace.hints(),
        ...stage.hints(),
        ...notes,
      ],
      fixed,
      ...(isEnumerated ? {} : { cutOff: true }),
      ...(pace.leftOut === 0 ? {} : { leftOut: pace.leftOut }),
      ...(should === "fail" ? { should } : {}),
      ...(typeof saved === "string" ? { savedIn: saved } : {}),
    });
  } catch (error) {
    await closeStage(stage);
    throw error;
  }
  const complaint = await closeStage(stage);
  return inKnownLight(complaint === undefined ? report : { ...report, hints: [...report.hints, complaint] });
}

/** What goes wrong in a user's `onProgress` must not cost the report: the first failure is noted. */
function withoutHarm(onProgress: (progress: Progress) => unknown, notes: string[]): (progress: Progress) => void {
  let hasFailed = false;
  const failed = (error: unknown): void => {
    if (!hasFailed) notes.push(`\`onProgress\` failed: ${messageOf(error)}.`);
    hasFailed = true;
  };
  return (progress) => {
    try {
      const told = onProgress(progress);
      if (told instanceof Promise) told.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

/** Closes the harness; what it complains of, or that it never ends, must not cost the user the report. */
async function closeStage(stage: Stage): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve("`close` of the harness did not end within 5 seconds."), 5_000);
  });
  const closed = stage.close().then(() => undefined, messageOf);
  return Promise.race([closed, tooLong]).finally(() => clearTimeout(timer));
}

/** Plays the saved scripts, one by one; gives the names of those that no longer break the rule they were saved for. */
async function playSaved(
  campaign: Campaign,
  saved: readonly SavedScript[],
  harness: Harness,
): Promise<readonly string[]> {
  const fixed: string[] = [];
  for (const { name, script, rule, owner = harness.name } of saved) {
    const broken = await campaign.playSaved(script);
    const isJudged = (id: string): boolean =>
      campaign.ledgers.some((ledger) => ledger.rule.id === id && ledger.needs === undefined);
    const holds = rule === undefined ? broken.length === 0 : isJudged(rule) && !broken.includes(rule);
    // What another harness failed is worth playing, but holding here mends nothing there.
    if (holds && owner === harness.name) fixed.push(name);
  }
  return fixed;
}
