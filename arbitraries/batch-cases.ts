import type { Move, Setting } from "../src/contract/script-class.ts";
import { batchOf, endingBatch, underOneId } from "./batch.ts";
import {
  approvedInVain,
  asked,
  type BatchKind,
  type BatchPart,
  denied,
  dueInBatch,
  failing,
  free,
  gone,
  hung,
  load,
  locked,
  malformed,
  malformedAsked,
  mistyped,
  slow,
  unknown,
  unknownLoad,
} from "./batch-parts.ts";
import { honestCrowds } from "./honest-crowds.ts";
import { remembered } from "./remembered.ts";

/** A full turn. */
export const mostInBatch = 8;

const guilty: readonly BatchKind[] = [
  denied,
  gone,
  unknown,
  malformed,
  malformedAsked,
  mistyped,
  asked("deny"),
  asked("later"),
  asked("throw"),
  failing,
  approvedInVain,
  load,
  unknownLoad,
];
/** Somebody is waited for in vain. */
const waiting: readonly BatchKind[] = [asked("hang"), asked("late-approve"), hung];
/** All that a batch is mixed of. */
export const batchKinds: readonly BatchKind[] = [free, asked("approve"), ...guilty, slow, locked, ...waiting];

/**
 * Each sort before and behind a call that a human approves, and in the first, the middle and the last place of three; equal
 * ids, everything at once, many that are due, and an abort meanwhile. All other pairs come of themselves, where the enumeration puts two
 * classes into one turn.
 */
export const batchCases = remembered((setting: Setting): readonly Move[] => {
  const [look, other] = [dueInBatch(setting, 0), dueInBatch(setting, 1)];
  if (setting.claims.parallelCalls === false || look === undefined || other === undefined) return [];
  const yes = asked("approve")(setting, 0) ?? other;
  const odd = guilty.map((kind) => kind(setting, 0)).filter((part) => part !== undefined);
  const pairs = odd.flatMap((part) => [
    [part, yes],
    [yes, part],
  ]);
  const threes = odd.flatMap((part) => [
    [part, look, yes],
    [look, part, yes],
    [look, yes, part],
  ]);
  const alike = [denied(setting, 0), gone(setting, 0), asked("deny")(setting, 0)].filter((part) => part !== undefined);
  const shared = alike.flatMap((part) => [underOneId([look, part]), underOneId([part, yes])]);
  const every = [look, ...odd, yes];
  const crowds = [every.slice(0, mostInBatch), every.slice(-mostInBatch), every.slice(-mostInBatch).reverse()];
  const aborted = setting.claims.abort !== true ? [] : abortedIn([yes, look, other], setting);
  const [first, behind] = [load(setting, 0), locked(setting, 0)];
  const opened =
    first && behind
      ? [
          [first, behind, yes],
          [behind, first, yes],
        ]
      : [];
  const byAbort = setting.claims.deadlineMs === undefined;
  const waited = waiting
    .map((kind) => kind(setting, 0))
    .flatMap((part) => (part === undefined ? [] : [endingBatch([other, part, yes], byAbort)]));
  const full = [...crowds, ...honestCrowds(setting, mostInBatch)];
  const moves = [...[[look, yes], ...pairs, ...threes, ...shared, ...opened, ...full].map(batchOf), ...waited];
  return [...new Map([...moves, ...aborted].map((move) => [JSON.stringify(move), move])).values()];
});

function abortedIn(parts: readonly BatchPart[], { claims }: Setting): readonly Move[] {
  const move = batchOf(parts);
  const aborts: Move[] = [
    { ...move, abort: { during: "handler", at: 0 } },
    { ...move, abort: { during: "handler", at: 1 } },
  ];
  if (claims.approvals !== "asked" || move.decisions === undefined) return aborts;
  return [...aborts, { ...move, abort: { during: "approval", at: 0 } }];
}
