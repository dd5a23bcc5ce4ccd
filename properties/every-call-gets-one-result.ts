import type { Evidence, Property } from "../src/contract/property.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { storiesOf } from "./oracle/call-stories.ts";
import { missingResults } from "./oracle/missing-results.ts";
import { type Tellings, tellingsOf } from "./oracle/result-tellings.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { verdictOf, violated } from "./oracle/verdicts.ts";
import { wrongContents } from "./oracle/wrong-contents.ts";

/**
 * The answers that go back to the model: one for each call, under the call's own id. Providers refuse a conversation in which
 * a call has none, and a model that gets another call's answer acts on it. Harnesses lose answers where something else than
 * plain success comes of a call: a denial, a refusal, text that can't be read, a sibling that fails.
 *
 * **Rule** When the next turn is asked for, each call id of the last turn has one result, which carries what its own handler
 * returned.
 *
 * **Holds when** each call of a turn has its result by the time the run goes on, refused and failed ones too, and no result
 * belongs to nobody. After a stop, an abort or the last step nothing is owed; the results of loads are free.
 *
 * **Often broken by** `Promise.all`, which loses every result once one handler fails; `continue` on a denied call; results
 * that are put in order by who finished first.
 *
 * @example
 * // "wipe" is denied
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "wipe", "args": "{}" }
 * // violated where the next turn is asked for with the results []
 * // holds where they are [{ "callId": "call-1", "text": "That is not allowed.", "isError": true }]
 */
export const everyCallGetsOneResult: Property = ofUntampered({
  id: "every-call-gets-one-result",
  level: "must",
  rule: "When the next turn is asked for, each call id of the last turn has one result, which carries what its own handler returned.",
  holdsWhen: "refused and failed calls are answered too, each under its own id, and no result belongs to nobody",
  oftenBrokenBy: "`Promise.all` over calls of which one fails, or a denied call that is skipped without an answer",
  needs: ({ results }) => (results === true ? undefined : "results are not claimed"),
  judge(evidence) {
    const tellings = tellingsOf(evidence);
    const { owed, violations } = missingResults(evidence, tellings);
    // What a handler returned is not known where it can't be watched.
    const contents = evidence.shape.effects === "told" ? [] : wrongContents(evidence, storiesOf(evidence));
    const all = [...violations, ...strayResults(evidence, tellings), ...contents];
    return verdictOf(all, owed > 0 || tellings.asks.some(({ results = [] }) => results.length > 0));
  },
});

/** Results for ids that nobody proposed, and more results for an id than there were calls. */
function strayResults({ trace }: Evidence, { asks }: Tellings): readonly Violation[] {
  const violations: Violation[] = [];
  const proposed = new Map<string, number>();
  let read = 0;
  for (const { at, results = [] } of asks) {
    for (; read < at; read += 1) {
      const event = trace[read];
      if (event?.type !== "proposed" || event.proposal.kind === "text") continue;
      proposed.set(event.proposal.callId, (proposed.get(event.proposal.callId) ?? 0) + 1);
    }
    const told = new Map<string, number>();
    for (const { callId } of results) {
      const times = (told.get(callId) ?? 0) + 1;
      const most = proposed.get(callId) ?? 0;
      told.set(callId, times);
      const id = `"${callId}"`;
      if (most === 0) {
        violations.push(violated(at, "result-of-nobody", `A result was given for ${id}, which no call had as its id.`));
      } else if (times > most) {
        const calls = most === 1 ? "One call" : `${most} calls`;
        const words = `${calls} of the id ${id} had ${times} results in one request.`;
        violations.push(violated(at, "result-twice", words));
      }
    }
  }
  return violations;
}
