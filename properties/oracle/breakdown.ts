import type { EventOf, Trace, TraceEvent } from "../../src/contract/trace.ts";

/** How a run broke down, where it is the harness's own doing. */
export interface Breakdown {
  readonly at: number;
  readonly cause: "crashed" | "hung" | "unhandled-rejection";
  /** In words that follow "The run". */
  readonly words: string;
}

/** After these, what becomes of the run has other causes. */
const excuses: ReadonlySet<TraceEvent["type"]> = new Set(["kit-refused", "aborted", "human-hangs", "handler-hangs"]);
const faults: ReadonlySet<string> = new Set(["TypeError", "RangeError", "ReferenceError"]);

/** The crash, the hang or the unhandled rejection of a run; a rejection counts however late it is noticed. */
export function breakdownOf(trace: Trace): Breakdown | undefined {
  let before: TraceEvent["type"] | undefined;
  for (const [at, event] of trace.entries()) {
    if (excuses.has(event.type)) return undefined;
    if (event.type === "unhandled-rejection") {
      return { at, cause: event.type, words: `left a rejection unhandled (${event.message})` };
    }
    if (event.late) continue;
    if (event.type === "crashed") {
      if (event.kitMade || passesModelErrorOn(event, before)) return undefined;
      return { at, cause: event.type, words: `crashed with ${event.name} (${event.message})` };
    }
    // A harness that waits before it asks the model again may wait longer than the kit does.
    if (event.type === "hung") return before === "model-failed" ? undefined : { at, cause: event.type, words: "hung" };
    if (event.type !== "global-changed") before = event.type;
  }
  return undefined;
}

/** A harness that gives up when the model can't be reached, and lets its caller know, has not crashed. */
function passesModelErrorOn(crash: EventOf<"crashed">, before: TraceEvent["type"] | undefined): boolean {
  return before === "model-failed" && !faults.has(crash.name) && crash.name !== "InvalidOutcome";
}
