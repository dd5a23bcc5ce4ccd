import type { Finding } from "../contract/finding.ts";
import type { Claims, Shape } from "../contract/harness.ts";
import type { Property } from "../contract/property.ts";
import type { RuleReport, RuleVerdict } from "../contract/report.ts";
import type { Verdict } from "../contract/verdict.ts";
import type { Gates } from "./gates.ts";

/** How many findings of one rule are looked into: past that, more causes add nothing to what has to be mended. */
export const causesPerRule = 12;

/** How often a failure that does not come again is looked into before it is left at flaky. */
const flakyTries = 3;

/** Scripts that have to give a rule something to judge before it can be said to hold. */
const fewest = 3;

/** What is known of one rule so far: how often it had something to judge, and what broke it. */
export class RuleLedger {
  readonly rule: Property;
  readonly needs: string | undefined;
  exercised = 0;
  unknown: string | undefined;
  private readonly findings = new Map<string, Finding>();
  private readonly flaky = new Map<string, number>();

  constructor(rule: Property, claims: Claims, shape: Shape) {
    this.rule = rule;
    this.needs = rule.needs(claims, shape);
  }

  /** Takes down what the rule says of one run. */
  enter(verdicts: readonly Verdict[]): void {
    let exercised = false;
    for (const verdict of verdicts) {
      exercised ||= verdict.kind !== "holds" || verdict.exercised;
      if (verdict.kind === "unknown") this.unknown ??= verdict.because;
    }
    if (exercised) this.exercised += 1;
  }

  /** Whether a violation by this cause still has to be looked into. */
  wants(cause: string): boolean {
    const known = this.findings.get(cause);
    if (known === undefined) return this.findings.size < causesPerRule;
    return known.flaky === true && (this.flaky.get(cause) ?? 0) < flakyTries;
  }

  add(finding: Finding): void {
    this.findings.set(finding.cause, finding);
    if (finding.flaky === true) this.flaky.set(finding.cause, (this.flaky.get(finding.cause) ?? 0) + 1);
  }

  get found(): number {
    return this.findings.size;
  }

  /**
   * @param gates tells why too little was there to judge; none where one script alone was played
   * @param wasCut the campaign was stopped early
   */
  report(gates?: Gates, wasCut = false): RuleReport {
    const findings = [...this.findings.values()];
    const verdict = this.verdict(findings, gates === undefined);
    const because =
      verdict === "unknown"
        ? this.unknown
        : verdict === "not-exercised"
          ? this.whyNotExercised(gates, wasCut)
          : undefined;
    const otherwise = findings.length === 0 ? undefined : this.otherwise(gates, wasCut);
    return {
      id: this.rule.id,
      level: this.rule.level,
      verdict,
      exercised: this.exercised,
      ...(this.needs === undefined ? {} : { needs: this.needs }),
      ...(because === undefined ? {} : { because }),
      findings,
      ...(otherwise === undefined ? {} : { otherwise }),
      rule: this.rule.rule,
      oftenBrokenBy: this.rule.oftenBrokenBy,
    };
  }

  private verdict(findings: readonly Finding[], isReplay: boolean): RuleVerdict {
    if (this.needs !== undefined) return "unsupported";
    if (findings.some((finding) => finding.flaky !== true)) return "violated";
    if (this.unknown !== undefined) return "unknown";
    if (findings.length > 0) return "flaky";
    if (isReplay) return this.exercised > 0 ? "holds" : "not-exercised";
    return this.exercised < fewest ? "not-exercised" : "holds";
  }

  /** What is open beside the findings: somebody may accept these. */
  private otherwise(gates: Gates | undefined, wasCut: boolean): RuleReport["otherwise"] {
    const verdict = this.verdict([], gates === undefined);
    if (verdict === "unknown") return { verdict, ...(this.unknown === undefined ? {} : { because: this.unknown }) };
    if (verdict === "not-exercised") return { verdict, because: this.whyNotExercised(gates, wasCut) };
    return undefined;
  }

  private whyNotExercised(gates: Gates | undefined, wasCut: boolean): string {
    if (gates === undefined) return "this script gives the rule nothing to judge";
    return gates.whyNotExercised(this.rule, this.exercised, wasCut);
  }
}
