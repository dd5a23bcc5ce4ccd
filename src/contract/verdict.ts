import { z } from "zod";

/**
 * What one property says of one trace. `at` is the index of the guilty event; `cause` a stable slug of the kind of fault;
 * `because` one sentence with the names in quotes. `exercised: false`: the trace gave the rule nothing to judge.
 */
export type Verdict =
  | { readonly kind: "holds"; readonly exercised: boolean }
  | { readonly kind: "violated"; readonly at: number; readonly cause: string; readonly because: string }
  | { readonly kind: "unknown"; readonly because: string };

export type Violation = Extract<Verdict, { readonly kind: "violated" }>;

export const verdictSchema: z.ZodType<Verdict> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("holds"), exercised: z.boolean() }),
  z.strictObject({ kind: z.literal("violated"), at: z.int().nonnegative(), cause: z.string(), because: z.string() }),
  z.strictObject({ kind: z.literal("unknown"), because: z.string() }),
]);
