import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { Trace, TraceEvent } from "../contract/trace.ts";
import { UsageError } from "../errors.ts";
import { forgetCurrent } from "./current-run.ts";
import { loopTurns, milliseconds, Watchdog } from "./event-loop.ts";
import { Hints } from "./hints.ts";
import { messageOf } from "./plain.ts";
import { plantFunction, removePlantedFunction } from "./planted-function.ts";
import { PreparedWorlds } from "./prepared-world.ts";
import { PrototypeWatch } from "./prototype-watch.ts";
import { type ScriptedRun, startRun } from "./run-script.ts";
import { catchStrayErrors, stopCatchingStrayErrors } from "./stray-errors.ts";
import { TurnTaking } from "./turn-taking.ts";

export interface PlayOptions {
  /** Milliseconds after which a run counts as hung, where it is not the stage's own `runTimeoutMs`. */
  readonly runTimeoutMs?: number;
  /** `Date.now()` after which no other script of a portion begins; its trace is left out then. */
  readonly until?: number;
  /** No other script of a portion begins after a run that hung: so that it can be looked into before others take as long. */
  readonly stopAtHang?: true;
}

/** The same for scripts that share one wait. `timer`: it is a millisecond longer than two turns of the event loop. */
export interface PortionOptions extends PlayOptions {
  readonly timer?: boolean;
}

export interface StageOptions {
  /** Milliseconds after which a run counts as hung. */
  readonly runTimeoutMs: number;
  /** Told of everything at once, for a run that may take this process with it. */
  readonly witness?: Witness;
}

/** Hears of each script that begins, and of each event of its own run, not of those before and beside it. */
export interface Witness {
  began(): void;
  saw(event: TraceEvent): void;
}

/** Where the scripts of one campaign are played. */
export interface Stage {
  /** One script, alone on a quiet event loop, with the longest wait for late effects. */
  play(script: Script, options?: PlayOptions): Promise<Trace>;
  /** One after another, sharing one wait for late effects: two turns of the event loop, with `timer` also 1 ms. */
  playAll(scripts: readonly Script[], options?: PortionOptions): Promise<readonly Trace[]>;
  /** What the harness uses but does not claim, and the like. */
  hints(): readonly string[];
  /** Its runs have a process of their own, which some of them cost. */
  readonly isElsewhere?: true;
  /** Why no more scripts shall be played, where there is a reason. */
  mustStop?(): string | undefined;
  /** Takes away everything that the stage put up. May be called more than once. */
  close(): Promise<void>;
}

/**
 * Opens the harness, and puts up what watches the whole process while scripts are played: the planted function, the prototypes, and the
 * errors that nobody handles. Several stages may be open at once.
 *
 * @example
 * const stage = await openStage(harness, { runTimeoutMs: 2_000 });
 * const trace = await stage.play(script);
 * await stage.close();
 */
export async function openStage(harness: Harness, options: StageOptions): Promise<Stage> {
  try {
    await harness.open?.();
  } catch (error) {
    throw harnessFailed(harness, "open", error);
  }
  return new OpenStage(harness, options);
}

/** What has to be kept of a run until its trace is closed: all else would be carried along by each collection of garbage. */
interface FinishedRun {
  readonly recorder: ScriptedRun["recorder"];
  readonly stillToCome: Promise<void> | undefined;
  readonly hung: boolean;
}

