import { loopTurns } from "./event-loop.ts";

/** A slow handler takes fewer turns of the event loop than this. */
const PATIENCE = 6;

/**
 * The interleaving of runs that go side by side: each entry of the schedule lets one run have one turn of its model. A run that does
 * not ask, because it is over or waits for something else, is passed over; past the schedule, whoever asked first goes first.
 *
 * @example
 * new TurnTaking([0, 1, 1, 0], 2)
 */
export class TurnTaking {
  readonly #schedule: readonly number[];
  readonly #runs: number;
  readonly #waiting: { readonly run: number; readonly go: () => void }[] = [];
  readonly #over = new Set<number>();
  #position = 0;
  #moving = false;

  constructor(schedule: readonly number[], runs: number) {
    this.#schedule = schedule;
    this.#runs = runs;
  }

  /** Resolves when it is this run's turn. */
  ask(run: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ run, go: resolve });
      void this.#letThemGo();
    });
  }

  leave(run: number): void {
    this.#over.add(run);
  }

  async #letThemGo(): Promise<void> {
    if (this.#moving) return;
    this.#moving = true;
    let waited = 0;
    while (this.#waiting.length > 0) {
      await loopTurns(1);
      const index = this.#whoIsNext();
      if (index === -1) {
        waited += 1;
        if (waited < PATIENCE) continue;
        this.#position += 1;
        waited = 0;
        continue;
      }
      waited = 0;
      this.#position += 1;
      this.#waiting.splice(index, 1)[0]?.go();
    }
    this.#moving = false;
  }

  /** The place in the queue of the one whose turn it is, or -1: it has not asked yet. */
  #whoIsNext(): number {
    for (; this.#position < this.#schedule.length; this.#position += 1) {
      const run = (this.#schedule[this.#position] as number) % this.#runs;
      if (!this.#over.has(run)) return this.#waiting.findIndex((one) => one.run === run);
    }
    return 0;
  }
}
