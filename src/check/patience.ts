import type { Trace } from "../contract/trace.ts";
import type { PlayOptions } from "../run/stage.ts";

/**
 * How long a run may take before it counts as hung. Once a hang was confirmed with the full time-out, later ones are
 * given up sooner: many times what a run of this harness takes, but not seconds, or a few hanging scripts would eat the
 * time of the whole campaign. A first hang of another kind is confirmed with the full time-out again.
 */
export class Patience {
  isShort = false;
  /** Of the last portion, hung runs included. */
  lastMsPerRun = 0;
  private readonly full: number;
  /** Of the fastest portion in which nothing hung; unknown until there was one. */
  private msPerRun: number | undefined;

  /** @param full milliseconds that a run may take as long as none is known to hang */
  constructor(full: number) {
    this.full = full;
  }

  /** Milliseconds, for a run that is expected to hang. */
  get quick(): number {
    return Math.ceil(this.msPerRun === undefined ? this.full / 4 : Math.min(this.full, 5 + 10 * this.msPerRun));
  }

  shorten(): void {
    this.isShort = true;
  }

  /** Plays some runs, and learns from them how long a run takes where none hangs. */
  async measure(play: (options: PlayOptions) => Promise<readonly Trace[]>): Promise<readonly Trace[]> {
    const start = performance.now();
    const traces = await play(this.isShort ? { runTimeoutMs: this.quick } : { stopAtHang: true });
    const msPerRun = (performance.now() - start) / Math.max(1, traces.length);
    this.lastMsPerRun = msPerRun;
    if (msPerRun < (this.msPerRun ?? Number.POSITIVE_INFINITY) && !traces.some(hung)) this.msPerRun = msPerRun;
    return traces;
  }
}

function hung(trace: Trace): boolean {
  return trace.at(-1)?.type === "hung";
}
