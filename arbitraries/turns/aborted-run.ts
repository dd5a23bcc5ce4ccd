import type { Behaviour } from "../../src/contract/behaviour.ts";
import type { DraftTurn, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { abortedQueues } from "../aborted-queues.ts";
import { type Candidate, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";

type Abort = NonNullable<Move["abort"]>;

/**
 * The user stops the run: while the model answers, between two turns, while a handler works, while a human decides. What was
 * begun may come to its end; nothing new begins, also where the yes comes after the stop.
 *
 * Harnesses get it wrong where the signal is only looked at between turns, where the rest of the turn still runs, where an
 * answer is waited for and then acted on, where a queue of calls is worked off to its end, or where the abort of one
 * handler counts as its failure and the run goes on.
 *
 * Shrinks to one call of the first allowed tool, aborted in the model's first request.
 *
 * @example
 * { turns: [lookup, lookup], abort: { during: "handler", at: 0 } }
 */
export const abortedRun: ScriptClass<Pick> = {
  id: "aborted-run",
  kind: "turn",
  says: "The run is aborted while the model answers, while a handler works, or while a human decides.",
  needs: (setting) => {
    if (setting.claims.abort !== true) return "obeying an abort is not claimed";
    return targets(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments";
  },
  canonical: (setting) => {
    const free = targets(setting).find(({ tool }) => tool.permission === "allow");
    const asked = askedAbout(setting).slice(0, 1);
    const chosen = new Set([...(free === undefined ? [] : [free]), ...asked]);
    return [...chosen].flatMap((target) => ways(target, setting, 0));
  },
  representatives: (setting) => {
    const telling = abortedRun.canonical(setting).filter(({ abort, turns }) => abort?.at === 0 && turns.length === 1);
    const during = (what: Abort["during"]) => telling.filter(({ abort }) => abort?.during === what).slice(0, 1);
    return [...during("handler"), ...during("approval")];
  },
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(targets(setting), target);
    return tool === undefined ? undefined : at(ways(tool, setting, args), form);
  },
  isOne: () => false,
};

/** Where nobody can be asked, a call that only lacks approval ends the run before any handler starts. */
function targets(setting: Setting): readonly Candidate[] {
  if (setting.claims.abort !== true) return [];
  return [...reachable(setting, "allow"), ...askedAbout(setting)];
}

function askedAbout(setting: Setting): readonly Candidate[] {
  return setting.claims.abort === true && setting.claims.approvals === "asked" ? reachable(setting, "ask") : [];
}

function ways(target: Candidate, setting: Setting, place: number): readonly Move[] {
  const call = callOf(target.tool.name, at(target.args, place)!);
  const [free = target] = reachable(setting, "allow").filter(({ load }) => load === undefined);
  const other = callOf(free.tool.name, at(free.args, place + 1)!);
  const once = turnsTo(target, call);
  const again = [...once, turnOf(call)];
  const isParallel = setting.claims.parallelCalls !== false;
  // With a second call due in the same turn and another in the next.
  const more = isParallel ? [...turnsTo(target, call, other), turnOf(other)] : [...again, turnOf(other)];
  const isAsked = askedAbout(setting).includes(target);
  const aborted = (turns: readonly DraftTurn[], during: Abort["during"], number: number): Move => ({
    turns,
    ...(isAsked && { decisions: ["approve"] as const }),
    abort: { during, at: number },
  });
  const moves = [
    aborted(once, "model", 0),
    aborted(again, "model", once.length),
    aborted(once, "model", once.length),
    aborted(once, "handler", 0),
    aborted(more, "handler", 0),
    aborted(again, "handler", 1),
    ...unfinished.map((behaviour) => ({
      ...aborted(more, "handler", 0),
      handlers: { [target.tool.name]: [behaviour] },
    })),
    { ...aborted(once, "handler", 1), afterTurns: "repeat-last" as const },
    failingMeanwhile(aborted(again, "model", once.length)),
  ];
  const queue = isParallel ? turnsTo(target, call, other, call, other) : [];
  if (!isAsked) return isParallel ? [...moves, ...abortedQueues(queue, target, free)] : moves;
  const beside = isParallel && free !== target ? [aborted(turnsTo(target, other, call), "approval", 0)] : [];
  return [
    ...moves,
    aborted(once, "approval", 0),
    aborted(more, "approval", 0),
    aborted(again, "approval", 1),
    ...beside,
    ...(isParallel ? [aborted(queue, "approval", 1)] : []),
    { ...aborted(again, "approval", 0), decisions: ["deny"] },
  ];
}

/** What a handler still does after the run was told to stop. */
const unfinished: readonly Behaviour[] = [
  { kind: "slow", value: "done" },
  { kind: "effect-then-throw", message: "The operation was aborted." },
];

/** The model's request fails, and the run is aborted while it is made again. */
function failingMeanwhile(move: Move): Move {
  const last = move.turns.length - 1;
  const turns = move.turns.map((turn, index) => (index === last ? { ...turn, failing: ["timeout" as const] } : turn));
  return { ...move, turns, abort: { during: "model", at: last + 1 } };
}
