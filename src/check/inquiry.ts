import type { Finding } from "../contract/finding.ts";
import type { Harness } from "../contract/harness.ts";
import type { Property } from "../contract/property.ts";
import { isAccompanied, type Script, soloOf } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Stage } from "../run/stage.ts";
import { investigate, type Suspicion } from "./investigate.ts";
import { judgeTrace, violationsOf } from "./judge-trace.ts";
import type { Patience } from "./patience.ts";
import { SoloRuns } from "./solo-runs.ts";
import { dependsOnTiming } from "./timing.ts";

/** Harness runs spent on making one script smaller, at most, and milliseconds; more where runs may cost a process each. */
const shrinkLimits = { runs: 1_500, ms: 10_000, msElsewhere: 15_000 };

export interface InquirySettings {
  readonly harness: Harness;
  readonly stage: Stage;
  readonly patience: Patience;
  isLate(): boolean;
}

/** Looks into what broke a rule: whether it comes again, whose fault it is, and what is the smallest script. */
export class Inquiry {
  readonly solos = new SoloRuns();
  /** The harness keeps for good what one run left behind. */
  isStuck = false;
  private readonly settings: InquirySettings;

  constructor(settings: InquirySettings) {
    this.settings = settings;
  }

  /** None where it turns out to be no evidence against this rule. */
  async into(suspicion: Suspicion): Promise<Finding | undefined> {
    const { harness, stage, patience } = this.settings;
    const placed = await this.placed(suspicion);
    if (placed === undefined) return undefined;
    const until = Date.now() + (stage.isElsewhere ? shrinkLimits.msElsewhere : shrinkLimits.ms);
    const finding = await investigate(placed, harness, stage, {
      runs: shrinkLimits.runs,
      until: () => Date.now() > until || this.settings.isLate(),
      quickTimeout: patience.quick,
      solos: this.solos,
      onStuck: () => {
        this.isStuck = true;
      },
    });
    const hung = suspicion.trace.at(-1)?.type === "hung";
    // A busy machine makes runs late, and deadlines pass early, of correct harnesses too. What is the harness's own doing
    // comes again every time.
    if (finding.flaky === true && (hung || dependsOnTiming(placed.script, harness.claims))) return undefined;
    if (finding.flaky !== true && hung) patience.shorten();
    return finding;
  }

  /** Only what is compared with a run alone is compared with the first time: other twins must have met the same runs before. */
  async playTwin(twin: Script, rule?: Property): Promise<Trace> {
    const { patience, stage } = this.settings;
    const options = patience.isShort ? { runTimeoutMs: patience.quick } : {};
    const first = rule === undefined || rule.comparesWithSolo === true ? this.solos.traceOf(twin) : undefined;
    return first ?? stage.play(twin, options);
  }

  /**
   * What is found in a run that others came before, or went beside, is sought in the same run alone. Where that does not
   * show it, it is no fault of the run but of what runs share, and there is a rule for that.
   */
  private async placed(suspicion: Suspicion): Promise<Suspicion | undefined> {
    const { rule, violation, script } = suspicion;
    if (rule.comparesWithSolo === true || !isAccompanied(script)) return suspicion;
    const solo = soloOf(script);
    const alone = await this.playTwin(solo);
    const judgement = await judgeTrace(rule, this.settings.harness, solo, alone, (twin) => this.playTwin(twin, rule));
    const same = violationsOf(judgement).find(({ cause }) => cause === violation.cause);
    return same === undefined ? undefined : { ...suspicion, violation: same, script: solo, trace: alone };
  }
}
