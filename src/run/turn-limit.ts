import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import { turnsAllowed } from "../world/budget.ts";

const TURNS_PAST_BUDGET = 3;
const TURNS_PAST_SCRIPT = 50;

/**
 * How many turns the model serves before it refuses. Three more than the budget, so that an overrun is seen; where there is no budget to
 * overrun, so many that only a run without end gets there.
 */
export class TurnLimit {
  readonly #most: number;
  readonly #restarts: boolean;
  readonly #enough: number;
  #from = 0;

  constructor(harness: Harness, script: Script) {
    const { budget = "run" } = harness.claims;
    const allowed = turnsAllowed(script.world.maxSteps);
    const bounded = budget !== "none" && harness.shape?.loop !== "none" && allowed > 0;
    this.#most = bounded ? allowed + TURNS_PAST_BUDGET : script.turns.length + TURNS_PAST_SCRIPT;
    this.#restarts = budget === "resume";
    // Long enough for one more budget to be overrun, after the last call that was written down.
    this.#enough = script.turns.length + (bounded ? this.#most : TURNS_PAST_SCRIPT);
  }

  isPast(served: number): boolean {
    return served - this.#from >= this.#most || (this.#restarts && served >= this.#enough + this.#most);
  }

  /**
   * The model stops repeating itself: a human who always says yes would let a correct harness, whose budget starts again
   * each time, go on for ever.
   */
  isEnough(served: number): boolean {
    return this.#restarts && served >= this.#enough;
  }

  /** The human said yes; a budget that starts again at each approval starts again now. */
  approved(served: number): void {
    if (this.#restarts) this.#from = served;
  }
}
