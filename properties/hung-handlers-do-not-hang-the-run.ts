import type { Property } from "../src/contract/property.ts";
import type { Trace, TraceEvent } from "../src/contract/trace.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * A handler whose other side never answers, or a human who has gone home. Harnesses get this wrong where the deadline is
 * kept for the model's requests and not for handlers, where it covers handlers and not the human, or where the error of
 * the deadline is one that nobody catches.
 *
 * **Rule** A handler, or a human, that never settles ends in an error result or a stop within the harness's deadline.
 *
 * **Holds when** the run goes on or ends by itself after each of them. How long it took is measured by the kit, which gives
 * a run one deadline more for each. Where the signal aborts too, the rule about aborts judges what comes of it.
 *
 * **Often broken by** `await tool.execute(args)` with no `Promise.race` around it; a timer that rejects into nowhere.
 *
 * @example
 * // the deadline is 50 ms; the handler of "look_up" never settles
 * // violated where the run has not ended long after that; holds where the model is shown an error result
 */
export const hungHandlersDoNotHangTheRun: Property = ofUntampered({
  id: "hung-handlers-do-not-hang-the-run",
  level: "should",
  rule: "A handler, or a human, that never settles ends in an error result or a stop within the harness's deadline.",
  holdsWhen: "the run goes on, or ends by itself, after a handler or a human that never answers",
  oftenBrokenBy: "waiting for a handler or a human without a deadline, or a deadline whose error nobody catches",
  needs: ({ deadlineMs }) => (deadlineMs === undefined ? "deadlineMs is not claimed" : undefined),
  judge({ trace }) {
    const first = trace.findIndex(isHanging);
    if (first < 0) return { kind: "holds", exercised: false };
    return verdictOf(breakdownsAfter(trace, first), true);
  },
});

function isHanging({ type, late }: TraceEvent): boolean {
  return late !== true && (type === "handler-hangs" || type === "human-hangs");
}

function breakdownsAfter(trace: Trace, first: number): readonly Violation[] {
  let hanging = "";
  let who: "handler" | "human" = "handler";
  let before: TraceEvent["type"] | undefined;
  for (let at = first; at < trace.length; at += 1) {
    const event = trace[at]!;
    if (event.type === "unhandled-rejection") {
      const because = `A rejection was left unhandled (${event.message}) after ${hanging}.`;
      return [violated(at, `unhandled-rejection-on-${who}`, because)];
    }
    if (event.late) continue;
    // What becomes of the run from here on is another rule's, or no evidence.
    if (event.type === "aborted" || event.type === "kit-refused") return [];
    if (event.type === "handler-hangs" || event.type === "human-hangs") {
      who = event.type === "human-hangs" ? "human" : "handler";
      const waited = who === "human" ? "the human had not answered about" : "there was no answer from the handler of";
      hanging = `${waited} "${event.tool}" ${inTurn(event.step)}`;
    } else if (event.type === "hung") {
      return [violated(at, `hung-on-${who}`, `The run did not end, though ${hanging} and its deadline had passed.`)];
    } else if (event.type === "crashed") {
      // The kit's own refusal, or the error of a model that can't be reached, may be passed on.
      if (event.kitMade === true || before === "model-failed") return [];
      return [
        violated(at, `crashed-on-${who}`, `The run crashed with ${event.name} (${event.message}) after ${hanging}.`),
      ];
    }
    before = event.type;
  }
  return [];
}
