import type { World } from "../world/world.ts";
import type { Claims, Shape } from "./harness.ts";
import type { Script } from "./script.ts";
import type { Trace } from "./trace.ts";
import type { Verdict } from "./verdict.ts";

/** All that a property may look at: never the harness, the generator, the clock or the seed. */
export interface Evidence {
  readonly trace: Trace;
  readonly world: World;
  readonly claims: Claims;
  readonly shape: Shape;
  /** Other runs of the harness came before this one, or went beside it. */
  readonly accompanied?: true;
}

/** One rule of the contract, judged from what was witnessed. */
export interface Property {
  /** The file's name, the name on the command line, and the heading of the report. */
  readonly id: string;
  /** A broken `must` makes a run red; a broken `should` is reported. */
  readonly level: "must" | "should";
  /** The rule in one sentence. */
  readonly rule: string;
  readonly holdsWhen: string;
  readonly oftenBrokenBy: string;
  /**
   * Judges what runs of one harness do to each other. What any other rule finds in a run that others came before, or went
   * beside, counts only where the same run alone shows it too.
   */
  readonly comparesWithSolo?: true;
  /** The claim that is missing, in words ("approvals are not claimed"); `undefined` where the rule applies. */
  needs(claims: Claims, shape: Shape): string | undefined;
  /**
   * For a rule that compares two runs: the script of the other run, or `undefined` where the first trace leaves no room
   * for a difference. Where it gives a script, `judge` is called with the evidence of that run too.
   */
  twin?(script: Script, evidence: Evidence): Script | undefined;
  /**
   * Where the other run ended before it came to what matters: the script of one more, which takes its place. `undefined`
   * where the first one will do.
   */
  secondTwin?(script: Script, evidence: Evidence, twin: Evidence): Script | undefined;
  /** Every violation found in one trace, one for each cause, the first event first; or that it holds, or is unknown. */
  judge(evidence: Evidence, twin?: Evidence): Verdict | readonly Verdict[];
}
