import type { Finding } from "../contract/finding.ts";
import type { Harness } from "../contract/harness.ts";
import type { Property } from "../contract/property.ts";
import type { Report } from "../contract/report.ts";
import { isAccompanied, type Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Violation } from "../contract/verdict.ts";
import type { Stage } from "../run/stage.ts";
import type { Gates } from "./gates.ts";
import { Inquiry } from "./inquiry.ts";
import { judgeTrace, violationsOf } from "./judge-trace.ts";
import { RuleLedger } from "./ledger.ts";
import { Patience } from "./patience.ts";
import { RunStopwatch } from "./run-stopwatch.ts";
import { RunTally } from "./run-tally.ts";

/** Finished runs that share one wait for late effects: so many, but no more than fit into so many milliseconds. */
const portion = { first: 4, most: 40, ms: 200 };

/** Scripts that show how long a run takes. */
const measured = 12;

/** Runs that may hang before the campaign stops: each costs its time-out. */
const hungLimit = 1_000;

const stuckHint =
  "What one run leaves behind stays in this harness for good, so that other rules may look broken in every run after it: mend `runs-do-not-share-state` first.";

export interface CampaignSettings {
  readonly harness: Harness;
  readonly rules: readonly Property[];
  readonly stage: Stage;
  readonly deadline: number;
  readonly runTimeoutMs: number;
  /** Called for each new finding, as soon as it is as small as it gets; gives the name of the file it was saved as. */
  save?(rule: string, finding: Finding): string | undefined;
}

/** Plays scripts, judges each trace by every rule, and keeps the books. Goes on after a failure. */
export class Campaign {
  readonly ledgers: readonly RuleLedger[];
  scripts = 0;
  /** Why it stopped early, given how many scripts were played: those that were not judged by then are still to be counted. */
  private stop: ((scripts: number) => string) | undefined;
  private readonly judged: readonly RuleLedger[];
  private readonly settings: CampaignSettings;
  private readonly tally = new RunTally();
  private size = portion.first;
  private readonly patience: Patience;
  private readonly inquiry: Inquiry;
  private readonly stopwatch = new RunStopwatch();

  constructor(settings: CampaignSettings) {
    const { harness, rules } = settings;
    this.settings = settings;
    this.patience = new Patience(settings.runTimeoutMs);
    const { stage } = settings;
    this.inquiry = new Inquiry({ harness, stage, patience: this.patience, isLate: () => this.isLate() });
    this.ledgers = rules.map((rule) => new RuleLedger(rule, harness.claims, harness.shape ?? {}));
    this.judged = this.ledgers.filter((ledger) => ledger.needs === undefined);
  }

  get stoppedEarly(): string | undefined {
    return this.stop?.(this.scripts);
  }

  /** Milliseconds that a run takes, played and judged; unknown as long as none was. */
  get msPerRun(): number | undefined {
    return this.stopwatch.msPerRun;
  }

  get findings(): number {
    return this.ledgers.reduce((sum, ledger) => sum + ledger.found, 0);
  }

  /** Plays the scripts of one phase, in portions. `onPortion` is told after each. */
  async playAll(scripts: readonly Script[], phase: Finding["foundIn"], onPortion?: () => void): Promise<void> {
    await this.playEach(scripts, phase, (script, trace) => this.judge(script, trace, phase), onPortion);
  }

  /**
   * Plays the scripts in which runs come after one another, all of them before any is looked into: what that takes would
   * leave something behind too. Those that are alone are remembered, to be compared with. `fitting` says which there is
   * time for, once the first few have shown how long one takes.
   */
  async playFirst(
    scripts: readonly Script[],
    fitting: (rest: readonly Script[]) => readonly Script[],
    onPortion?: () => void,
  ): Promise<void> {
    const played: (readonly [Script, Trace])[] = [];
    const keep = async (script: Script, trace: Trace): Promise<void> => {
      if (!isAccompanied(script)) this.inquiry.solos.remember(script, trace);
      played.push([script, trace]);
    };
    await this.playEach(scripts.slice(0, measured), "enumeration", keep);
    await this.playEach(fitting(scripts.slice(measured)), "enumeration", keep);
    for (const [script, trace] of played) await this.judge(script, trace, "enumeration");
    onPortion?.();
  }

  /** Plays one script, and judges it; alone first, where it has others before or beside it. */
  async playSaved(script: Script): Promise<readonly string[]> {
    await this.inquiry.solos.playFirst(script, (solo) => this.settings.stage.play(solo));
    return this.judge(script, await this.settings.stage.play(script), "saved");
  }

