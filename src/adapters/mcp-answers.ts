import type { ToolCall } from "../contract/turn.ts";

/** Calls of one run after which a tool that has never answered one counts as mute, and the turns over which they are spread. */
const several = { calls: 3, turns: 2 };

/** Milliseconds that a tool is waited for at least that has never answered. */
const shortestWaitMs = 500;

/** Valid calls of one tool, in a campaign. */
export interface AnswerCount {
  answered: number;
  unanswered: number;
}

/**
 * Which tools answer their valid calls in time. One that leaves a call unanswered may be slow; one that has answered none of several
 * leaves its clients without a result. That counts within one run, so that the same script shows it again.
 */
export class AnswerBook {
  readonly counts = new Map<string, AnswerCount>();
  readonly #runs = new WeakMap<object, Map<string, { calls: number; turns: number }>>();

  /** How long a call of this tool is waited for: less long where several were in vain, so that a campaign comes to its end. */
  patience(tool: string, answerMs: number): number {
    const { answered, unanswered } = this.#countOf(tool);
    return unanswered >= several.calls && answered === 0
      ? Math.min(answerMs, Math.max(shortestWaitMs, answerMs / 5))
      : answerMs;
  }

  /** An answer after all is an answer. */
  cameLate(tool: string): void {
    this.#countOf(tool).answered += 1;
  }

  /**
   * Enters the valid calls of one turn.
   *
   * @returns the unanswered ones of tools that are mute
   */
  enter(
    run: object,
    turn: readonly { readonly call: ToolCall; readonly isAnswered: boolean }[],
  ): ReadonlySet<ToolCall> {
    const open = turn.filter(({ isAnswered }) => !isAnswered);
    for (const { call, isAnswered } of turn) {
      const count = this.#countOf(call.name);
      if (isAnswered) count.answered += 1;
      else count.unanswered += 1;
    }
    const ofRun = this.#runs.get(run) ?? new Map<string, { calls: number; turns: number }>();
    this.#runs.set(run, ofRun);
    for (const name of new Set(open.map(({ call }) => call.name))) {
      const { calls, turns } = ofRun.get(name) ?? { calls: 0, turns: 0 };
      const now = { calls: calls + open.filter(({ call }) => call.name === name).length, turns: turns + 1 };
      ofRun.set(name, now);
    }
    const isLost = ({ name }: ToolCall): boolean => {
      const { calls, turns } = ofRun.get(name) ?? { calls: 0, turns: 0 };
      return calls >= several.calls && turns >= several.turns && this.#countOf(name).answered === 0;
    };
    return new Set(open.map(({ call }) => call).filter(isLost));
  }

  #countOf(tool: string): AnswerCount {
    const known = this.counts.get(tool);
    if (known !== undefined) return known;
    const made = { answered: 0, unanswered: 0 };
    this.counts.set(tool, made);
    return made;
  }
}
