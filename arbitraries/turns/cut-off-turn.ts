import type { DraftTurn, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, callable, eachOnce, turnsTo } from "../candidates.ts";
import { callOf, loadOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { answering } from "../setting.ts";

/**
 * A turn that stopped because the model ran out of room. Its calls look complete and are permitted, but nobody knows what
 * else the model was about to say. Loads may be cut off as well.
 *
 * Harnesses get it wrong where the stop reason is only looked at when the arguments do not parse, or never.
 *
 * Shrinks to the first allowed tool's call in a turn that was cut off.
 *
 * @example
 * { proposals: [{ kind: "tool-call", name: "lookup_order", args: '{"order":"A-1"}' }], stop: "length" }
 */
export const cutOffTurn: ScriptClass<Pick> = {
  id: "cut-off-turn",
  kind: "turn",
  says: "Complete, permitted calls in a turn that stopped by length.",
  needs: (setting) => {
    if (setting.claims.stopReason !== true) return "reading why a turn stopped is not claimed";
    return callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments";
  },
  canonical: (setting) => {
    const [first, ...others] = eachOnce(callable(setting));
    if (first === undefined || setting.claims.stopReason !== true) return [];
    return [
      ...ways(first, setting, 0),
      ...others.slice(0, 4).flatMap((target) => ways(target, setting, 0).slice(0, 1)),
      ...loads(setting),
    ];
  },
  representatives: (setting) =>
    setting.claims.stopReason === true
      ? callable(setting)
          .slice(0, 1)
          .flatMap((target) => ways(target, setting, 0).slice(0, 1))
      : [],
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    if (setting.claims.stopReason !== true) return undefined;
    const tool = at(callable(setting), target);
    return tool === undefined ? undefined : at([...ways(tool, setting, args), ...loads(setting)], form);
  },
  isOne: () => false,
};

function cut(turn: DraftTurn): DraftTurn {
  return { ...turn, stop: "length" };
}

/** Alone, beside prose, twice, and followed by the same call in a turn that was not cut off. */
function ways(target: Candidate, setting: Setting, place: number): readonly Move[] {
  const call = callOf(target.tool.name, at(target.args, place)!);
  const prose = { kind: "text", text: "I will look that up and then" } as const;
  const before = turnsTo(target, call).slice(0, -1);
  const turns: (readonly DraftTurn[])[] = [
    [cut(turnOf(call))],
    [cut(turnOf(prose, call))],
    [cut(turnOf(call)), turnOf(call)],
    [turnOf(call), cut(turnOf(call))],
  ];
  if (setting.claims.parallelCalls !== false) turns.push([cut(turnOf(call, call))]);
  // Where a human is asked about it all the same, the answer is yes: even then it must not run.
  const answer = target.tool.permission === "allow" ? {} : answering(setting, "approve", 2);
  return turns.map((all) => ({ turns: [...before, ...all], ...answer }));
}

/** A load that was cut off, and a call that relies on it. */
function loads(setting: Setting): readonly Move[] {
  const locked = callable(setting).find(({ load }) => load !== undefined);
  if (locked?.load === undefined) return [];
  const load = cut(turnOf(loadOf(locked.load)));
  return [
    { turns: [load] },
    { turns: [load, turnOf(callOf(locked.tool.name, locked.args[0]!))], ...answering(setting, "deny") },
  ];
}
