import { z } from "zod";

/** A failure that is accepted for now: one harness breaks one rule by one cause. */
export interface BaselineEntry {
  /** The harness's name: several may share a file. */
  readonly harness: string;
  readonly rule: string;
  readonly cause: string;
  /** Why it is accepted, in the words of whoever does. Empty as long as nobody has said. */
  readonly because: string;
  /** It is not found each time, so that its absence proves nothing: only luck found it, or people know better. */
  readonly sometimes?: true;
}

/**
 * The failures that a team knows of and can't mend for now.
 *
 * @example
 * const baseline: Baseline = {
 *   format: 1,
 *   known: [{ harness: "bot", rule: "every-run-ends", cause: "crashed", because: "The SDK throws on null." }],
 * };
 */
export interface Baseline {
  readonly format: 1;
  /** Sorted by harness, rule and cause, so that two versions diff clean. */
  readonly known: readonly BaselineEntry[];
}

export const baselineSchema: z.ZodType<Baseline> = z.strictObject({
  format: z.literal(1),
  known: z.array(
    z.strictObject({
      harness: z.string(),
      rule: z.string(),
      cause: z.string(),
      because: z.string(),
      sometimes: z.literal(true).exactOptional(),
    }),
  ),
});
