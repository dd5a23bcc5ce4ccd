import type { LogEntry } from "../contract/run-record.ts";
import type { EventOf, Trace } from "../contract/trace.ts";

/** What an event is read with: what came before it in its trace. */
export class TraceMemory {
  readonly #trace: Trace;
  readonly #callIds = new Map<number, string>();

  constructor(trace: Trace) {
    this.#trace = trace;
    for (const event of trace) {
      if (event.type === "handler-started" && event.callId !== undefined) this.#callIds.set(event.effect, event.callId);
    }
  }

  /** The call id that a handler was given when it started. */
  callIdOf(effect: number): string | undefined {
    return this.#callIds.get(effect);
  }

  /** What a log has more than the one shown before it; `undefined` where it does not extend that one. */
  added(log: readonly LogEntry[], at: number): readonly LogEntry[] | undefined {
    const before = this.#logBefore(at);
    const isSame = before.every((entry, index) => JSON.stringify(entry) === JSON.stringify(log[index]));
    return isSame ? log.slice(before.length) : undefined;
  }

  /** The calls of the turn before this request that no result was given for until now. */
  unanswered({ step, results }: EventOf<"asked">, at: number): readonly string[] {
    if (results === undefined) return [];
    const told = new Set<string>();
    const ids = new Set<string>();
    for (const event of this.#trace.slice(0, at + 1)) {
      if (event.type === "asked") for (const { callId } of event.results ?? []) told.add(callId);
      if (event.type !== "proposed" || event.step !== step - 1 || event.proposal.kind !== "tool-call") continue;
      ids.add(event.proposal.callId);
      told.delete(event.proposal.callId);
    }
    return [...ids].filter((id) => !told.has(id));
  }

  #logBefore(at: number): readonly LogEntry[] {
    for (let index = at - 1; index >= 0; index -= 1) {
      const event = this.#trace[index];
      if (event !== undefined && "log" in event && event.log !== undefined) return event.log;
    }
    return [];
  }
}
