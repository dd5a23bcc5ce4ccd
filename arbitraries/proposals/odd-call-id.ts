import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { answerTo } from "../callable-moves.ts";
import { type Candidate, callable, turnsTo } from "../candidates.ts";
import { callOf } from "../draft.ts";
import { oddIds } from "../odd-ids.ts";
import { at, type Pick, picks } from "../pick.ts";
import { standingOf } from "../standing.ts";

/**
 * An honest call under an id that nobody expects: empty, very long, with spaces and quotes, or the name of something that
 * every object inherits.
 *
 * Harnesses get it wrong where results are kept in a plain object by id, where an empty id counts as none, or where ids
 * are trimmed, cut or joined.
 *
 * Shrinks to the first allowed tool's call with an empty id.
 *
 * @example
 * { kind: "tool-call", callId: "__proto__", name: "lookup_order", args: '{"order":"A-1"}' }
 */
export const oddCallId: ScriptClass<Pick> = {
  id: "odd-call-id",
  kind: "proposal",
  says: "A permitted call under an odd id: empty, inherited, very long, with spaces.",
  needs: (setting) =>
    callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments",
  canonical: (setting) => {
    const [first, ...others] = callable(setting);
    if (first === undefined) return [];
    return [
      ...oddIds.slice(0, 18).map((id) => move(first, id, setting)),
      ...others.slice(0, 2).flatMap((target) => oddIds.slice(0, 2).map((id) => move(target, id, setting))),
    ];
  },
  representatives: (setting) =>
    callable(setting)
      .slice(0, 1)
      .flatMap((target) => oddIds.slice(0, 2).map((id) => move(target, id, setting))),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(callable(setting), target);
    return tool === undefined ? undefined : move(tool, at(oddIds, form)!, setting, args);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "odd-id",
};

function move(target: Candidate, callId: string, setting: Setting, place = 0): Move {
  const call = { ...callOf(target.tool.name, at(target.args, place)!), callId };
  return { turns: turnsTo(target, call), ...answerTo(target, setting, "approve") };
}
