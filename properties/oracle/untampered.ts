import type { Property } from "../../src/contract/property.ts";
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
  const { twin, judge } = property;
  return {
    ...property,
    ...(twin && { twin: (script, evidence) => (isTampered(evidence.trace) ? undefined : twin(script, evidence)) }),
    judge(evidence, other) {
      if (isTampered(evidence.trace)) return { kind: "holds", exercised: false };
      return other === undefined || isTampered(other.trace) ? judge(evidence) : judge(evidence, other);
    },
  };
}
