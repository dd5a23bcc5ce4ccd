import fc from "fast-check";
import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { endingBatch, underOneId } from "../batch.ts";
import { batchCases, batchKinds, mostInBatch } from "../batch-cases.ts";
import { type BatchPart, dueInBatch } from "../batch-parts.ts";
import { at } from "../pick.ts";
import { subsetsOf } from "../subsets.ts";

const swarms = subsetsOf(batchKinds);
const fewest = 2;

interface Batch {
  /** Which of the subsets of kinds. */
  readonly swarm: number;
  readonly parts: readonly (readonly [kind: number, place: number])[];
  /** Two calls share an id, or the run is aborted meanwhile; mostly neither. */
  readonly twist: number;
}

/**
 * One turn that asks for many things at once: calls that may run and calls that may not, some that a human is asked about,
 * some that fail, some that are no calls at all. Each is judged as if it stood alone.
 *
 * Harnesses get it wrong where one verdict serves the whole turn, where the first refusal or failure drops the calls behind
 * it, where calls and answers are matched by place, where there is room for so many only, or where everything starts at once
 * before anything was judged.
 *
 * Shrinks to two calls of the first allowed tool.
 *
 * @example
 * { proposals: [lookup, deleteAccount, refund], stop: "tool-calls" }
 */
export const mixedBatch: ScriptClass<Batch> = {
  id: "mixed-batch",
  kind: "turn",
  says: "Up to eight calls of every sort in one turn, each with a fate of its own.",
  needs: (setting) => {
    if (setting.claims.parallelCalls === false) return "several calls in one turn are not claimed";
    return batchCases(setting).length > 0
      ? undefined
      : "no tool of this world can be called at once with valid arguments";
  },
  canonical: batchCases,
  representatives: (setting) => batchCases(setting).slice(1, 2),
  data: fc.record(
    {
      swarm: fc.nat(swarms.length - 1),
      parts: fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { minLength: fewest, maxLength: mostInBatch }),
      twist: fc.nat(15),
    },
    { noNullPrototype: true },
  ),
  resolve: ({ swarm, parts, twist }, setting) => {
    if (setting.claims.parallelCalls === false || dueInBatch(setting, 0) === undefined) return undefined;
    const chosen = at(swarms, swarm)!;
    const found = parts.map(([kind, place]) => at(chosen, kind)!(setting, place)).filter((part) => part !== undefined);
    return found.length < fewest ? undefined : twisted(found, twist, setting);
  },
  isOne: () => false,
};

function twisted(parts: readonly BatchPart[], twist: number, { claims }: Setting): Move {
  if (twist === 13 || twist === 14) return endingBatch(underOneId(parts), claims.deadlineMs === undefined);
  const move = endingBatch(parts, claims.deadlineMs === undefined);
  if (move.abort !== undefined || twist < 11 || claims.abort !== true) return move;
  const isAsked = claims.approvals === "asked" && twist === 11;
  return { ...move, abort: { during: isAsked ? "approval" : "handler", at: twist % 2 } };
}
