import type { Finding } from "../contract/finding.ts";
import type { Harness } from "../contract/harness.ts";
import type { Property } from "../contract/property.ts";
import type { Report } from "../contract/report.ts";
import { isAccompanied, type Script, soloOf } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Violation } from "../contract/verdict.ts";
import type { Stage } from "../run/stage.ts";
import type { Gates } from "./gates.ts";
import { investigate, type Suspicion } from "./investigate.ts";
import { judgeTrace, violationsOf } from "./judge-trace.ts";
import { RuleLedger } from "./ledger.ts";
import { Patience } from "./patience.ts";
import { RunTally } from "./run-tally.ts";
import { SoloRuns } from "./solo-runs.ts";

/** Finished runs that share one wait for late effects: so many, but no more than fit into so many milliseconds. */
const portion = { first: 4, most: 40, ms: 200 };

/** Harness runs spent on making one script smaller, at most, and milliseconds; more where runs may cost a process each. */
const shrinkLimits = { runs: 1_500, ms: 10_000, msElsewhere: 15_000 };

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
  stoppedEarly: string | undefined;
  private readonly judged: readonly RuleLedger[];
  private readonly settings: CampaignSettings;
  private readonly tally = new RunTally();
  private size = portion.first;
  private readonly patience: Patience;
  private readonly solos = new SoloRuns();
  /** The harness keeps for good what one run left behind. */
  private isStuck = false;

  constructor(settings: CampaignSettings) {
    const { harness, rules } = settings;
    this.settings = settings;
    this.patience = new Patience(settings.runTimeoutMs);
    this.ledgers = rules.map((rule) => new RuleLedger(rule, harness.claims, harness.shape ?? {}));
    this.judged = this.ledgers.filter((ledger) => ledger.needs === undefined);
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
   * leave something behind too. Those that are alone are remembered, to be compared with.
   */
  async playFirst(scripts: readonly Script[], onPortion?: () => void): Promise<void> {
    const played: (readonly [Script, Trace])[] = [];
    const keep = async (script: Script, trace: Trace): Promise<void> => {
      if (!isAccompanied(script)) this.solos.remember(script, trace);
      played.push([script, trace]);
    };
    await this.playEach(scripts, "enumeration", keep);
    for (const [script, trace] of played) await this.judge(script, trace, "enumeration");
    onPortion?.();
  }

  /** Plays one script, and judges it; alone first, where it has others before or beside it. */
  async playSaved(script: Script): Promise<readonly string[]> {
    await this.solos.playFirst(script, (solo) => this.settings.stage.play(solo));
    return this.judge(script, await this.settings.stage.play(script), "saved");
  }

  private async playEach(
    scripts: readonly Script[],
    phase: Finding["foundIn"],
    use: (script: Script, trace: Trace) => Promise<unknown>,
    onPortion?: () => void,
  ): Promise<void> {
    for (let first = 0; first < scripts.length && !this.mustStop(); ) {
      const together = scripts.slice(first, first + this.size);
      const traces = await this.patience.measure(together.length, (patient) =>
        this.settings.stage.playAll(together, { timer: phase === "enumeration", ...patient }),
      );
      for (const [index, script] of together.entries()) {
        const trace = traces[index];
        if (trace !== undefined) await use(script, trace);
      }
      first += together.length;
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
        this.playTwin(twin, ledger.rule),
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
    for (const found of violations) {
      if (!ledger.wants(found.cause)) continue;
      const place = await this.placeOf(found, rule, script, trace);
      if (place === undefined) continue;
      const suspicion = { rule, ...place, foundIn, foundAfter: this.scripts };
      const until = Date.now() + (this.settings.stage.isElsewhere ? shrinkLimits.msElsewhere : shrinkLimits.ms);
      const finding = await investigate(suspicion, this.settings.harness, this.settings.stage, {
        runs: shrinkLimits.runs,
        until: () => Date.now() > until || this.isLate(),
        quickTimeout: this.patience.quick,
        solos: this.solos,
        onStuck: () => {
          this.isStuck = true;
        },
      });
      const hung = trace.at(-1)?.type === "hung";
      // Given up before its time, it may just have been slow: no evidence of anything.
      if (finding.flaky === true && hung && this.patience.isShort) continue;
      if (finding.flaky !== true && hung) this.patience.shorten();
      const savedAs = this.settings.save?.(rule.id, finding);
      ledger.add(savedAs === undefined ? finding : { ...finding, savedAs });
    }
  }

  /**
   * What is found in a run that others came before, or went beside, is sought in the same run alone. Where that does not
   * show it, it is no fault of the run but of what runs share, and there is a rule for that.
   */
  private async placeOf(
    violation: Violation,
    rule: Property,
    script: Script,
    trace: Trace,
  ): Promise<Pick<Suspicion, "violation" | "script" | "trace"> | undefined> {
    if (rule.comparesWithSolo === true || !isAccompanied(script)) return { violation, script, trace };
    const solo = soloOf(script);
    const alone = await this.playTwin(solo);
    const judgement = await judgeTrace(rule, this.settings.harness, solo, alone, (twin) => this.playTwin(twin, rule));
    const same = violationsOf(judgement).find(({ cause }) => cause === violation.cause);
    return same === undefined ? undefined : { violation: same, script: solo, trace: alone };
  }

  /** Only what is compared with a run alone is compared with the first time: other twins must have met the same runs before. */
  private async playTwin(twin: Script, rule?: Property): Promise<Trace> {
    const options = this.patience.isShort ? { runTimeoutMs: this.patience.quick } : {};
    const first = rule === undefined || rule.comparesWithSolo === true ? this.solos.traceOf(twin) : undefined;
    return first ?? this.settings.stage.play(twin, options);
  }

  /** What most runs came to, where that leaves the rules little to judge; and the claims that broken rules are judged for. */
  hints(gates: Gates): readonly string[] {
    const broken = this.judged.filter((ledger) => ledger.found > 0);
    const stuck = this.isStuck ? [stuckHint] : [];
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
      rules: this.ledgers.map((ledger) => ledger.report(gates)),
      ...(this.stoppedEarly === undefined ? {} : { stoppedEarly: this.stoppedEarly }),
    };
  }

  private isLate(): boolean {
    return Date.now() > this.settings.deadline;
  }

  private mustStop(): boolean {
    if (this.stoppedEarly !== undefined) return true;
    if (this.isLate()) this.stoppedEarly = `the time limit was reached after ${this.scripts} scripts`;
    else if (this.tally.hung >= hungLimit)
      this.stoppedEarly = `${this.tally.hung} runs hung; the first ${this.scripts} scripts were played`;
    else this.stoppedEarly = this.settings.stage.mustStop?.();
    return this.stoppedEarly !== undefined;
  }
}
