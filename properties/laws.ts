import type { Evidence, Property } from "../src/contract/property.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import { sameJson } from "../src/world/json.ts";

/** A law that every property obeys, on any valid evidence. */
export interface PropertyLaw {
  readonly id: string;
  /** What is wrong with the property; `undefined` where it obeys. */
  complaint(property: Property, evidence: Evidence): string | undefined;
}

/**
 * The laws of properties, for our own tests and for those of third parties. A property that breaks one of them gives
 * reports that nobody can trust: another verdict each time, a crash in place of a verdict, an arrow at nothing.
 *
 * @example
 * for (const law of laws) expect(law.complaint(myProperty, evidence)).toBeUndefined();
 */
export const laws: readonly PropertyLaw[] = [
  {
    id: "gives-a-verdict-on-any-trace",
    complaint(property, evidence) {
      try {
        property.needs(evidence.claims, evidence.shape);
        verdictsOf(property, evidence);
        return undefined;
      } catch (error) {
        return `"${property.id}" threw: ${String(error)}`;
      }
    },
  },
  {
    id: "same-evidence-same-verdict",
    complaint(property, evidence) {
      const first = verdictsOf(property, evidence);
      const again = verdictsOf(property, evidence);
      const onCopy = verdictsOf(property, structuredClone(evidence));
      return sameJson(first, again) && sameJson(first, onCopy) ? undefined : `"${property.id}" changed its mind.`;
    },
  },
  {
    id: "leaves-the-evidence-alone",
    complaint(property, evidence) {
      const before = structuredClone(evidence);
      try {
        verdictsOf(property, frozen(structuredClone(evidence)));
      } catch (error) {
        return `"${property.id}" needs to change its evidence: ${String(error)}`;
      }
      verdictsOf(property, evidence);
      return sameJson(before, evidence) ? undefined : `"${property.id}" changed its evidence.`;
    },
  },
  {
    id: "points-at-a-real-event",
    complaint(property, evidence) {
      const lost = verdictsOf(property, evidence).find(
        (verdict) => verdict.kind === "violated" && evidence.trace[verdict.at] === undefined,
      );
      return lost === undefined ? undefined : `"${property.id}" points at an event that is not in the trace.`;
    },
  },
  {
    id: "says-why",
    complaint(property, evidence) {
      for (const verdict of verdictsOf(property, evidence)) {
        if (verdict.kind === "holds") continue;
        if (!/^[A-Z"].*\.$/su.test(verdict.because)) return `"${property.id}" gives no sentence: ${verdict.because}`;
        if (verdict.kind === "violated" && !/^[a-z]+(-[a-z]+)*$/.test(verdict.cause)) {
          return `"${property.id}" gives a cause that is no slug: ${verdict.cause}`;
        }
      }
      return undefined;
    },
  },
  {
    id: "names-each-cause-once",
    complaint(property, evidence) {
      const verdicts = verdictsOf(property, evidence);
      const causes = verdicts.flatMap((verdict) => (verdict.kind === "violated" ? [verdict.cause] : []));
      if (verdicts.length === 0) return `"${property.id}" gives no verdict.`;
      return new Set(causes).size === causes.length ? undefined : `"${property.id}" gives one cause twice.`;
    },
  },
];

function verdictsOf(property: Property, evidence: Evidence): readonly Verdict[] {
  // A run compared with itself is a pair that any property has to judge as well.
  const pair = property.twin === undefined ? [] : [property.judge(evidence, evidence)].flat();
  return [...[property.judge(evidence)].flat(), ...pair.filter((verdict) => verdict.kind === "unknown")];
}

function frozen<Value>(value: Value): Value {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item !== "object" || item === null || Object.isFrozen(item)) continue;
    Object.freeze(item);
    pending.push(...Object.values(item));
  }
  return value;
}
