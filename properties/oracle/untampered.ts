import { harmlessBehaviour } from "../../src/contract/behaviour.ts";
import type { Property } from "../../src/contract/property.ts";
import type { Script } from "../../src/contract/script.ts";
import type { Trace } from "../../src/contract/trace.ts";

let lastTrace: Trace | undefined;
let lastAnswer = false;

/** Whether a handler edited the live tool list in this run. Every rule asks this of the same trace, one after another. */
export function isTampered(trace: Trace): boolean {
  if (trace !== lastTrace) {
    lastAnswer = trace.some((event) => event.type === "tampered");
    lastTrace = trace;
  }
  return lastAnswer;
}

/**
 * A rule that takes no evidence from runs in which a handler edited the tool list: one rule alone is about these, and
 * whatever else comes of the edit would be blamed twice.
 *
 * @example
 * export const myRule: Property = ofUntampered({ id: "my-rule", ... });
 */
export function ofUntampered(property: Property): Property {
  const { twin, secondTwin, judge } = property;
  return {
    ...property,
    ...(twin && {
      twin(script, evidence) {
        const other = isTampered(evidence.trace) ? undefined : twin(script, evidence);
        return other === undefined ? undefined : withoutTampering(other);
      },
    }),
    ...(secondTwin && {
      secondTwin(script, evidence, first) {
        const other = secondTwin(script, evidence, first);
        return other === undefined ? undefined : withoutTampering(other);
      },
    }),
    judge(evidence, other) {
      if (isTampered(evidence.trace)) return { kind: "holds", exercised: false };
      return other === undefined || isTampered(other.trace) ? judge(evidence) : judge(evidence, other);
    },
  };
}

/** A handler that was not reached in the first run may be reached in the other one. */
function withoutTampering(script: Script): Script {
  const lists = Object.entries(script.handlers);
  if (!lists.some(([, behaviours]) => behaviours.some(({ kind }) => kind === "tamper"))) return script;
  const harmless = lists.map(([tool, behaviours]) => {
    return [tool, behaviours.map((each) => (each.kind === "tamper" ? harmlessBehaviour : each))] as const;
  });
  // fromEntries makes own keys, also of a tool named "__proto__".
  return { ...script, handlers: Object.fromEntries(harmless) };
}
