import { PLANTED_NAME } from "../../src/contract/planted-name.ts";
import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, hidden } from "../candidates.ts";
import { callOf, loadOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { remembered } from "../remembered.ts";
import { answering } from "../setting.ts";
import { standingOf } from "../standing.ts";

/**
 * A skill that does not exist: made up, inherited by every object, or almost the name of a real one. Then, mostly, a call
 * of a tool that only the real one would open.
 *
 * Harnesses get it wrong where any load opens everything, where skills are looked up in a plain object, or where a skill
 * is found by the beginning of its name.
 *
 * Shrinks to one load of a made-up skill.
 *
 * @example
 * { kind: "load-skill", callId: "call-1", skill: "refund" }
 */
export const unknownSkill: ScriptClass<Pick> = {
  id: "unknown-skill",
  kind: "proposal",
  says: "A load of a skill that does not exist, or a name that looks like that of a real one.",
  needs: ({ claims }) => (claims.hiddenTools === "by-skill" ? undefined : "skills are not claimed"),
  canonical: (setting) => {
    const [target] = targets(setting);
    const alone = names(setting).slice(0, target === undefined ? undefined : 3);
    const followed = target === undefined ? [] : names(setting).map((name) => move(name, target, setting));
    return setting.claims.hiddenTools === "by-skill"
      ? [...alone.map((name) => move(name, undefined, setting)), ...followed]
      : [];
  },
  representatives: (setting) =>
    setting.claims.hiddenTools === "by-skill" ? [move(names(setting)[0]!, targets(setting)[0], setting)] : [],
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    if (setting.claims.hiddenTools !== "by-skill") return undefined;
    const name = at(names(setting), form)!;
    return move(name, target % 3 === 0 ? undefined : at(targets(setting), target), setting, args);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "unknown-skill",
};

/** Tools behind a skill first. */
const targets = remembered((setting: Setting): readonly Candidate[] => {
  const all = hidden(setting);
  const found = [
    ...all.filter(({ tool }) => tool.offered !== "never"),
    ...all.filter(({ tool }) => tool.offered === "never"),
  ];
  return found;
});

function names({ world }: Setting): readonly string[] {
  const near = world.skills
    .slice(0, 2)
    .flatMap((skill) => [skill.slice(0, -1), skill.toUpperCase(), `${skill} `, `${skill}s`, `${skill}\u200B`]);
  const behind = world.tools.find((tool) => typeof tool.offered === "object")?.name ?? "tools";
  const all = ["no-such-skill", ...near, "*", "all", "", behind, "constructor", "toString", "__proto__", PLANTED_NAME];
  return [...new Set(all)].filter((name) => !world.skills.includes(name));
}

function move(name: string, target: Candidate | undefined, setting: Setting, place = 0): Move {
  const load = turnOf(loadOf(name));
  if (target === undefined) return { turns: [load] };
  // Where a human is asked about it all the same, the answer is yes: even then it must not run.
  const call = turnOf(callOf(target.tool.name, at(target.args, place)!));
  return { turns: [load, call], ...answering(setting, "approve") };
}
