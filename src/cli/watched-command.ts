import type { OpenStage } from "../check/check-harness.ts";
import { openStageElsewhere } from "../check/stage-elsewhere.ts";
import { UsageError } from "../errors.ts";
import { type Heartbeat, heartbeatMs } from "./heartbeat.ts";
import { startProcess } from "./start-process.ts";

/**
 * Milliseconds without a heartbeat after which the event loop of a process that plays is taken to be blocked for ever: more
 * than a machine that is short of time for other reasons keeps it waiting.
 */
const blockedMs = 8_000;

/** The same while a harness is loaded: compiling all that it imports may take long. */
const loadingMs = 120_000;

/** Milliseconds that a process has to say goodbye once it was interrupted. */
const goodbyeMs = 1_000;

/** How the process that did the work ended. `lost`: not by itself, so that somebody has to find out which run it was. */
type Ending =
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "lost"; readonly because: string; readonly isLoaded: boolean; readonly afterMs: number };

/** The harness file of a command, and which of its exports. */
export interface Watched {
  readonly file: string;
  readonly picked: string | undefined;
}

/**
 * Does the work of a command in a process of its own, which writes to the same output. Where a harness blocks that process
 * for ever, or ends it, the work is done again with a stage in yet another process: slower, but then it can be told which
 * run it was.
 *
 * @param words the command line
 * @param again does the work in this process, on the stage that it is given; `lostMs` is how long it took in vain. It says
 *   whether it found what the process was lost to.
 */
export async function watchedCommand(
  words: readonly string[],
  { file, picked }: Watched,
  again: (open: OpenStage, lostMs: number) => Promise<{ readonly code: number; readonly isExplained: boolean }>,
): Promise<number> {
  const ending = await innerProcess(words);
  if (ending.kind === "exit") return ending.code;
  if (!ending.isLoaded) {
    throw new UsageError(
      "never-loads",
      `Expected \`${file}\` to load, but its process ${ending.because}. Do make what runs on import safe to run.`,
      { file },
    );
  }
  process.stderr.write(
    `The process of the harness ${ending.because}. Starting again, with its runs in a process of their own, to find the script that does it.\n`,
  );
  const start = () =>
    startProcess("player-process", picked === undefined ? [file] : [file, picked], ["ignore", 2, 2, "ipc"]);
  const { code, isExplained } = await again(
    (harness, options) => openStageElsewhere(start, harness, options),
    ending.afterMs,
  );
  if (isExplained) return code;
  process.stderr.write(
    `The process of the harness ${ending.because}, and no script did it again when it was played anew.\n`,
  );
  return 3;
}

function innerProcess(words: readonly string[]): Promise<Ending> {
  const started = performance.now();
  const inner = startProcess("inner-process", words, ["inherit", "inherit", "inherit", "ipc"]);
  let heardAt = started;
  let soFar = "nothing was played yet";
  let stage: "loading" | "playing" | "finished" = "loading";
  let interrupted: NodeJS.Signals | undefined;
  let because: string | undefined;

  return new Promise((resolve, reject) => {
    const watch = setInterval(() => {
      // What has arrived meanwhile is read first: this process may have been the one that stood still.
      setImmediate(() => {
        const silence = performance.now() - heardAt;
        if (because !== undefined || silence < (stage === "loading" ? loadingMs : blockedMs)) return;
        because = `was blocked for ${Math.round(silence / 1000)} seconds`;
        inner.kill("SIGKILL");
      });
    }, heartbeatMs);
    const interrupt = (signal: NodeJS.Signals): void => {
      if (interrupted !== undefined) return;
      interrupted = signal;
      inner.kill(signal);
      // One that is blocked can't say how far it came.
      setTimeout(() => {
        if (!inner.kill("SIGKILL")) return;
        process.stderr.write(`\nInterrupted: ${soFar}; its process was blocked.\n`);
      }, goodbyeMs).unref();
    };
    const signals = ["SIGINT", "SIGTERM"] as const;
    for (const signal of signals) process.on(signal, interrupt);
    const done = (): void => {
      clearInterval(watch);
      for (const signal of signals) process.off(signal, interrupt);
    };
    inner.on("message", (message) => {
      const beat = message as Heartbeat;
      heardAt = performance.now();
      if (beat.type === "alive") soFar = beat.soFar || soFar;
      else stage = beat.type;
    });
    inner.on("error", (error) => {
      done();
      reject(error);
    });
    inner.on("exit", (code, signal) => {
      done();
      if (interrupted !== undefined) return resolve({ kind: "exit", code: interrupted === "SIGINT" ? 130 : 143 });
      if (code !== null && stage !== "playing") return resolve({ kind: "exit", code });
      const words = because ?? (code === null ? `was ended by ${signal}` : `was ended (code ${code})`);
      const isLoaded = stage !== "loading";
      resolve({ kind: "lost", because: words, isLoaded, afterMs: performance.now() - started });
    });
  });
}
