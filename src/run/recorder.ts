import type { Trace, TraceEvent } from "../contract/trace.ts";

/**
 * What was witnessed in one run, in order. Events after the run's end are marked late; once the trace is closed, what a
 * run that never stopped still does is no longer heard.
 *
 * @example
 * recorder.record({ type: "asked", step: 0 });
 */
export class Recorder {
  /** The index of the turn being acted on. */
  step = 0;
  /** How many proposals were delivered so far. */
  delivered = 0;
  readonly #events: TraceEvent[] = [];
  #endedAt = 0;
  #state: "running" | "over" | "closed" = "running";
  readonly #onEvent: ((event: TraceEvent) => void) | undefined;

  /** @param onEvent is told of each event at once, for a run that may never let anyone read its trace */
  constructor(onEvent?: (event: TraceEvent) => void) {
    this.#onEvent = onEvent;
  }

  record(event: TraceEvent): void {
    this.#onEvent?.(event);
    if (this.#state === "running") this.#events.push(event);
    else if (this.#state === "over") this.#events.push({ ...event, late: true });
  }

  /** For what is found when a run is over, but may well have happened in it: it stands before the end. */
  recordBeforeEnd(event: TraceEvent): void {
    this.#events.splice(this.#endedAt, 0, event);
    this.#endedAt += 1;
  }

  /** Records how the run ended; only the first end counts. */
  end(event: TraceEvent): void {
    if (this.#state !== "running") return;
    this.#endedAt = this.#events.length;
    this.#events.push(event);
    this.#state = "over";
  }

  get isRunning(): boolean {
    return this.#state === "running";
  }

  /** The trace as it will be, not yet closed. */
  get events(): Trace {
    return this.#events;
  }

  close(): Trace {
    this.#state = "closed";
    return this.#events;
  }
}
