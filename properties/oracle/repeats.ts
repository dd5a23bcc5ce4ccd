import type { Evidence } from "../../src/contract/property.ts";
import { licencesOf } from "../licences.ts";
import type { Delivered } from "./deliveries.ts";
import { mayHaveTimedOut } from "./wrong-contents.ts";

/** The call that makes a circle: the model has said it twice before, in the same words. */
const CIRCLE = 3;

/** What came before: a harness may well refuse a call for that, however honest it is by itself. */
export interface Repeats {
  /** Turns in which a call comes for the third time or more. */
  readonly circling: ReadonlySet<number>;
  /** Calls of a tool of which a call of an earlier turn may have taken too long. */
  readonly outOfService: ReadonlySet<Delivered>;
  /** The calls of the same tool in the same words, in order. */
  equalsOf(call: Delivered): readonly Delivered[];
}

/** Reads off the delivered calls which of them a harness has met before. */
export function repeatsOf(evidence: Evidence): Repeats {
  const equals = new Map<string, Delivered[]>();
  const circling = new Set<number>();
  const outOfService = new Set<Delivered>();
  const slowSince = new Map<string, number>();
  for (const call of licencesOf(evidence).calls) {
    const { step } = call;
    const { name } = call.call;
    const met = equals.get(wordsOf(call));
    if (met === undefined) equals.set(wordsOf(call), [call]);
    else if (met.push(call) >= CIRCLE) circling.add(step);
    if (evidence.claims.deadlineMs === undefined) continue;
    const since = slowSince.get(name);
    if (since !== undefined && since < step) outOfService.add(call);
    else if (since === undefined && mayHaveTimedOut(evidence, step)) slowSince.set(name, step);
  }
  return { circling, outOfService, equalsOf: (call) => equals.get(wordsOf(call)) ?? [] };
}

function wordsOf({ call: { name, args } }: Delivered): string {
  return JSON.stringify([name, args]);
}
