import { z } from "zod";
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
  /** The rule in one sentence, and how it is often broken. */
  readonly rule: string;
  readonly oftenBrokenBy: string;
}

/** What a campaign came to. It carries no time stamps, so two runs of one seed are equal. */
export interface Report {
  readonly format: 1;
  readonly harness: string;
  /** No rule was violated, unknown, flaky or not exercised (a `should` only where the user asks). */
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
  /** Saved scripts that no longer fail: their file names, or `<rule>.<cause>`. */
  readonly fixed: readonly string[];
  /** The folder in which each failing script was saved as `<rule>.<cause>.json`. Absent: they were not saved. */
  readonly savedIn?: string;
}

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
      rule: z.string(),
      oftenBrokenBy: z.string(),
    }),
  ),
  hints: z.array(z.string()),
  stoppedEarly: z.string().exactOptional(),
  fixed: z.array(z.string()),
  savedIn: z.string().exactOptional(),
});
