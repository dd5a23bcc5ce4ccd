import type { Harness, ModelInput } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import { isModelFailure, type ModelFailure, type Proposal, type ToolCall, type Turn } from "../contract/turn.ts";
import { ModelError, PastBudgetError } from "../errors.ts";
import { budgetGiven } from "../world/budget.ts";
import { parseArguments } from "../world/json.ts";
import { findTool } from "../world/world.ts";
import type { Hints } from "./hints.ts";
import type { Interruption } from "./interruption.ts";
import { abortRefusal } from "./kit-refusals.ts";
import { snapshotOf } from "./model-input.ts";
import { isOneOf, plain } from "./plain.ts";
import type { Recorder } from "./recorder.ts";
import { byTheModel, spoil } from "./spoil.ts";
import type { TurnLimit } from "./turn-limit.ts";

/** More than a harness may ask again in a row (ten times), so that too many are seen. */
const MOST_FAILURES_IN_A_ROW = 14;
const MOST_REFUSALS = 3;
const FINAL_TURN: Turn = { proposals: [{ kind: "text", text: "done" }], stop: "end" };

export interface ModelSetting {
  readonly harness: Harness;
  readonly script: Script;
  readonly recorder: Recorder;
  readonly interruption: Interruption;
  readonly limit: TurnLimit;
  readonly hints: Hints;
  /** Where runs go side by side: resolves when this run may have its turn. */
  readonly myTurn?: () => Promise<void>;
}

/**
 * The model, played from a script: whatever the harness tells it, it proposes what the script says.
 *
 * Each answered request is a step. A failed request is none: the next request asks for the same step again, from the script's next entry.
 */
export class ScriptedModel {
  readonly #setting: ModelSetting;
  /** Turns served. */
  #served = 0;
  /** Entries of the script used: turns and failures. */
  #used = 0;
  #requests = 0;
  #failuresInARow = 0;
  #refusals = 0;

  constructor(setting: ModelSetting) {
    this.#setting = setting;
  }

  get served(): number {
    return this.#served;
  }

  /** The harness's way to the model. Works when taken out of its object. */
  readonly nextTurn = (input?: ModelInput): Promise<Turn> => {
    const { recorder, hints, interruption, myTurn } = this.#setting;
    recorder.record({ type: "asked", step: this.#served, ...snapshotOf(input, hints) });
    const request = this.#requests;
    this.#requests += 1;
    if (interruption.reason === undefined && interruption.isPlanned("model", request)) {
      return new Promise((_, reject) => {
        interruption.fireSoon(() => reject(interruption.reason ?? abortRefusal()));
      });
    }
    return myTurn === undefined ? this.#answer(input) : myTurn().then(() => this.#answer(input));
  };

  #answer(input: ModelInput | undefined): Promise<Turn> {
    const { interruption, limit, script } = this.#setting;
    if (interruption.reason !== undefined) return this.#refuse("aborted", interruption.reason);
    if (limit.isPast(this.#served) || this.#failuresInARow >= MOST_FAILURES_IN_A_ROW) {
      return this.#refuse("past-the-budget", new PastBudgetError(budgetGiven(script.world.maxSteps)));
    }
    const next = this.#nextEntry();
    if (isModelFailure(next.entry)) return this.#fail(next.entry);
    // A request that failed has shown the model nothing, and may be made again as it was.
    if (script.modelEditsInput === true) spoil(input, byTheModel);
    this.#failuresInARow = 0;
    const step = this.#served;
    this.#served += 1;
    return Promise.resolve(this.#deliver(next.entry, step, next.time));
  }

  /** Repeated for ever by a harness that asks for ever, so at last the kit does not answer at all. */
  #refuse(because: "aborted" | "past-the-budget", reason: Error): Promise<never> {
    this.#setting.recorder.record({ type: "kit-refused", step: this.#served, because });
    this.#refusals += 1;
    const isLast = this.#refusals > (because === "aborted" ? MOST_REFUSALS : 1);
    return isLast ? new Promise(() => {}) : Promise.reject(reason);
  }

  #fail({ failure }: ModelFailure): Promise<never> {
    this.#failuresInARow += 1;
    this.#setting.recorder.record({ type: "model-failed", step: this.#served, failure });
    return Promise.reject(new ModelError(failure));
  }

  /** `time` is how often the entry is served, counted from 1. */
  #nextEntry(): { entry: Turn | ModelFailure; time: number } {
    const { turns, afterTurns } = this.#setting.script;
    const used = this.#used;
    this.#used += 1;
    const entry = turns[used];
    if (entry !== undefined) return { entry, time: 1 };
    const last = turns.at(-1);
    if (afterTurns === "end" || last === undefined || this.#setting.limit.isEnough(this.#served))
      return { entry: FINAL_TURN, time: 1 };
    return { entry: last, time: used - turns.length + 2 };
  }

  /** A fresh copy each time: what a harness does to its turn must not reach the script. */
  #deliver(turn: Turn, step: number, time: number): Turn {
    const { recorder } = this.#setting;
    const proposals: Proposal[] = [];
    recorder.step = step;
    recorder.delivered += turn.proposals.length;
    for (const written of turn.proposals) {
      const proposal =
        time === 1 || written.kind === "text" ? written : { ...written, callId: `${written.callId}~${time}` };
      const position = proposals.length;
      const { stop } = turn;
      const normalised = proposal.kind === "tool-call" ? this.#normalised(proposal) : undefined;
      recorder.record(
        normalised === undefined
          ? { type: "proposed", step, position, proposal, stop }
          : { type: "proposed", step, position, proposal, stop, ...normalised },
      );
      proposals.push(
        "extra" in proposal && proposal.extra !== undefined
          ? { ...proposal, extra: plain(proposal.extra) as NonNullable<ToolCall["extra"]> }
          : { ...proposal },
      );
    }
    return { proposals, stop: turn.stop };
  }

  /** What the harness's schema makes of the arguments, where it tells. */
  #normalised(call: ToolCall): object | undefined {
    const { harness, script, hints } = this.#setting;
    if (harness.normalise === undefined || findTool(script.world, call.name) === undefined) return undefined;
    const isEmptyObject = call.args === "" && harness.shape?.emptyArguments === "empty-object";
    const args = isEmptyObject ? {} : parseArguments(call.args);
    if (args === undefined) return undefined;
    try {
      const normalised = harness.normalise(call.name, args);
      if (!isOneOf(normalised, Promise)) return { normalised: plain(normalised) };
      (normalised as Promise<unknown>).catch(() => {});
      hints.note("normalise");
      return undefined;
    } catch (error) {
      // The stack was too small for arguments nested this deep, which says nothing about whether they are valid.
      return isOneOf(error, RangeError) ? undefined : { refusedBySchema: true };
    }
  }
}
