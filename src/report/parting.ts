import type { Trace, TraceEvent } from "../contract/trace.ts";
import { eventWords } from "./event-words.ts";

/**
 * The first place where two runs part: what the harness did in the one and did not do in the other. What the model said
 * is left out, since the two scripts differ by design.
 */
export function parting(trace: Trace, twin: Trace): readonly string[] {
  const here = trace.filter(isDeed);
  const there = twin.filter(isDeed);
  const index = firstDifference(here, there, deedOf) ?? firstDifference(here, there, tellingOf);
  if (index !== undefined) return linesAt(here, there, index);
  // They did the same: what they told the model may still differ, a menu or a result.
  const told = trace.filter(({ type }) => type === "asked");
  const otherTold = twin.filter(({ type }) => type === "asked");
  const at = firstDifference(told, otherTold, tellingOf);
  return at === undefined ? ["the two runs did the same things"] : linesAt(told, otherTold, at);
}

function linesAt(here: Trace, there: Trace, index: number): readonly string[] {
  return [`in this run:   ${wordsAt(here, index)}`, `in the other:  ${wordsAt(there, index)}`];
}

function tellingOf(event: TraceEvent): string {
  return eventWords(event).join("\n");
}

const deeds = new Set<TraceEvent["type"]>([
  "approval-asked",
  "approval-given",
  "handler-started",
  "inherited-called",
  "ended",
  "crashed",
  "hung",
]);

function isDeed(event: TraceEvent): boolean {
  return deeds.has(event.type);
}

/** Arguments are left out at first: where a field was taken out of them, every handler would seem to differ. */
function deedOf(event: TraceEvent): string {
  if ("tool" in event) return `${event.type} ${event.tool} ${"granted" in event ? event.granted : ""}`;
  return event.type === "ended" ? `ended ${event.status}` : event.type;
}

function firstDifference(here: Trace, there: Trace, textOf: (event: TraceEvent) => string): number | undefined {
  for (let index = 0; index < Math.max(here.length, there.length); index += 1) {
    const [one, other] = [here[index], there[index]];
    if (one === undefined || other === undefined || textOf(one) !== textOf(other)) return index;
  }
  return undefined;
}

function wordsAt(trace: Trace, index: number): string {
  const event = trace[index];
  if (event === undefined) return "nothing more happens";
  const words = eventWords(event);
  return `turn ${event.step + 1}, ${event.type === "asked" ? words.join("; ") : words[0]}`;
}
