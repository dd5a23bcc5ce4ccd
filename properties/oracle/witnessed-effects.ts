import type { Claims, Shape } from "../../src/contract/harness.ts";

/** The need of a rule that is about what happens inside a handler, or about handlers that did not run. */
export function needsWitnessedEffects(_: Claims, { effects }: Shape): string | undefined {
  return effects === "told" ? "the harness's handlers can't be watched" : undefined;
}
