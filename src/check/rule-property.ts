import fc, { type IAsyncPropertyWithHooks } from "fast-check";
import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import { validHarness } from "../contract/valid-harness.ts";
import { openStage } from "../run/stage.ts";
import { chooseRules } from "./choose-rules.ts";
import { judgeTrace } from "./judge-trace.ts";
import { scriptsFor } from "./phases.ts";

/**
 * One rule as a fast-check property over scripts, for a plain `fc.assert`: shrunk by fast-check, not by this kit.
 *
 * @example
 * await fc.assert(property(harness, "denied-tools-never-run"), { numRuns: 1_000 });
 */
export function property(harness: Harness, ruleId: string): IAsyncPropertyWithHooks<[Script]> {
  const usable = validHarness(harness);
  const [rule] = chooseRules([ruleId]);
  return fc.asyncProperty(scriptsFor(usable), async (script) => {
    const stage = await openStage(usable, { runTimeoutMs: 2_000 });
    try {
      const trace = await stage.play(script);
      const { verdicts } = await judgeTrace(rule!, usable, script, trace, (twin) => stage.play(twin));
      for (const verdict of verdicts) if (verdict.kind !== "holds") throw new Error(`${ruleId}: ${verdict.because}`);
    } finally {
      await stage.close();
    }
  });
}
