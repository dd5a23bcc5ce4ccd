import type { Setting } from "../src/contract/script-class.ts";
import { asked, type BatchKind, type BatchPart, dueInBatch } from "./batch-parts.ts";

/** So many fill what is sized for a few, and are still found where the fullest turn is not. */
const some = 5;

/**
 * Turns in which many calls are due, and at most one is not: as many as a turn holds, of tools by turns and of one tool;
 * and calls that a human is asked about, all approved, all but the last, all but the first. Whoever works through a turn in
 * portions, or holds a queue of so many places, loses some of them, or reads their answers from the wrong place.
 */
export function honestCrowds(setting: Setting, most: number): readonly (readonly BatchPart[])[] {
  const due = everyOne(dueInBatch, setting, most);
  const sizes = setting.claims.approvals === "asked" ? [some, most] : [];
  const crowds = sizes.flatMap((size) => decided(setting, size));
  return [due.slice(0, most), likeTheFirst(due).slice(0, most), ...crowds].filter((parts) => parts.length >= some);
}

function decided(setting: Setting, size: number): readonly (readonly BatchPart[])[] {
  const yes = everyOne(asked("approve"), setting, size);
  const no = everyOne(asked("deny"), setting, size);
  const granted = likeTheFirst(yes).slice(0, size - 1);
  // Of a tool of its own, where there is one: nobody has said yes to it at all.
  const refused = no.find(({ draft }) => nameOf(draft) !== nameOf(no[0]?.draft)) ?? no[size - 1];
  if (refused === undefined) return [];
  return [yes.slice(0, size), [...granted, refused], [refused, ...granted]];
}

/** Each tool with as many arguments as it takes to fill a turn. */
function everyOne(kind: BatchKind, setting: Setting, most: number): readonly BatchPart[] {
  const places = Array.from({ length: most * setting.world.tools.length }, (_, place) => place);
  return places.flatMap((place) => kind(setting, place) ?? []);
}

function likeTheFirst(parts: readonly BatchPart[]): readonly BatchPart[] {
  return parts.filter(({ draft }) => nameOf(draft) === nameOf(parts[0]?.draft));
}

function nameOf(draft: BatchPart["draft"] | undefined): string | undefined {
  return draft?.kind === "tool-call" ? draft.name : undefined;
}