class OpenStage implements Stage {
  readonly #harness: Harness;
  readonly #hints: Hints;
  readonly #worlds = new PreparedWorlds();
  readonly #prototypes: PrototypeWatch | undefined;
  readonly #runTimeoutMs: number;
  readonly #witness: Witness | undefined;
  readonly #watchdog: Watchdog;
  /** The runs that go on now. */
  #going: ScriptedRun[] = [];
  /** Resolves when what was asked for earlier is done. */
  #earlier: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(harness: Harness, { runTimeoutMs, witness }: StageOptions) {
    this.#harness = harness;
    this.#witness = witness;
    this.#hints = new Hints(harness);
    this.#runTimeoutMs = runTimeoutMs;
    this.#watchdog = new Watchdog(this.#patience(), (afterMs) => {
      for (const run of this.#going) run.giveUp(afterMs);
    });
    catchStrayErrors();
    if (harness.shape?.sameProcess === false) return;
    plantFunction();
    this.#prototypes = new PrototypeWatch();
  }

  async play(script: Script, options: PlayOptions = {}): Promise<Trace> {
    const [trace] = await this.#afterEarlier(async () => {
      await loopTurns(2);
      this.#watchdog.setPatience(this.#patience(options.runTimeoutMs));
      return this.#playBatch([script], { timer: true });
    });
    return trace as Trace;
  }

  playAll(scripts: readonly Script[], options: PortionOptions = {}): Promise<readonly Trace[]> {
    return this.#afterEarlier(() => {
      this.#watchdog.setPatience(this.#patience(options.runTimeoutMs));
      return this.#playBatch(scripts, options);
    });
  }

  /** A harness that has a deadline of its own may take that long. */
  #patience(runTimeoutMs = this.#runTimeoutMs): number {
    return runTimeoutMs + (this.#harness.claims.deadlineMs ?? 0);
  }

  hints(): readonly string[] {
    return this.#hints.sentences();
  }

  close(): Promise<void> {
    this.#closing ??= this.#earlier.then(() => this.#takeDown());
    return this.#closing;
  }

  #afterEarlier<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#closing === undefined ? this.#earlier.then(work) : Promise.reject(stageClosed());
    this.#earlier = result.catch(() => {});
    return result;
  }

  async #takeDown(): Promise<void> {
    this.#prototypes?.undo(true);
    if (this.#prototypes !== undefined) removePlantedFunction();
    stopCatchingStrayErrors();
    forgetCurrent();
    try {
      await this.#harness.close?.();
    } catch (error) {
      throw harnessFailed(this.#harness, "close", error);
    }
  }

  async #playBatch(
    scripts: readonly Script[],
    { timer = false, until = Number.POSITIVE_INFINITY, stopAtHang }: Omit<PortionOptions, "runTimeoutMs">,
  ): Promise<readonly Trace[]> {
    this.#prototypes?.renew();
    const runs: FinishedRun[] = [];
    try {
      for (const script of scripts) {
        if (this.#closing !== undefined) throw stageClosed();
        if (runs.length > 0 && (Date.now() > until || (stopAtHang && runs.at(-1)?.hung))) break;
        this.#witness?.began();
        runs.push(await this.#playOne(script, this.#witness?.saw));
      }
      await this.#waitForLateEffects(runs, timer);
      this.#witnessGlobals(runs.at(-1), true);
      return runs.map((run) => run.recorder.close());
    } finally {
      this.#watchdog.stop();
      for (const run of runs) run.recorder.close();
    }
  }

  /** With the runs before and beside it, whose traces nobody needs. */
  async #playOne(script: Script, onEvent?: (event: TraceEvent) => void): Promise<FinishedRun> {
    for (const earlier of script.before ?? []) (await this.#playOne(earlier)).recorder.close();
    const scripts = [script, ...(script.beside ?? [])];
    const taking = scripts.length > 1 ? new TurnTaking(script.schedule ?? [], scripts.length) : undefined;
    this.#watchdog.wind();
    this.#going = [];
    for (const [index, one] of scripts.entries()) {
      const run = startRun(this.#harness, one, {
        worlds: this.#worlds,
        hints: this.#hints,
        giveMoreTime: this.#watchdog.wind,
        ...(taking && { myTurn: () => taking.ask(index) }),
        onEvent: index === 0 ? onEvent : undefined,
      });
      if (taking !== undefined) void run.over.then(() => taking.leave(index));
      this.#going.push(run);
    }
    const going = this.#going;
    for (const run of going) await run.over;
    // Node tells of unhandled rejections only when all that was ready has run, and they must be told of this run.
    // A run that was given up is told so by its signal, and gets a little longer to clean up.
    await loopTurns(going.some((run) => run.isGivenUp()) ? 3 : 1);
    for (const run of going) run.leave();
    const misused = going.map((run) => run.misuse()).find((error) => error !== undefined);
    if (misused !== undefined) throw misused;
    const main = going[0] as ScriptedRun;
    this.#witnessGlobals(main, false);
    for (const other of going.slice(1)) other.recorder.close();
    this.#going = [];
    return { recorder: main.recorder, stillToCome: main.stillToCome(), hung: main.isGivenUp() };
  }

  #witnessGlobals(run: Pick<FinishedRun, "recorder"> | undefined, thorough: boolean): void {
    const changes = this.#prototypes?.undo(thorough) ?? [];
    for (const { where, key } of changes) {
      run?.recorder.recordBeforeEnd({ type: "global-changed", step: run.recorder.step, where, key });
    }
  }

  async #waitForLateEffects(runs: readonly FinishedRun[], timer: boolean): Promise<void> {
    const late = runs.map((run) => run.stillToCome).filter((promise) => promise !== undefined);
    if (late.length > 0) await Promise.all(late);
    const { settleMs } = this.#harness.shape ?? {};
    if (settleMs !== undefined) await milliseconds(settleMs);
    else if (timer) await milliseconds(1);
    await loopTurns(2);
  }
}

function stageClosed(): UsageError {
  return new UsageError(
    "stage-closed",
    "Expected the stage to be open, got a closed one. Do play scripts before closing it.",
  );
}

function harnessFailed(harness: Harness, member: "open" | "close", error: unknown): UsageError {
  // It says what to do in words of its own, as that a package is missing.
  if (error instanceof UsageError) return error;
  return new UsageError(
    `harness-${member}-failed`,
    `Expected \`${member}\` of the harness "${harness.name}" to resolve, but it failed: ${messageOf(error)}. Do mend it, or leave it out.`,
    { error },
  );
}
