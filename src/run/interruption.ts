import type { Script } from "../contract/script.ts";
import { afterOneTurn } from "./event-loop.ts";
import { abortRefusal } from "./kit-refusals.ts";
import type { Recorder } from "./recorder.ts";

/**
 * The abort signal of one run, and the moment at which the script lets it fire. The signal itself is made when the harness first reads
 * it, since most harnesses never do.
 */
export class Interruption {
  readonly #plan: Script["abort"];
  readonly #recorder: Recorder;
  #controller: AbortController | undefined;
  #reason: DOMException | undefined;

  constructor(plan: Script["abort"], recorder: Recorder) {
    this.#plan = plan;
    this.#recorder = recorder;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** The reason of the abort, once it has happened. */
  get reason(): DOMException | undefined {
    return this.#reason;
  }

  /** Whether the script aborts the run during this one: the first request, handler or approval has the number 0. */
  isPlanned(during: "model" | "handler" | "approval", number: number): boolean {
    return this.#plan !== undefined && this.#plan.during === during && this.#plan.at === number;
  }

  /** Aborts one turn of the event loop from now, unless the run is over by then. */
  fireSoon(then?: () => void): void {
    afterOneTurn(() => {
      if (this.#recorder.isRunning) this.fire();
      then?.();
    });
  }

  fire(): DOMException {
    if (this.#reason === undefined) {
      this.#reason = abortRefusal();
      this.#recorder.record({ type: "aborted", step: this.#recorder.step });
      this.#controller?.abort(this.#reason);
    }
    return this.#reason;
  }
}
