import { harmlessBehaviour, isFailing } from "../src/contract/behaviour.ts";
import type { Evidence, Property } from "../src/contract/property.ts";
import type { Trace } from "../src/contract/trace.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { licencesOf } from "./licences.ts";
import { type BadProposal, badProposals } from "./oracle/bad-proposals.ts";
import { silentTurn } from "./oracle/silence.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * What becomes of a run once the model has proposed something bad. Harnesses get this wrong where a refusal is an exception
 * that nobody catches, where a lookup yields `undefined`, or where the loop waits for a result that never comes.
 *
 * **Rule** No proposal makes the run crash or hang: refused proposals end in a refusal or a controlled stop.
 *
 * **Holds when** after a bad proposal the run goes on with an error result, or ends by a stop that says so.
 *
 * **Often broken by** `tools.find(...)!.execute`; `JSON.parse` outside the try; a refusal that resolves nothing.
 *
 * @example
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "no_such_tool", "args": "{}" }
 * // violated where the run ends by a TypeError
 * // holds where it ends "blocked", or the next turn is asked for
 */
export const badProposalsAreSurvived: Property = {
  id: "bad-proposals-are-survived",
  level: "must",
  rule: "No proposal makes the run crash or hang: refused proposals end in a refusal or a controlled stop.",
  holdsWhen: "after a bad proposal the run goes on, or ends by a stop that says so",
  oftenBrokenBy: "a refusal thrown where nobody catches it, or a lookup whose `undefined` is used",
  needs: () => undefined,
  // Where a handler failed too, the same script with handlers that work tells which of the two it was.
  twin(script, { trace }) {
    if (breakdown(trace) === undefined || !handlersFail(trace)) return undefined;
    const repaired = Object.entries(script.handlers).map(([tool, behaviours]) => {
      return [tool, behaviours.map((behaviour) => (isFailing(behaviour) ? harmlessBehaviour : behaviour))] as const;
    });
    // fromEntries makes own keys, also of a tool named "__proto__".
    return { ...script, handlers: Object.fromEntries(repaired) };
  },
  judge(evidence, twin) {
    const bad = badProposals(licencesOf(evidence), evidence.trace);
    const violations = [...silences(evidence, bad)];
    const found = breakdown(evidence.trace);
    const cause = bad.findLast((proposal) => found !== undefined && proposal.at < found.at);
    const excused = handlersFail(evidence.trace) && (twin === undefined || !breaksToo(twin));
    if (found !== undefined && cause !== undefined && !excused) {
      violations.push(
        violated(found.at, found.cause, `The run ${found.words} after ${cause.words}, proposed ${inTurn(cause.step)}.`),
      );
    }
    return verdictOf(violations, bad.length > 0);
  },
};

function silences(evidence: Evidence, bad: readonly BadProposal[]): readonly Violation[] {
  const silent = silentTurn(evidence);
  return bad.flatMap(({ at, step, words, refusable }) => {
    const event = evidence.trace[at];
    if (step !== silent || !refusable || event?.type !== "proposed" || event.stop !== "tool-calls") return [];
    return violated(at, "silence", `The run met ${words} with silence: neither an error nor a stop that says so.`);
  });
}

/** The crash, hang or unhandled rejection of a run, where it is the harness's own. */
function breakdown(trace: Trace): { at: number; cause: string; words: string } | undefined {
  for (const [at, event] of trace.entries()) {
    if (event.type === "unhandled-rejection")
      return { at, cause: "unhandled-rejection", words: `left a rejection unhandled (${event.message})` };
    // After these, what becomes of the run has other causes.
    if (["kit-refused", "aborted", "human-hangs", "handler-hangs", "tampered"].includes(event.type)) return undefined;
    if (event.late) continue;
    if (event.type === "crashed") {
      return event.kitMade
        ? undefined
        : { at, cause: "crashed", words: `crashed with ${event.name} (${event.message})` };
    }
    if (event.type === "hung") return { at, cause: "hung", words: "hung" };
  }
  return undefined;
}

function handlersFail(trace: Trace): boolean {
  return trace.some(
    (event) =>
      (event.type === "handler-started" && isFailing(event.behaviour)) ||
      (event.type === "handler-settled" && (event.outcome === "threw" || event.odd !== undefined)),
  );
}

function breaksToo(twin: Evidence): boolean {
  const found = breakdown(twin.trace);
  return found !== undefined && badProposals(licencesOf(twin), twin.trace).some((proposal) => proposal.at < found.at);
}
