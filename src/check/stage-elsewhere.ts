import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { Trace, TraceEvent } from "../contract/trace.ts";
import { UsageError } from "../errors.ts";
import type { PlayOptions, PortionOptions, Stage } from "../run/stage.ts";
import { parseJson } from "../world/json.ts";
import type { StageReply, StageRequest, Witnessed } from "./stage-messages.ts";

/** Milliseconds that a process may be silent beyond the time that a run may take: it may just be short of time. */
const graceMs = 300;

/** Milliseconds in which a process loads the harness and opens it. */
const openingMs = 60_000;

/** Processes lost to one portion before it is left out: each costs a time-out and a start. */
const lossesPerPortion = 3;

/** Processes lost before the campaign stops. */
const mostLosses = 12;

/** How the playing process was lost: it no longer answers, or it is gone. */
interface Loss {
  readonly type: "blocked" | "ended";
  readonly words: string;
  readonly afterMs: number;
}

type Played = Extract<StageReply, { readonly type: "played" }>;
type Heard = Exclude<StageReply, { readonly type: "alive" | "refused" }> | Loss;

/**
 * A stage whose runs have a process of their own, so that a harness which never lets go of its thread, or ends its
 * process, ends nothing but that: the run counts as hung or as crashed, and the next script gets a new process.
 *
 * @param start starts a process that loads the harness and serves it by `serveStage`.
 */
export async function openStageElsewhere(
  start: () => ChildProcess,
  harness: Harness,
  options: { readonly runTimeoutMs: number },
): Promise<Stage> {
  const stage = new StageElsewhere(start, harness, options.runTimeoutMs);
  await stage.open();
  return stage;
}

class StageElsewhere implements Stage {
  readonly isElsewhere = true;
  readonly #start: () => ChildProcess;
  readonly #harness: Harness;
  readonly #runTimeoutMs: number;
  readonly #folder = mkdtempSync(join(tmpdir(), "gatecrash-"));
  readonly #hints = new Set<string>();
  #process: ChildProcess | undefined;
  #losses = 0;
  /** Whether any run left its process as it was. */
  #hasPlayed = false;

  constructor(start: () => ChildProcess, harness: Harness, runTimeoutMs: number) {
    this.#start = start;
    this.#harness = harness;
    this.#runTimeoutMs = runTimeoutMs;
  }

  async open(): Promise<ChildProcess> {
    const started = this.#start();
    this.#process = started;
    const request: StageRequest = { type: "open", runTimeoutMs: this.#runTimeoutMs, witnessFile: this.#witnessFile };
    try {
      const heard = await listen(started, request, openingMs);
      if (heard.type === "opened") return started;
      throw new UsageError(
        "no-process",
        `Expected the harness "${this.#harness.name}" to open in a process of its own, but that process ${"words" in heard ? heard.words : "did not open it"}. Do make loading and opening it safe.`,
      );
    } catch (error) {
      this.#drop();
      throw error;
    }
  }

  async play(script: Script, options: PlayOptions = {}): Promise<Trace> {
    const heard = await this.#ask(true, [script], options);
    return heard.type === "played" ? (heard.traces[0] as Trace) : this.#lost(heard).trace;
  }

  async playAll(scripts: readonly Script[], options: PortionOptions = {}): Promise<readonly Trace[]> {
    const traces: Trace[] = [];
    const left = [...scripts.entries()];
    for (let losses = 0; left.length > 0 && losses < lossesPerPortion; losses += 1) {
      const heard = await this.#ask(
        false,
        left.map(([, script]) => script),
        options,
      );
      if (heard.type === "played") {
        for (const [place, trace] of heard.traces.entries()) traces[left[place]![0]] = trace;
        break;
      }
      this.#losses += 1;
      const { place, trace } = this.#lost(heard);
      // Those before it have to be played again: their traces were lost with the process.
      for (const [index] of left.splice(place, 1)) traces[index] = trace;
    }
    return traces;
  }

