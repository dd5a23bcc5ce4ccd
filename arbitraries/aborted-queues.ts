import { type Behaviour, harmlessBehaviour } from "../src/contract/behaviour.ts";
import type { DraftTurn, Move } from "../src/contract/script-class.ts";
import type { Candidate } from "./candidates.ts";

/**
 * A batch that is more than a harness may work on at a time, aborted while the first of it is worked on: every call is
 * slow, or the first two hang. What is still in the queue then must not begin.
 *
 * @param turns those of four calls, by turns of one tool and of the other
 */
export function abortedQueues(turns: readonly DraftTurn[], tool: Candidate, other: Candidate): readonly Move[] {
  const names = [...new Set([tool.tool.name, other.tool.name])];
  const slow = each(names, [{ kind: "slow", value: "done" }]);
  const hung = each(names, [...Array.from({ length: 3 - names.length }, () => hang), harmlessBehaviour]);
  const aborted = (handlers: NonNullable<Move["handlers"]>, at: number): Move => ({
    turns,
    handlers,
    abort: { during: "handler", at },
  });
  return [aborted(slow, 0), aborted(slow, 1), aborted(hung, 1)];
}

const hang: Behaviour = { kind: "hang" };

function each(names: readonly string[], behaviours: readonly Behaviour[]): NonNullable<Move["handlers"]> {
  return Object.fromEntries(names.map((name) => [name, behaviours]));
}
