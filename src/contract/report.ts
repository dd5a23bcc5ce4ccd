import { z } from "zod";
import type { BaselineEntry } from "./baseline.ts";
import { type Finding, findingSchema } from "./finding.ts";

export type RuleVerdict = "holds" | "violated" | "unknown" | "flaky" | "unsupported" | "not-exercised";

export interface RuleReport {
  readonly id: string;
  readonly level: "must" | "should";
  readonly verdict: RuleVerdict;
  /** Traces in which the rule had something to judge. */
  readonly exercised: number;
  /** The claim that is missing, where unsupported. */
  readonly needs?: string;
  /** Why, where the verdict is unknown or not-exercised. */
  readonly because?: string;
  /** One for each cause, so that a trivial fault does not hide another. */
  readonly findings: readonly Finding[];
  /** The baseline holds every one of the findings, and nothing else is open: the rule is broken, and not red. */
  readonly known?: true;
  /** What the verdict would be without the findings, where it would not be that the rule holds. */
  readonly otherwise?: { readonly verdict: "unknown" | "not-exercised"; readonly because?: string };
  /** The rule in one sentence, and how it is often broken. */
  readonly rule: string;
  readonly oftenBrokenBy: string;
}

/** An entry of the baseline, as a report on its harness names it. */
export type KnownFailure = Pick<BaselineEntry, "rule" | "cause" | "because">;

/** What became of the baseline's entries for the harness, those aside that failed as known. */
export interface BaselineReport {
  /** The file, where it was read from one. */
  readonly file?: string;
  /** Those that no longer fail: red, as a failure of a rule of that level would be. */
  readonly gone: readonly (KnownFailure & { readonly level: RuleReport["level"] })[];
  /** Those that were not found in a campaign that could not tell, and why. */
  readonly open: readonly (KnownFailure & { readonly unclear: string })[];
  /** The file was written anew: what it accepts now, and no longer. */
  readonly written?: { readonly added: readonly KnownFailure[]; readonly removed: readonly KnownFailure[] };
  /** Why the file was left as it was, although it was to be written. */
  readonly notWritten?: string;
}

/** What a campaign came to. It carries no time stamps, so two runs of one seed are equal. */
export interface Report {
  readonly format: 1;
  readonly harness: string;
  /**
   * No rule was violated, unknown, flaky or not exercised (a `should` only where the user asks), but for what the baseline
   * knows; and all that it knows still fails.
   */
  readonly ok: boolean;
  /** Of the random scripts; 0 where there were none, since one script was replayed. */
  readonly seed: number;
  /** One script was played again, and there was no campaign. */
  readonly replayed?: true;
  /** Scripts played, those of shrinking and of confirming left out. */
  readonly scripts: number;
  readonly rules: readonly RuleReport[];
  /** What the user may want to change: used but not claimed, and the like. */
  readonly hints: readonly string[];
  /** Why the campaign ended before its last script, where it did. */
  readonly stoppedEarly?: string;
  /** It ended before its fixed cases were played, so that what held was hardly looked at. */
  readonly cutOff?: true;
  /** Scripts that were left out, since the harness is slow. */
  readonly leftOut?: number;
  /** A broken SHOULD is red too. */
  readonly should?: "fail";
  /** Saved scripts that no longer fail: their file names, or `<rule>.<cause>`. */
  readonly fixed: readonly string[];
  /** The folder in which each failing script was saved as `<rule>.<cause>.json`. Absent: they were not saved. */
  readonly savedIn?: string;
  /** Of the failures that were known before, where there is a baseline. */
  readonly baseline?: BaselineReport;
}

const knownFailure = { rule: z.string(), cause: z.string(), because: z.string() };

export const reportSchema: z.ZodType<Report> = z.strictObject({
  format: z.literal(1),
  harness: z.string(),
  ok: z.boolean(),
  seed: z.int(),
  replayed: z.literal(true).exactOptional(),
  scripts: z.int().nonnegative(),
  rules: z.array(
    z.strictObject({
      id: z.string(),
      level: z.enum(["must", "should"]),
      verdict: z.enum(["holds", "violated", "unknown", "flaky", "unsupported", "not-exercised"]),
      exercised: z.int().nonnegative(),
      needs: z.string().exactOptional(),
      because: z.string().exactOptional(),
      findings: z.array(findingSchema),
      known: z.literal(true).exactOptional(),
      otherwise: z
        .strictObject({ verdict: z.enum(["unknown", "not-exercised"]), because: z.string().exactOptional() })
        .exactOptional(),
      rule: z.string(),
      oftenBrokenBy: z.string(),
    }),
  ),
  hints: z.array(z.string()),
  stoppedEarly: z.string().exactOptional(),
  cutOff: z.literal(true).exactOptional(),
  leftOut: z.int().nonnegative().exactOptional(),
  should: z.literal("fail").exactOptional(),
  fixed: z.array(z.string()),
  savedIn: z.string().exactOptional(),
  baseline: z
    .strictObject({
      file: z.string().exactOptional(),
      gone: z.array(z.strictObject({ ...knownFailure, level: z.enum(["must", "should"]) })),
      open: z.array(z.strictObject({ ...knownFailure, unclear: z.string() })),
      written: z
        .strictObject({
          added: z.array(z.strictObject(knownFailure)),
          removed: z.array(z.strictObject(knownFailure)),
        })
        .exactOptional(),
      notWritten: z.string().exactOptional(),
    })
    .exactOptional(),
});