  hints(): readonly string[] {
    return [...this.#hints];
  }

  mustStop(): string | undefined {
    if (this.#losses < (this.#hasPlayed ? mostLosses : lossesPerPortion)) return undefined;
    return `the harness blocked or ended its process ${this.#losses} times`;
  }

  async close(): Promise<void> {
    const open = this.#process;
    try {
      if (open !== undefined) await listen(open, { type: "close" }, this.#patience());
    } finally {
      this.#drop();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  get #witnessFile(): string {
    return join(this.#folder, "events.jsonl");
  }

  #patience(runTimeoutMs = this.#runTimeoutMs): number {
    return runTimeoutMs + (this.#harness.claims.deadlineMs ?? 0) + graceMs;
  }

  async #ask(alone: boolean, scripts: readonly Script[], options: PortionOptions): Promise<Played | Loss> {
    const open = this.#process ?? (await this.open());
    const request: StageRequest = { type: "play", alone, scripts, options };
    const heard = await listen(open, request, this.#patience(options.runTimeoutMs));
    if (heard.type === "played") {
      this.#hasPlayed = true;
      for (const hint of heard.hints) this.#hints.add(hint);
      return heard;
    }
    this.#drop();
    return "words" in heard ? heard : { type: "ended", words: "gave no answer", afterMs: 0 };
  }

  /** Which script the process was lost to, and what was seen of its run; its own end, if it came to one, was none. */
  #lost({ type, words, afterMs }: Loss): { readonly place: number; readonly trace: Trace } {
    let place = -1;
    let events: TraceEvent[] = [];
    for (const line of readFileSync(this.#witnessFile, "utf8").split("\n")) {
      const seen = parseJson(line) as Witnessed | undefined;
      if (seen === undefined) continue;
      if ("began" in seen) {
        place += 1;
        events = [];
      } else if (seen.type !== "ended" && seen.late !== true) events.push(seen);
    }
    const step = events.at(-1)?.step ?? 0;
    const end: TraceEvent =
      type === "blocked"
        ? { type: "hung", step, afterMs }
        : { type: "crashed", step, name: "ProcessEnded", message: `the process of the harness ${words}` };
    return { place: Math.max(0, place), trace: [...events, end] };
  }

  #drop(): void {
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }
}

/** Sends a request, and gives the answer to it; or how the process was lost, once nothing was heard of it for so long. */
function listen(player: ChildProcess, request: StageRequest, silenceMs: number): Promise<Heard> {
  return new Promise((resolve, reject) => {
    let heardAt = performance.now();
    const silence = (): number => performance.now() - heardAt;
    const done = (): void => {
      clearInterval(timer);
      player.off("message", onMessage);
      player.off("exit", onExit);
      player.off("error", onError);
    };
    const lost = (loss: Loss): void => {
      done();
      resolve(loss);
    };
    const onMessage = (message: unknown): void => {
      heardAt = performance.now();
      const reply = message as StageReply;
      if (reply.type === "alive") return;
      done();
      if (reply.type === "refused") reject(new UsageError(reply.code, reply.message, reply.facts));
      else resolve(reply);
    };
    const onExit = (code: number | null, signal: string | null): void =>
      lost({
        type: "ended",
        words: code === null ? `was ended by ${signal}` : `ended with the code ${code}`,
        afterMs: silence(),
      });
    const onError = (error: Error): void => lost({ type: "ended", words: `failed (${error.message})`, afterMs: 0 });
    // Asked after what has arrived was read: this process may have been the one that was short of time.
    const onTick = (): unknown =>
      setImmediate(() => {
        if (silence() > silenceMs) lost({ type: "blocked", words: "never answered", afterMs: Math.round(silenceMs) });
      });
    const timer = setInterval(onTick, Math.min(100, silenceMs / 4));
    player.on("message", onMessage);
    player.on("exit", onExit);
    player.on("error", onError);
    player.send(request, () => {});
  });
}
