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
  /** The claim that is missing, in words ("approvals are not claimed"); `undefined` where the rule applies. */
  needs(claims: Claims, shape: Shape): string | undefined;
  /**
   * For a rule that compares two runs: the script of the other run, or `undefined` where the first trace leaves no room
   * for a difference. Where it gives a script, `judge` is called with the evidence of that run too.
   */
  twin?(script: Script, evidence: Evidence): Script | undefined;
  /** Every violation found in one trace, one for each cause, the first event first; or that it holds, or is unknown. */
  judge(evidence: Evidence, twin?: Evidence): Verdict | readonly Verdict[];
}
