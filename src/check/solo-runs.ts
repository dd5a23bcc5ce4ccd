import { isAccompanied, type Script, soloOf } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";

/**
 * How runs went that were played alone before others came before them or went beside them. What a harness keeps for ever
 * would show in a run that is played alone afterwards just as well, so it is the first time that counts.
 */
export class SoloRuns {
  readonly #traces = new Map<string, Trace>();

  remember(script: Script, trace: Trace): void {
    const key = keyOf(script);
    if (key !== undefined && !this.#traces.has(key)) this.#traces.set(key, trace);
  }

  traceOf(script: Script): Trace | undefined {
    if (this.#traces.size === 0) return undefined;
    const key = keyOf(script);
    return key === undefined ? undefined : this.#traces.get(key);
  }

  /** Plays a script alone, where it has others before or beside it and was not played alone yet. */
  async playFirst(script: Script, play: (script: Script) => Promise<Trace>): Promise<void> {
    if (!isAccompanied(script)) return;
    const solo = soloOf(script);
    if (this.traceOf(solo) === undefined) this.remember(solo, await play(solo));
  }
}

/** None where it nests deeper than the stack is. */
function keyOf(script: Script): string | undefined {
  try {
    return JSON.stringify(script);
  } catch {
    return undefined;
  }
}
