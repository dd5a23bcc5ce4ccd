import fc, { type Arbitrary, type IAsyncPropertyWithHooks } from "fast-check";
import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import { validHarness } from "../contract/valid-harness.ts";
import { openStage } from "../run/stage.ts";
import { chooseRules } from "./choose-rules.ts";
import { judgeTrace } from "./judge-trace.ts";
import { scriptsFor } from "./phases.ts";
import { accompanied } from "./several-runs.ts";
import { SoloRuns } from "./solo-runs.ts";

/**
 * One rule as a fast-check property over scripts, for a plain `fc.assert`: shrunk by fast-check, not by this kit.
 *
 * @example
 * await fc.assert(property(harness, "denied-tools-never-run"), { numRuns: 1_000 });
 */
export function property(harness: Harness, ruleId: string): IAsyncPropertyWithHooks<[Script]> {
  const usable = validHarness(harness);
  const [rule] = chooseRules([ruleId]);
  const scripts = scriptsFor(usable);
  const fitting = rule?.comparesWithSolo === true ? inCompany(scripts, usable) : scripts;
  return fc.asyncProperty(fitting, async (script) => {
    const stage = await openStage(usable, { runTimeoutMs: 2_000 });
    const solos = new SoloRuns();
    const play = (each: Script) => stage.play(each);
    try {
      await solos.playFirst(script, play);
      const trace = await play(script);
      const { verdicts } = await judgeTrace(
        rule!,
        usable,
        script,
        trace,
        async (twin) => solos.traceOf(twin) ?? play(twin),
      );
      for (const verdict of verdicts) if (verdict.kind !== "holds") throw new Error(`${ruleId}: ${verdict.because}`);
    } finally {
      await stage.close();
    }
  });
}

/** What runs do to each other shows only where there are several. */
function inCompany(scripts: Arbitrary<Script>, harness: Harness): Arbitrary<Script> {
  return fc.tuple(scripts, fc.nat()).map(([script, number]) => accompanied(script, harness, number));
}
