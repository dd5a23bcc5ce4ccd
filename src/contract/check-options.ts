import type { Baseline } from "./baseline.ts";
import type { Script } from "./script.ts";

export interface Progress {
  readonly phase: "saved" | "enumeration" | "random";
  /** Scripts played so far, and how many there will be at most. */
  readonly scripts: number;
  readonly of: number;
  readonly findings: number;
  /** Milliseconds until the time limit. */
  readonly timeLeftMs: number;
}

export interface CheckOptions {
  /** Random scripts after the enumeration. Default 2,000, or as many as there is time for. */
  readonly runs?: number;
  /**
   * About so many scripts in all, each part of the campaign thinned out evenly: the same ones on every machine, however fast it is.
   * Default: as many as there is time for.
   */
  readonly scripts?: number;
  /** Of the random scripts. Default: a random one, printed in the report. */
  readonly seed?: number;
  /** Rule ids: judge these alone. */
  readonly only?: readonly string[];
  /** Rule ids: judge all but these. */
  readonly except?: readonly string[];
  /** Whether a broken SHOULD makes the report red. Default `report`. */
  readonly should?: "report" | "fail";
  /**
   * Milliseconds for the whole campaign, at most a week; what was found by then is reported. A slow harness is played in part, and
   * the report says which. Default: the campaign aims at 27,000 (54,000 where a run takes 27 and more) and is cut off at 120,000.
   */
  readonly timeLimitMs?: number;
  /** Milliseconds after which one run counts as hung, at most a day. Default 2,000, on top of the harness's own deadline. */
  readonly runTimeoutMs?: number;
  /** Scripts played first: a folder, into which new failures are also saved, or scripts. */
  readonly saved?: string | readonly Script[];
  /** Failures that are known and accepted: a file, or what stands in one. */
  readonly baseline?: string | Baseline;
  /** Writes that file anew from what is found, and keeps the reasons that people wrote. Default false. */
  readonly updateBaseline?: boolean;
  /** Told after each portion of scripts. Where it throws or rejects, that is a hint of the report. */
  onProgress?(progress: Progress): void;
}
