import { z } from "zod";

/** How many turns a run may ask for. Odd budgets are spelled where JSON has no word for them; Infinity is never generated. */
export type MaxSteps = number | "NaN" | "-Infinity";

/** Far more than any real run takes; a run that repeats one call for ever has to get there in a moment. */
const mostSteps = 10_000;

export const maxStepsSchema: z.ZodType<MaxSteps> = z.custom<MaxSteps>(
  (value) =>
    typeof value === "number" ? Number.isFinite(value) && value <= mostSteps : value === "NaN" || value === "-Infinity",
  `a number up to ${mostSteps}, or the text "NaN" or "-Infinity"`,
);

/** The number that a harness is given. */
export function budgetGiven(maxSteps: MaxSteps): number {
  return typeof maxSteps === "number" ? maxSteps : Number(maxSteps);
}

/** The number of turns that this budget allows: the whole number below it, and none where it is not a positive number. */
export function turnsAllowed(maxSteps: MaxSteps): number {
  const given = Math.floor(budgetGiven(maxSteps));
  // Not `Math.max`, which hands NaN on.
  if (given > 0) return given;
  return 0;
}
