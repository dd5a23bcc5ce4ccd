// Taken before any harness or test can put fake timers in their place: the kit must not wait for a clock that stands still.
const realSetImmediate = globalThis.setImmediate;
const realSetTimeout = globalThis.setTimeout;
const realClearTimeout = globalThis.clearTimeout;

/** Calls back after one turn of the event loop. */
export function afterOneTurn(callback: () => void): void {
  realSetImmediate(callback);
}

/** Waits for some turns of the event loop. */
export async function loopTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise<void>((resolve) => realSetImmediate(resolve));
}

export function milliseconds(count: number): Promise<void> {
  return new Promise((resolve) => realSetTimeout(resolve, count));
}

/**
 * One timer that is wound up again for each run, since a timer for each run is dear.
 */
export class Watchdog {
  readonly #bark: (afterMs: number) => void;
  #afterMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(afterMs: number, bark: (afterMs: number) => void) {
    this.#afterMs = afterMs;
    this.#bark = bark;
  }

  /** Sets how long it counts from the next time that it is wound. */
  setPatience(afterMs: number): void {
    if (afterMs === this.#afterMs) return;
    this.stop();
    this.#afterMs = afterMs;
  }

  /** Starts to count, or starts again from zero. */
  readonly wind = (): void => {
    if (this.#timer === undefined) this.#timer = realSetTimeout(() => this.#bark(this.#afterMs), this.#afterMs);
    else this.#timer.refresh();
  };

  stop(): void {
    realClearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
