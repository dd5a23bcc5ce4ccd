import type { Finding } from "../contract/finding.ts";
import type { Harness } from "../contract/harness.ts";
import type { Property } from "../contract/property.ts";
import type { Report } from "../contract/report.ts";
import type { Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Violation } from "../contract/verdict.ts";
import type { Stage } from "../run/stage.ts";
import type { Gates } from "./gates.ts";
import { investigate } from "./investigate.ts";
import { judgeTrace, violationsOf } from "./judge-trace.ts";
import { RuleLedger } from "./ledger.ts";
import { Patience } from "./patience.ts";
import { RunTally } from "./run-tally.ts";

/** Finished runs that share one wait for late effects: so many, but no more than fit into so many milliseconds. */
const portion = { first: 4, most: 40, ms: 200 };

/** Harness runs spent on making one script smaller, at most, and milliseconds; more where runs may cost a process each. */
const shrinkLimits = { runs: 1_500, ms: 10_000, msElsewhere: 15_000 };

/** Runs that may hang before the campaign stops: each costs its time-out. */
const hungLimit = 1_000;

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
    for (let first = 0; first < scripts.length && !this.mustStop(); ) {
      const together = scripts.slice(first, first + this.size);
      const traces = await this.patience.measure(together.length, (patient) =>
        this.settings.stage.playAll(together, { timer: phase === "enumeration", ...patient }),
      );
      for (const [index, script] of together.entries()) {
        const trace = traces[index];
        if (trace !== undefined) await this.judge(script, trace, phase);
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
        this.settings.stage.play(twin, this.patience.isShort ? { runTimeoutMs: this.patience.quick } : {}),
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
    for (const violation of violations) {
      if (!ledger.wants(violation.cause)) continue;
      const suspicion = { rule, violation, script, trace, foundIn, foundAfter: this.scripts };
      const until = Date.now() + (this.settings.stage.isElsewhere ? shrinkLimits.msElsewhere : shrinkLimits.ms);
      const finding = await investigate(suspicion, this.settings.harness, this.settings.stage, {
        runs: shrinkLimits.runs,
        until: () => Date.now() > until || this.isLate(),
        quickTimeout: this.patience.quick,
      });
      const hung = trace.at(-1)?.type === "hung";
      // Given up before its time, it may just have been slow: no evidence of anything.
      if (finding.flaky === true && hung && this.patience.isShort) continue;
      if (finding.flaky !== true && hung) this.patience.shorten();
      const savedAs = this.settings.save?.(rule.id, finding);
      ledger.add(savedAs === undefined ? finding : { ...finding, savedAs });
    }
  }

  /** What most runs came to, where that leaves the rules little to judge; and the claims that broken rules are judged for. */
  hints(gates: Gates): readonly string[] {
    const broken = this.judged.filter((ledger) => ledger.found > 0);
    return [...this.tally.hints(), ...broken.flatMap(({ rule }) => gates.whyJudged(rule) ?? [])];
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
