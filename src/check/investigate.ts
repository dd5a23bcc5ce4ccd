import type { Finding } from "../contract/finding.ts";
import type { Harness } from "../contract/harness.ts";
import type { Property } from "../contract/property.ts";
import { proposalsOf, type Script, sizeOf } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Violation } from "../contract/verdict.ts";
import type { PlayOptions, Stage } from "../run/stage.ts";
import { parseJson } from "../world/json.ts";
import { type Judgement, judgeTrace, violationsOf } from "./judge-trace.ts";
import { minimiseScript, type ShrinkLimits } from "./minimise-script.ts";
import { simplificationsFor } from "./simplify-script.ts";
import { tagProposals } from "./tag-proposals.ts";

/** A script that broke a rule, as the campaign met it. */
export interface Suspicion {
  readonly rule: Property;
  readonly violation: Violation;
  readonly script: Script;
  readonly trace: Trace;
  readonly foundIn: Finding["foundIn"];
  readonly foundAfter: number;
}

interface Failure {
  readonly violation: Violation;
  readonly judgement: Judgement;
  readonly trace: Trace;
  readonly guiltyTurn: number;
}

/**
 * Plays a failing script again, alone, and makes it smaller. Where it does not fail again in the same way it is kept as
 * it was met, and called flaky.
 */
export async function investigate(
  suspicion: Suspicion,
  harness: Harness,
  stage: Pick<Stage, "play">,
  limits: ShrinkLimits & { readonly quickTimeout: number },
): Promise<Finding> {
  const { rule, violation, script, foundIn, foundAfter } = suspicion;
  const provenance = { cause: violation.cause, foundIn, foundAfter };
  const fails = async (candidate: Script, options?: PlayOptions): Promise<Failure | undefined> => {
    const play = (toPlay: Script): Promise<Trace> => stage.play(toPlay, options);
    const trace = await play(candidate);
    const judgement = await judgeTrace(rule, harness, candidate, trace, play);
    const same = violationsOf(judgement).find((other) => other.cause === violation.cause);
    if (same === undefined) return undefined;
    return { violation: same, judgement, trace, guiltyTurn: trace[same.at]?.step ?? 0 };
  };
  const again = await fails(script);
  if (again === undefined) {
    return {
      ...provenance,
      because: violation.because,
      script,
      trace: suspicion.trace,
      at: violation.at,
      classes: tagProposals(script, harness),
      proposals: sizeOf(script),
      shrinkRuns: 0,
      flaky: true,
    };
  }
  // A hang is waited for again and again while the script gets smaller, so not for the whole time-out each time.
  const options = again.trace.at(-1)?.type === "hung" ? { runTimeoutMs: limits.quickTimeout } : {};
  const smaller = await minimiseScript(
    script,
    again,
    simplificationsFor(harness.world !== undefined),
    async (candidate) => (canBePlayed(candidate, harness) ? fails(candidate, options) : undefined),
    limits,
  );
  const confirmed = await fails(smaller.script);
  const smallest =
    confirmed === undefined ? { ...smaller, script, failure: again } : { ...smaller, failure: confirmed };
  const { failure } = smallest;
  return {
    ...provenance,
    because: failure.violation.because,
    script: smallest.script,
    trace: failure.trace,
    at: failure.violation.at,
    classes: tagProposals(smallest.script, harness),
    ...(failure.judgement.twin === undefined ? {} : { twin: failure.judgement.twin }),
    proposals: sizeOf(smallest.script),
    shrinkRuns: smallest.runs,
  };
}

/** A smaller script must be one that this harness could have met: in a world it accepts, with texts that reach it. */
function canBePlayed(script: Script, harness: Harness): boolean {
  if (harness.world === undefined && harness.accepts?.(script.world) === false) return false;
  if (harness.shape?.argumentText !== "parsed") return true;
  return proposalsOf(script).every(
    (proposal) => proposal.kind !== "tool-call" || parseJson(proposal.args) !== undefined,
  );
}
