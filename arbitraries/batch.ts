import { type Behaviour, harmlessBehaviour } from "../src/contract/behaviour.ts";
import type { Move } from "../src/contract/script-class.ts";
import type { BatchPart } from "./batch-parts.ts";
import { turnOf } from "./draft.ts";

/** All of them in one turn. */
export function batchOf(parts: readonly BatchPart[]): Move {
  const turns = [turnOf(...parts.map(({ draft }) => draft))];
  const decisions = parts.flatMap(({ decision }) => (decision === undefined ? [] : [decision]));
  const handlers = behavioursOf(parts);
  return {
    turns,
    ...(decisions.length > 0 && { decisions }),
    ...(Object.keys(handlers).length > 0 && { handlers }),
  };
}

/** Aborts the run once nothing else ends the wait for a human or a handler; `undefined` where nobody has to be waited for. */
function abortOfWait(parts: readonly BatchPart[]): Move["abort"] {
  const waiting = parts.findIndex(({ decision, behaviour }) => decision === "hang" || behaviour?.kind === "hang");
  const before = parts.slice(0, Math.max(0, waiting));
  if (waiting === -1) return undefined;
  return parts[waiting]!.decision === "hang"
    ? { during: "approval", at: before.filter(({ decision }) => decision !== undefined).length }
    : { during: "handler", at: before.filter(({ runs }) => runs === true).length };
}

/** One for each invocation that is expected of a tool, where any of them is out of the ordinary. */
function behavioursOf(parts: readonly BatchPart[]): NonNullable<Move["handlers"]> {
  const handlers = new Map<string, Behaviour[]>();
  for (const { draft, behaviour } of parts)
    if (behaviour !== undefined && draft.kind === "tool-call") handlers.set(draft.name, []);
  for (const { draft, runs, behaviour = harmlessBehaviour } of parts)
    if (runs === true && draft.kind === "tool-call") handlers.get(draft.name)?.push(behaviour);
  // Whoever calls it once more is answered: each wait in vain may cost a deadline.
  for (const behaviours of handlers.values())
    if (behaviours.at(-1)?.kind === "hang") behaviours.push(harmlessBehaviour);
  return Object.fromEntries(handlers);
}

/** Where there is no deadline, an abort ends what would never end. */
export function endingBatch(parts: readonly BatchPart[], byAbort: boolean): Move {
  const abort = byAbort ? abortOfWait(parts) : undefined;
  return abort === undefined ? batchOf(parts) : { ...batchOf(parts), abort };
}

/** The first and the last of them. */
export function underOneId(parts: readonly BatchPart[]): readonly BatchPart[] {
  return parts.map((part, index) =>
    (index === 0 || index === parts.length - 1) && part.draft.kind !== "text"
      ? { ...part, draft: { ...part.draft, callId: "same" } }
      : part,
  );
}
