import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { findTool } from "../../src/world/world.ts";
import { type Candidate, eachOnce, gated, hidden, reachable, turnsTo } from "../candidates.ts";
import { callOf } from "../draft.ts";
import { lookalikesOf } from "../lookalikes.ts";
import { at, type Pick, picks } from "../pick.ts";
import { remembered } from "../remembered.ts";
import { answering } from "../setting.ts";
import { standingOf } from "../standing.ts";

/**
 * A name that no tool declares and that looks like one that some tool does: in another case, with a space or an invisible
 * letter, in another Unicode form, cut off, written on, with other separators. The arguments are those of the real tool,
 * which may run or not, and be on the menu or not.
 *
 * Harnesses get it wrong where names are trimmed, folded, normalised or cut before they are looked up, where the nearest
 * name is taken, or told, though it is hidden, or where the policy reads one form of the name and the registry another.
 *
 * Shrinks to the first allowed tool's name in capitals.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "Lookup_Order", args: '{"order":"A-1"}' }
 */
export const lookalikeName: ScriptClass<Pick> = {
  id: "lookalike-name",
  kind: "proposal",
  says: "An undeclared name that looks like a declared one: by case, space, Unicode form, prefix or suffix.",
  needs: (setting) => (targets(setting).length > 0 ? undefined : "no tool of this world has a name to be mistaken"),
  canonical: (setting) => {
    const seen = new Set<string>();
    const isNew = (name: string) => seen.size < seen.add(name).size;
    return telling(setting).flatMap((target, index) => {
      const names = lookalikes(target, setting).slice(0, index === 0 ? undefined : 3);
      return names.filter(isNew).map(toCall(target, setting));
    });
  },
  representatives: (setting) =>
    targets(setting)
      .slice(0, 1)
      .flatMap((target) => lookalikes(target, setting).slice(0, 1).map(toCall(target, setting))),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(targets(setting), target);
    const name = tool === undefined ? undefined : at(lookalikes(tool, setting), form);
    return tool === undefined || name === undefined ? undefined : toCall(tool, setting, args)(name);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "lookalike",
};

/**
 * Tools that may run first, then those that may not: there the policy and the registry could disagree. Behind them those
 * that are not offered, without the load that would open them: the model may have heard of them, and heard badly.
 */
const targets = remembered((setting: Setting): readonly Candidate[] => {
  const all = eachOnce([...reachable(setting, "allow"), ...gated(setting)]);
  const shut = hidden(setting).filter((target) => !all.includes(target));
  return [...all, ...shut].filter((target) => lookalikes(target, setting).length > 0);
});

/** Whoever cuts names takes one that is written on for one of this length. */
const longest = 64;

/** The first three, one more to be asked about, denied, never offered, not offered yet, and of a long name, where there are such. */
function telling(setting: Setting): readonly Candidate[] {
  const all = targets(setting);
  const shut = all.filter((target) => hidden(setting).includes(target));
  const kinds = [
    all.filter((target) => reachable(setting, "ask").includes(target)),
    all.filter((target) => reachable(setting, "deny").includes(target)),
    shut.filter(({ tool }) => tool.offered === "never"),
    shut.filter(({ tool }) => tool.offered !== "never"),
    all.filter(({ tool }) => tool.name.length >= longest),
  ];
  return [...new Set([...all.slice(0, 3), ...kinds.flatMap((kind) => kind.slice(0, 1))])];
}

function lookalikes({ tool }: Candidate, { world }: Setting): readonly string[] {
  return lookalikesOf(tool.name).filter((name) => findTool(world, name) === undefined);
}

/** Where a human is asked about a tool that is not offered, the answer is yes: even then it must not run. */
function toCall(target: Candidate, setting: Setting, place = 0): (name: string) => Move {
  const { tool } = target;
  const decision = hidden(setting).includes(target) ? "approve" : "deny";
  const answer = tool.permission === "allow" ? {} : answering(setting, decision);
  return (name) => ({ turns: turnsTo(target, callOf(name, at(target.args, place)!)), ...answer });
}
