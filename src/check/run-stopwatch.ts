import { everyRunOf, type Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import { waitsIn } from "./waiting-ration.ts";

/** After so many runs those before count half, since the scripts of a campaign grow as it goes on. */
const remembered = 400;

/**
 * How long a run of this harness takes, played and judged, of late: without looking into failures, and without scripts in which
 * somebody is waited for in vain, since these are rationed.
 */
export class RunStopwatch {
  #runs = 0;
  #ms = 0;
  #began = 0;
  #paused = 0;

  get msPerRun(): number | undefined {
    return this.#runs === 0 ? undefined : this.#ms / this.#runs;
  }

  start(): void {
    this.#began = performance.now();
  }

  pause(): void {
    this.#paused = performance.now();
  }

  goOn(): void {
    this.#began += performance.now() - this.#paused;
  }

  /** What was played and judged since the start. */
  stop(scripts: readonly Script[], traces: readonly Trace[]): void {
    if (scripts.some((script) => waitsIn(script) > 0) || traces.some((trace) => trace.at(-1)?.type === "hung")) return;
    if (this.#runs > remembered) {
      this.#runs /= 2;
      this.#ms /= 2;
    }
    this.#ms += performance.now() - this.#began;
    for (const script of scripts) this.#runs += everyRunOf(script).length;
  }
}
