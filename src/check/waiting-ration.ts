import type { Behaviour } from "../contract/behaviour.ts";
import type { Harness } from "../contract/harness.ts";
import { type Decision, everyRunOf, proposalsOf, type Script } from "../contract/script.ts";
import { turnsAllowed } from "../world/budget.ts";

/** Scripts in which somebody is waited for in vain, and milliseconds that the harness's own deadlines take in them. */
const most = { scripts: 200, ms: 4_000 };

/** However long the deadline is, so many are tried; unless a single wait would take this long. */
const fewest = 3;
const longestMs = 10_000;

/** What part of it is left to the random scripts. */
const randomShare = 0.25;

/**
 * Handlers and humans that never answer cost a campaign the harness's own deadline each time, so only so many are played.
 * Counted in deadlines, not by the clock, so that the same scripts are played on every machine.
 */
export class WaitingRation {
  readonly #deadlineMs: number;
  readonly #left: { readonly scripts: number; readonly ms: number };
  #scripts = 0;
  #ms = 0;
  #leftOut = 0;

  constructor({ claims }: Pick<Harness, "claims">) {
    this.#deadlineMs = claims.deadlineMs ?? 0;
    const ms = this.#deadlineMs > longestMs ? 0 : Math.max(most.ms, fewest * this.#deadlineMs);
    this.#left = { scripts: most.scripts, ms };
  }

  /** Those of these scripts that may be played; the others are counted. */
  take(scripts: readonly Script[], phase: "enumeration" | "random"): readonly Script[] {
    const share = phase === "random" ? 1 : 1 - randomShare;
    return scripts.filter((script) => {
      const waits = waitsIn(script);
      if (waits === 0) return true;
      const ms = this.#ms + waits * this.#deadlineMs;
      if (this.#scripts >= this.#left.scripts * share || ms > this.#left.ms * share) {
        this.#leftOut += 1;
        return false;
      }
      this.#scripts += 1;
      this.#ms = ms;
      return true;
    });
  }

  hints(): readonly string[] {
    if (this.#leftOut === 0) return [];
    const left = `${this.#leftOut} scripts in which a handler or the human never answers, or answers too late, were left out`;
    if (this.#deadlineMs === 0) return [`${left}: ${this.#scripts} of them were played, which is enough.`];
    const why = `each waits for the deadline of ${this.#deadlineMs.toLocaleString("en")} ms`;
    return [`${left}, since ${why}; ${this.#scripts} were played. A shorter deadline lets more of them be tried.`];
  }
}

/** How often a script lets a harness wait in vain, at most. */
export function waitsIn(script: Script): number {
  let waits = 0;
  for (const run of everyRunOf(script)) {
    const { decisions, handlers } = run;
    for (const tool of Object.keys(handlers)) {
      const behaviours = handlers[tool]!;
      if (behaviours.some(isEndless)) waits += count(behaviours, isEndless, callsIn(run, tool));
    }
    if (decisions.some(isLate)) waits += count(decisions, isLate, callsIn(run));
  }
  return waits;
}

/** Whether a handler never settles, or a human never answers, or too late. */
export function waitsInVain({
  handlers = {},
  decisions = [],
}: Pick<Partial<Script>, "handlers" | "decisions">): boolean {
  return decisions.some(isLate) || Object.values(handlers).some((behaviours) => behaviours.some(isEndless));
}

function isEndless({ kind }: Behaviour): boolean {
  return kind === "hang";
}

function isLate(decision: Decision): boolean {
  return decision === "hang" || decision === "late-approve";
}

/** Past its end the last entry of a list stays. */
function count<Entry>(list: readonly Entry[], isOne: (entry: Entry) => boolean, times: number): number {
  const listed = list.slice(0, times).filter(isOne).length;
  return isOne(list.at(-1)!) ? listed + Math.max(0, times - list.length) : listed;
}

function callsIn(run: Script, tool?: string): number {
  const calls = proposalsOf(run).filter((it) => it.kind === "tool-call" && (tool === undefined || it.name === tool));
  const again = run.afterTurns === "repeat-last" ? Math.min(10, Math.max(1, turnsAllowed(run.world.maxSteps))) : 1;
  return calls.length * again;
}