  private async playEach(
    scripts: readonly Script[],
    phase: Finding["foundIn"],
    use: (script: Script, trace: Trace) => Promise<unknown>,
    onPortion?: () => void,
  ): Promise<void> {
    const { stage, deadline } = this.settings;
    const until = Number.isFinite(deadline) ? { until: deadline } : {};
    for (let first = 0; first < scripts.length && !this.mustStop(); ) {
      const together = scripts.slice(first, first + this.size);
      this.stopwatch.start();
      const traces = await this.patience.measure((patient) =>
        stage.playAll(together, { timer: phase === "enumeration", ...patient, ...until }),
      );
      for (const [index, script] of together.entries()) {
        const trace = traces[index];
        if (trace !== undefined) await use(script, trace);
      }
      this.stopwatch.stop(together.slice(0, traces.length), traces);
      // Those after one that hung are still to be played.
      first += Math.max(1, traces.length);
      this.size = Math.max(1, Math.min(portion.most, Math.floor(portion.ms / this.patience.lastMsPerRun)));
      onPortion?.();
    }
  }

  /** Judges one run by every rule; gives the ids of the rules that it broke. */
  async judge(script: Script, trace: Trace, phase: Finding["foundIn"]): Promise<readonly string[]> {
    const broken: string[] = [];
    this.scripts += 1;
    this.tally.add(trace);
    for (const ledger of this.judged) {
      const judged = judgeTrace(ledger.rule, this.settings.harness, script, trace, (twin) =>
        this.inquiry.playTwin(twin, ledger.rule),
      );
      const judgement = judged instanceof Promise ? await judged : judged;
      ledger.enter(judgement.verdicts);
      const violations = violationsOf(judgement);
      if (violations.length === 0) continue;
      broken.push(ledger.rule.id);
      // Awaited only here: nearly every rule holds in nearly every run, and waiting costs as much as judging.
      await this.lookInto(ledger, violations, script, trace, phase);
    }
    return broken;
  }

  private async lookInto(
    ledger: RuleLedger,
    violations: readonly Violation[],
    script: Script,
    trace: Trace,
    foundIn: Finding["foundIn"],
  ): Promise<void> {
    const { rule } = ledger;
    this.stopwatch.pause();
    for (const violation of violations) {
      if (!ledger.wants(violation.cause)) continue;
      const finding = await this.inquiry.into({
        rule,
        violation,
        script,
        trace,
        foundIn,
        foundAfter: this.scripts,
      });
      if (finding === undefined) continue;
      const savedAs = this.settings.save?.(rule.id, finding);
      ledger.add(savedAs === undefined ? finding : { ...finding, savedAs });
    }
    this.stopwatch.goOn();
  }

  /** What most runs came to, where that leaves the rules little to judge; and the claims that broken rules are judged for. */
  hints(gates: Gates): readonly string[] {
    const broken = this.judged.filter((ledger) => ledger.found > 0);
    const stuck = this.inquiry.isStuck ? [stuckHint] : [];
    return [...this.tally.hints(), ...stuck, ...broken.flatMap(({ rule }) => gates.whyJudged(rule) ?? [])];
  }

  /**
   * The report's part that comes from the books.
   *
   * @param gates tells why a rule had too little to judge; none where one script alone was played.
   */
  report(gates?: Gates): Pick<Report, "scripts" | "rules" | "stoppedEarly"> {
    return {
      scripts: this.scripts,
      rules: this.ledgers.map((ledger) => ledger.report(gates, this.stoppedEarly !== undefined)),
      ...(this.stoppedEarly === undefined ? {} : { stoppedEarly: this.stoppedEarly }),
    };
  }

  private isLate(): boolean {
    return Date.now() > this.settings.deadline;
  }

  private mustStop(): boolean {
    this.stop ??= this.reasonToStop();
    return this.stop !== undefined;
  }

  private reasonToStop(): ((scripts: number) => string) | undefined {
    if (this.isLate()) return (scripts) => `the time limit was reached after ${scripts} scripts`;
    const { hung } = this.tally;
    if (hung >= hungLimit) return (scripts) => `${hung} runs hung; the first ${scripts} scripts were played`;
    const reason = this.settings.stage.mustStop?.();
    return reason === undefined ? undefined : () => reason;
  }
}
