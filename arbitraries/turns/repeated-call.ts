import type { Decision } from "../../src/contract/script.ts";
import type { Draft, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { oneByOne } from "../callable-moves.ts";
import { type Candidate, callable, reachable, turnsTo } from "../candidates.ts";
import { callOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { answering } from "../setting.ts";

/**
 * The same call again, with the same arguments and an id of its own: in one turn, in the next, after another call. Each is
 * a call of its own: it runs once, and an approval of one is none of the other.
 *
 * Harnesses get it wrong where calls are told apart by name and arguments, so that the second is dropped, answered from
 * the first, or covered by its approval.
 *
 * Shrinks to the first allowed tool's call, twice.
 *
 * @example
 * { turns: [lookup, lookup] }
 */
export const repeatedCall: ScriptClass<Pick> = {
  id: "repeated-call",
  kind: "turn",
  says: "The same call again under a new id, in one turn or a later one.",
  needs: (setting) =>
    callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments",
  canonical: (setting) => {
    const [first] = callable(setting);
    const [asked] = reachable(setting, "ask");
    const others = asked === undefined || asked.tool === first?.tool ? [] : [asked];
    return [...(first === undefined ? [] : [first]), ...others].flatMap((target) => ways(target, setting, 0));
  },
  representatives: (setting) => {
    const [asked] = reachable(setting, "ask");
    const target = asked ?? callable(setting)[0];
    return target === undefined ? [] : ways(target, setting, 0).slice(0, 1);
  },
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(callable(setting), target);
    return tool === undefined ? undefined : at(ways(tool, setting, args), form);
  },
  isOne: () => false,
};

function ways(target: Candidate, setting: Setting, place: number): readonly Move[] {
  const call = callOf(target.tool.name, at(target.args, place)!);
  const other = callOf(target.tool.name, at(target.args, place + 1)!);
  const apart = (...calls: readonly Draft[]) => oneByOne(target, ...calls);
  // A yes to the first is none to the second.
  const answered = (turns: Move["turns"], ...decisions: readonly Decision[]): Move => ({
    turns,
    ...(target.tool.permission === "allow" || setting.claims.approvals !== "asked" ? {} : { decisions }),
  });
  const moves = [
    answered(apart(call, call), "approve", "deny"),
    answered(apart(call, call, call), "approve", "deny", "approve"),
  ];
  if (target.args.length > 1) moves.push(answered(apart(call, other, call), "approve", "deny", "deny"));
  if (setting.claims.parallelCalls === false) return moves;
  moves.push(answered(turnsTo(target, call, call), "approve", "deny"));
  if (target.args.length > 1) moves.push(answered(turnsTo(target, call, other, call), "approve", "deny", "deny"));
  return target.tool.permission === "allow" || setting.claims.approvals !== "asked"
    ? moves
    : [...moves, { turns: turnsTo(target, call, call), ...answering(setting, "deny", 2) }];
}
