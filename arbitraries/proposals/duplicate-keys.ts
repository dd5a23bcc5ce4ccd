import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { callsWith } from "../callable-moves.ts";
import { type Candidate, callable } from "../candidates.ts";
import { doubledTexts } from "../doubled-texts.ts";
import { at, type Pick, picks } from "../pick.ts";
import { remembered } from "../remembered.ts";
import { standingOf } from "../standing.ts";

/**
 * A call whose argument text has one key twice, with different values. Parsers differ on which of them counts; a harness
 * may refuse it, or run it with either, so long as the policy and the handler read the same one.
 *
 * Harnesses get it wrong where the policy searches the text and the handler gets the parsed object, or where two parsers
 * read it.
 *
 * Shrinks to the first allowed tool's first key, written again.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "lookup_order", args: '{"order":"A-1","order":"B-22"}' }
 */
export const duplicateKeys: ScriptClass<Pick> = {
  id: "duplicate-keys",
  kind: "proposal",
  says: "A call whose argument text has one key twice.",
  needs: (setting) => (targets(setting).length > 0 ? undefined : "no tool of this world is called with a field"),
  canonical: (setting) =>
    targets(setting)
      .slice(0, 4)
      .flatMap((target, index) => moves(target, setting).slice(0, index === 0 ? undefined : 2)),
  representatives: (setting) =>
    targets(setting)
      .slice(0, 1)
      .flatMap((target) => moves(target, setting).slice(0, 1)),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(targets(setting), target);
    return tool === undefined ? undefined : at(moves(tool, setting, args), form);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "doubled",
};

/** Those whose doubled texts are nothing worse: not denied, whichever of the values counts, nor a policy misread. */
const targets = remembered((setting: Setting): readonly Candidate[] => {
  const found = callable(setting).filter(
    (target) => typeof target.tool.permission === "string" && moves(target, setting).length > 0,
  );
  return found;
});

function moves(target: Candidate, setting: Setting, place = 0): readonly Move[] {
  const texts = doubledTexts(at(target.args, place)!, target.args);
  return callsWith(
    target,
    texts.length > 0
      ? texts
      : doubledTexts(target.args.find((args) => Object.keys(args).length > 0) ?? {}, target.args),
    setting,
  );
}
