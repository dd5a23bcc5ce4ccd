import type { Evidence, Property } from "../src/contract/property.ts";
import type { Violation } from "../src/contract/verdict.ts";
import { licencesOf } from "./licences.ts";
import { storiesOf } from "./oracle/call-stories.ts";
import { hasWord, namesTool } from "./oracle/named-tools.ts";
import { offersOf } from "./oracle/offers.ts";
import { tellingsOf } from "./oracle/result-tellings.ts";
import { shortly } from "./oracle/shortly.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * What a refusal tells of tools that the model is not to know. Help for a mistyped name is meant well, and hands out the
 * names of everything that was declared. Harnesses get this wrong where the hint is made from the registry, not from the menu.
 *
 * **Rule** A refusal names only tools offered at that step.
 *
 * **Holds when** no result of a call that did not run has the name of a hidden tool in it, unless the model said that name itself.
 *
 * **Often broken by** "Did you mean ...?" and "Available tools: ..." over all declared tools.
 *
 * @example
 * // "secret" is never offered
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "look_upp", "args": "{}" }
 * // violated where its result is { "callId": "call-1", "text": "Known tools: look_up, secret", "isError": true }
 */
export const refusalsLeakNoHiddenNames: Property = ofUntampered({
  id: "refusals-leak-no-hidden-names",
  level: "should",
  rule: "A refusal names only tools offered at that step.",
  holdsWhen: "no result of a call that did not run names a hidden tool that the model had not named itself",
  oftenBrokenBy: '"Did you mean ...?" and "Available tools: ..." over all declared tools',
  needs({ results, hiddenTools }) {
    if (results !== true) return "results are not claimed";
    return hiddenTools === "none" ? "hidden tools are not claimed" : undefined;
  },
  judge(evidence) {
    const refused = refusedIds(evidence);
    if (refused.size === 0) return { kind: "holds", exercised: false };
    const hidden = evidence.world.tools.filter(({ offered }) => offered !== "always");
    const offers = offersOf(evidence);
    const violations: Violation[] = [];
    let exercised = false;
    for (const { at, step, results = [] } of tellingsOf(evidence).asks) {
      for (const { callId, text } of results) {
        const refusedAt = refused.get(callId);
        if (refusedAt === undefined || refusedAt > at) continue;
        exercised ||= hidden.length > 0;
        const leaked = hidden.find(
          (tool) =>
            offers.isSurelyHidden(tool, step) &&
            namesTool(text, tool.name, evidence.world) &&
            !isSaidBefore(at, tool.name, evidence),
        );
        if (leaked === undefined) continue;
        const words = `A refusal named "${leaked.name}", which was not offered: "${shortly(text)}".`;
        violations.push(violated(at, "hidden-name-leaked", words));
      }
    }
    return verdictOf(violations, exercised);
  },
});

/** What stands before a letter that would seem to belong to the word. */
const escapes = /\\u[\da-f]{4}|\\./g;

/** Whether the model itself, or what a handler gave it to read, has said that name, in whatever place. */
function isSaidBefore(at: number, name: string, { trace }: Evidence): boolean {
  return trace.some((event, index) => {
    if (index > at || (event.type !== "proposed" && event.type !== "handler-settled")) return false;
    const said = event.type === "proposed" ? event.proposal : event.value;
    return said !== undefined && hasWord(textOf(said).replaceAll(escapes, " "), name);
  });
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than the stack.
    return "";
  }
}

/** The ids of calls that did not run, and of loads of skills that do not exist, and where they were proposed. */
function refusedIds(evidence: Evidence): ReadonlyMap<string, number> {
  const refused = new Map<string, number>();
  const others = new Set<string>();
  for (const { call, runs, isSure } of storiesOf(evidence)) {
    if (isSure && runs.length === 0) refused.set(call.call.callId, call.at);
    else others.add(call.call.callId);
  }
  for (const { at, load, known } of licencesOf(evidence).loads) {
    if (known) others.add(load.callId);
    else refused.set(load.callId, at);
  }
  for (const id of others) refused.delete(id);
  return refused;
}
