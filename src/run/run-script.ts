import { runBegan, runEnded } from "../contract/going-runs.ts";
import type { Harness, TestRun } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { TraceEvent } from "../contract/trace.ts";
import { UsageError } from "../errors.ts";
import { budgetGiven } from "../world/budget.ts";
import { ScriptedApprover } from "./approver.ts";
import { startAsCurrent, stopBeingCurrent } from "./current-run.ts";
import type { Hints } from "./hints.ts";
import { InstrumentedTools } from "./instrumented-tool.ts";
import { Interruption } from "./interruption.ts";
import type { PreparedWorlds } from "./prepared-world.ts";
import { Recorder } from "./recorder.ts";
import { endByError, endByOutcome } from "./run-outcome.ts";
import { ScriptedModel } from "./scripted-model.ts";
import { TurnLimit } from "./turn-limit.ts";

export interface RunOptions {
  readonly worlds: PreparedWorlds;
  readonly hints: Hints;
  /** The harness has to wait for its own deadline: the time in which it must end starts again. */
  giveMoreTime(): void;
  readonly myTurn?: () => Promise<void>;
  readonly onEvent?: ((event: TraceEvent) => void) | undefined;
}

/** A run that goes on, or is over. */
export interface ScriptedRun {
  readonly recorder: Recorder;
  /** Resolves when the run has ended, or was given up. */
  readonly over: Promise<void>;
  /** It takes too long: what it does from now on is not heard. */
  giveUp(afterMs: number): void;
  isGivenUp(): boolean;
  /** What a helper of the kit complains of: the user's to mend, and no fault of the harness. */
  misuse(): UsageError | undefined;
  /** What the script still has in store after the end of the run. */
  stillToCome(): Promise<void> | undefined;
  /** Nothing that happens from now on is counted as this run's. */
  leave(): void;
}

/**
 * Starts one run of a harness with everything outside it played from a script. One script, one harness, one trace: no randomness,
 * and no judging.
 */
export function startRun(harness: Harness, script: Script, options: RunOptions): ScriptedRun {
  const { hints, myTurn, worlds } = options;
  const recorder = new Recorder(options.onEvent);
  const interruption = new Interruption(script.abort, recorder);
  const limit = new TurnLimit(harness, script);
  let hangs = 0;
  const onHang = (): void => {
    hangs += 1;
    // Nothing else ends a wait in vain where no deadline is claimed, whenever the script would have aborted the run.
    if (harness.claims.deadlineMs === undefined && harness.claims.abort === true) interruption.fireSoon();
    // One deadline for each proposal is all that a harness can need. A harness that tries again for ever needs more.
    if (harness.claims.deadlineMs !== undefined && hangs <= recorder.delivered) options.giveMoreTime();
  };
  const model = new ScriptedModel({ harness, script, recorder, interruption, limit, hints, ...(myTurn && { myTurn }) });
  const tools = new InstrumentedTools(worlds.toolsOf(script.world), {
    script,
    recorder,
    interruption,
    onHang,
    isTold: harness.shape?.effects === "told",
  });
  const approver = new ScriptedApprover({
    script,
    recorder,
    interruption,
    deadlineMs: harness.claims.deadlineMs,
    isAmongOthers: myTurn !== undefined,
    onGranted: () => limit.approved(model.served),
    onHang,
  });
  const run: TestRun = {
    tools: tools.tools,
    skills: [...script.world.skills],
    maxSteps: budgetGiven(script.world.maxSteps),
    get signal() {
      hints.note("signal");
      return interruption.signal;
    },
    nextTurn: model.nextTurn,
    requestApproval: (call) => {
      hints.note("requestApproval");
      return approver.requestApproval(call);
    },
    toolCalled: tools.toolCalled,
  };

  let isGivenUp = false;
  let finish = (): void => {};
  const over = new Promise<void>((resolve) => {
    finish = () => {
      runEnded(run);
      resolve();
    };
  });
  const returned = (outcome: unknown): void => {
    if (recorder.isRunning) recorder.end(endByOutcome(outcome, recorder.step, hints));
    finish();
  };
  let misuse: UsageError | undefined;
  const threw = (error: unknown): void => {
    if (error instanceof UsageError) misuse = error;
    if (recorder.isRunning) recorder.end(endByError(harness, error, recorder.step, interruption.reason !== undefined));
    finish();
  };
  runBegan(run);
  startAsCurrent(recorder, () => {
    try {
      // Inside: a promise of a class of its own may throw when it is waited for.
      Promise.resolve(harness.run(run)).then(returned, threw);
    } catch (error) {
      threw(error);
    }
  });
  return {
    recorder,
    over,
    giveUp(afterMs) {
      if (!recorder.isRunning) return;
      recorder.end({ type: "hung", step: recorder.step, afterMs });
      recorder.close();
      isGivenUp = true;
      interruption.fire();
      finish();
    },
    isGivenUp: () => isGivenUp,
    misuse: () => misuse,
    stillToCome: () => approver.lateAnswer,
    leave: stopBeingCurrent,
  };
}
