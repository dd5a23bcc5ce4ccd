import { type Behaviour, harmlessBehaviour } from "../../src/contract/behaviour.ts";
import type { Evidence } from "../../src/contract/property.ts";
import type { Script } from "../../src/contract/script.ts";
import type { EventOf, Trace } from "../../src/contract/trace.ts";
import { licencesOf } from "../licences.ts";
import { breakdownOf } from "./breakdown.ts";
import type { Credit } from "./credits.ts";
import type { Delivered } from "./deliveries.ts";
import { placeOf } from "./twin-difference.ts";

/** The first edit of the live tool list by a handler. */
export interface Tampering {
  readonly at: number;
  readonly event: EventOf<"tampered">;
}

export function tamperingIn(trace: Trace): Tampering | undefined {
  for (const [at, event] of trace.entries()) if (event.type === "tampered" && !event.late) return { at, event };
  return undefined;
}

/** The script with handlers that leave the tool list alone. */
export function withoutTampering(script: Script): Script {
  const harmless = Object.entries(script.handlers).map(([tool, behaviours]) => {
    return [tool, behaviours.map((each): Behaviour => (each.kind === "tamper" ? harmlessBehaviour : each))] as const;
  });
  // fromEntries makes own keys, also of a tool named "__proto__".
  return { ...script, handlers: Object.fromEntries(harmless) };
}

/** Effects after the edit that no licence covers: a gate that opened, another function behind a name. */
export function oddEffectsAfter(evidence: Evidence, { at }: Tampering): readonly Credit[] {
  const odd = new Set(["undeclared", "other-tool", "changed", "invented"]);
  return licencesOf(evidence).credits.filter(
    (credit) => credit.at > at && (credit.reason !== undefined || odd.has(credit.kind)),
  );
}

/** Calls that had to run, were still open when the list was edited, and did not run, though the run went on or ended. */
export function lostCallsAfter(evidence: Evidence, { at, event }: Tampering): readonly Delivered[] {
  const { calls, creditsOf } = licencesOf(evidence);
  const over = evidence.trace.findLastIndex((other) => other.type === "asked" || other.type === "ended");
  return calls.filter((call) => {
    if (call.step < event.step || !call.due || call.permission === "ask") return false;
    return !creditsOf.has(call) && over > Math.max(call.at, at);
  });
}

/** Where each effect of a run came from and what it reached, to be compared with those of another run. */
export function placesOfEffects(evidence: Evidence): ReadonlySet<string> {
  return new Set(licencesOf(evidence).credits.map(pathOf));
}

export function pathOf(credit: Credit): string {
  return `${placeOf(credit)} ${credit.effect.tool}`;
}

/** The run without the edit is one to compare with: it got as far, and did not break down. */
export function isComparable(twin: Evidence): boolean {
  return breakdownOf(twin.trace) === undefined && tamperingIn(twin.trace) === undefined;
}
