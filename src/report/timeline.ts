import type { Trace } from "../contract/trace.ts";
import { type Cell, cellOf, parties } from "./event-cells.ts";
import { TraceMemory } from "./trace-memory.ts";
import { counted, folded } from "./visible-text.ts";

/** Characters of a line, and of what stands before its columns: the arrow and the turn. */
const lineWidth = 132;
const margin = 11;
const gap = 2;

/**
 * A trace as a table: one column for each party that did anything (the harness, the model, the human, the handlers), one
 * event under another, grouped by the turn they belong to, with an arrow on the guilty one. Of a long trace the beginning,
 * the guilty event's surroundings and the end are shown.
 */
export function timeline(trace: Trace, at?: number): readonly string[] {
  const shown = [...trace.entries()].filter(([index]) => isShown(index, trace.length, at));
  const memory = new TraceMemory(trace);
  const cells = shown.map(([index, event]) => ({ index, step: event.step, cell: cellOf(event, index, memory) }));
  const columns = columnsOf(cells.map(({ cell }) => cell));
  const lines = [
    " ".repeat(margin) +
      columns
        .map(({ party, width }) => party.padEnd(width + gap))
        .join("")
        .trimEnd(),
  ];
  let turn = -1;
  let next = 0;
  for (const { index, step, cell } of cells) {
    if (index > next) lines.push(`${" ".repeat(margin)}... ${counted(index - next, "more event")} ...`);
    next = index + 1;
    const label = step === turn ? "" : `turn ${step + 1}`;
    turn = step;
    const { before, width } = columns.find(({ party }) => party === cell.party)!;
    const [first = "", ...below] = cell.words.flatMap((words) => folded(words, width));
    const indent = " ".repeat(before);
    lines.push(`${index === at ? "→" : " "} ${label.padEnd(margin - 2)}${indent}${first}`.trimEnd());
    for (const line of below) lines.push(`${" ".repeat(margin)}${indent}  ${line}`);
  }
  return lines;
}

interface Column {
  readonly party: Cell["party"];
  /** Characters before it. */
  readonly before: number;
  readonly width: number;
}

/** As wide as their longest words, as long as all of them fit in a line; the widest gives way first. */
function columnsOf(cells: readonly Cell[]): readonly Column[] {
  const wanted = parties
    .filter((party) => cells.some((cell) => cell.party === party))
    .map((party) => {
      const words = cells.flatMap((cell) => (cell.party === party ? cell.words : []));
      return { party, width: Math.max(party.length, ...words.map((line) => line.length)) };
    });
  const room = lineWidth - margin - gap * wanted.length;
  let limit = room;
  const taken = () => wanted.reduce((sum, { width }) => sum + Math.min(width, limit), 0);
  while (taken() > room) limit -= 1;
  let before = 0;
  return wanted.map(({ party, width }) => {
    const column = { party, before, width: Math.min(width, limit) };
    before += column.width + gap;
    return column;
  });
}

function isShown(index: number, length: number, at: number | undefined): boolean {
  if (length <= 60 || index < 16 || index >= length - 4) return true;
  return at !== undefined && index >= at - 16 && index <= at + 4;
}
