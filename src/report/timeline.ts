import type { Trace } from "../contract/trace.ts";
import { eventWords } from "./event-words.ts";
import { counted } from "./visible-text.ts";

/**
 * A trace as lines, one event after another, grouped by the turn they belong to, with an arrow on the guilty one. Of a
 * long trace the beginning, the guilty event's surroundings and the end are shown.
 */
export function timeline(trace: Trace, at?: number): readonly string[] {
  const lines: string[] = [];
  let turn = -1;
  let skipped = 0;
  for (const [index, event] of trace.entries()) {
    if (!isShown(index, trace.length, at)) {
      skipped += 1;
      continue;
    }
    if (skipped > 0) lines.push(`           ... ${counted(skipped, "more event")} ...`);
    skipped = 0;
    const label = event.step === turn ? "" : `turn ${event.step + 1}`;
    turn = event.step;
    const [words, ...below] = eventWords(event);
    lines.push(
      `${index === at ? "→" : " "} ${label.padEnd(8)} ${words}`,
      ...below.map((line) => `             ${line}`),
    );
  }
  return lines;
}

function isShown(index: number, length: number, at: number | undefined): boolean {
  if (length <= 60 || index < 16 || index >= length - 4) return true;
  return at !== undefined && index >= at - 16 && index <= at + 4;
}
