import type { Harness } from "../contract/harness.ts";

/** The example that comes with the kit: a correct harness, fuzzed where no file is named. */
export async function embeddedHarness(): Promise<Harness> {
  const { decisionBoundary } = await import("../../fixtures/harnesses/decision-boundary.ts");
  return decisionBoundary;
}
