import type { Finding } from "../contract/finding.ts";
import type { Harness } from "../contract/harness.ts";
import type { Property } from "../contract/property.ts";
import { everyRunOf, isAccompanied, proposalsOf, type Script, sizeOf, soloOf } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Violation } from "../contract/verdict.ts";
import type { PlayOptions, Stage } from "../run/stage.ts";
import { parseJson } from "../world/json.ts";
import { type Judgement, judgeTrace, violationsOf } from "./judge-trace.ts";
import { minimiseScript, type ShrinkLimits } from "./minimise-script.ts";
import { simplificationsFor } from "./simplify-script.ts";
import { SoloRuns } from "./solo-runs.ts";
import { tagProposals } from "./tag-proposals.ts";
import { dependsOnTiming } from "./timing.ts";
import { waitsIn } from "./waiting-ration.ts";

/** How often a failure has to come again where deadlines pass: a busy machine may well bring it about twice. */
const timesWhereTimed = 3;

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
  limits: ShrinkLimits & { readonly quickTimeout: number; readonly solos?: SoloRuns; readonly onStuck?: () => void },
): Promise<Finding> {
  const { rule, violation, script, foundIn, foundAfter } = suspicion;
  const { solos = new SoloRuns() } = limits;
  const provenance = { cause: violation.cause, foundIn, foundAfter };
  const fails = async (candidate: Script, options?: PlayOptions): Promise<Failure | undefined> => {
    const play = (toPlay: Script): Promise<Trace> => stage.play(toPlay, options);
    if (rule.comparesWithSolo === true) {
      await solos.playFirst(candidate, play);
      // What the script before this one left behind must not make up for what this one lacks.
      if (isAccompanied(candidate)) await play(uneventful(candidate));
    }
    const trace = await play(candidate);
    const judgement = await judgeTrace(
      rule,
      harness,
      candidate,
      trace,
      async (twin) => (rule.comparesWithSolo === true ? solos.traceOf(twin) : undefined) ?? play(twin),
    );
    const same = violationsOf(judgement).find((other) => other.cause === violation.cause);
    if (same === undefined) return undefined;
    return { violation: same, judgement, trace, guiltyTurn: trace[same.at]?.step ?? 0 };
  };
  const failsEachTime = async (candidate: Script): Promise<Failure | undefined> => {
    const times = dependsOnTiming(candidate, harness.claims) ? timesWhereTimed : 1;
    let failure: Failure | undefined;
    for (let time = 0; time < times; time += 1) {
      failure = await fails(candidate);
      if (failure === undefined) return undefined;
    }
    return failure;
  };
  const again = await failsEachTime(script);
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
  if (await isStuck(suspicion, again, harness, stage)) {
    limits.onStuck?.();
    return findingOf(provenance, script, again, harness, 0);
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
  // Where there was no time to make it smaller, it has just failed.
  const confirmed = smaller.runs === 0 ? again : await failsEachTime(smaller.script);
  const smallest =
    confirmed === undefined ? { ...smaller, script, failure: again } : { ...smaller, failure: confirmed };
  return findingOf(provenance, smallest.script, smallest.failure, harness, smallest.runs);
}

function findingOf(
  provenance: Pick<Finding, "cause" | "foundIn" | "foundAfter">,
  script: Script,
  { violation, trace, judgement }: Failure,
  harness: Harness,
  shrinkRuns: number,
): Finding {
  return {
    ...provenance,
    because: violation.because,
    script,
    trace,
    at: violation.at,
    classes: tagProposals(script, harness),
    ...(judgement.twin === undefined ? {} : { twin: judgement.twin }),
    proposals: sizeOf(script),
    shrinkRuns,
  };
}

/**
 * Whether the run alone shows the fault too by now: the harness keeps for good what another run left behind. Then nothing
 * that is played after it tells which run that was, and the script stays as it was met.
 */
async function isStuck(
  { rule, violation, script }: Suspicion,
  { trace }: Failure,
  harness: Harness,
  stage: Pick<Stage, "play">,
): Promise<boolean> {
  if (rule.comparesWithSolo !== true || !isAccompanied(script)) return false;
  const alone = await stage.play(soloOf(script));
  const judgement = await judgeTrace(rule, harness, script, trace, async () => alone);
  return violationsOf(judgement).every(({ cause }) => cause !== violation.cause);
}

/** A run that ends well at once: after it, most harnesses that keep something of a run have forgotten it. */
function uneventful({ world }: Script): Script {
  return { format: 1, world, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
}

/** A smaller script must be one that this harness could have met: in a world it accepts, with texts that reach it. */
function canBePlayed(script: Script, harness: Harness): boolean {
  const { claims, shape, world } = harness;
  return everyRunOf(script).every((run) => {
    if (world === undefined && harness.accepts?.(run.world) === false) return false;
    // Where nobody ends a wait in vain, the abort has to.
    if (claims.deadlineMs === undefined && run.abort === undefined && waitsIn(run) > 0) return false;
    if (shape?.argumentText !== "parsed") return true;
    return proposalsOf(run).every(
      (proposal) => proposal.kind !== "tool-call" || parseJson(proposal.args) !== undefined,
    );
  });
}
