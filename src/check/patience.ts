import type { PlayOptions } from "../run/stage.ts";

/**
 * How long a run may take before it counts as hung. Once a hang was confirmed with the full time-out, later ones are
 * given up sooner: many times what a run of this harness takes, but not seconds, or a few hanging scripts would eat the
 * time of the whole campaign. A first hang of another kind is confirmed with the full time-out again.
 */
export class Patience {
  isShort = false;
  private readonly full: number;
  /** Of the fastest portion, in which nothing hung. */
  private msPerRun = Number.POSITIVE_INFINITY;

  /** @param full milliseconds that a run may take as long as none is known to hang */
  constructor(full: number) {
    this.full = full;
  }

  /** Milliseconds, for a run that is expected to hang. */
  get quick(): number {
    return Math.ceil(Math.min(this.full, 5 + 10 * this.msPerRun));
  }

  shorten(): void {
    this.isShort = true;
  }

  /** Plays some runs, and learns from them how long a run takes while none hangs. */
  async measure<Result>(runs: number, play: (options: PlayOptions) => Promise<Result>): Promise<Result> {
    const start = performance.now();
    const result = await play(this.isShort ? { runTimeoutMs: this.quick } : {});
    this.msPerRun = Math.min(this.msPerRun, (performance.now() - start) / runs);
    return result;
  }
}
