import type { Draft, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { callable, reachable } from "../candidates.ts";
import { callOf, loadOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { answering } from "../setting.ts";

/**
 * Skills loaded again, and all of them in any order; then a call of a tool that one of them opens, or of one that each opens.
 *
 * Harnesses get it wrong where the last load replaces the ones before, where there is room for so many skills only, where a
 * second load closes what the first opened or counts as an error, or where tools are declared twice.
 *
 * Shrinks to one skill, loaded twice.
 *
 * @example
 * [{ kind: "load-skill", callId: "call-1", skill: "refunds" }, { kind: "load-skill", callId: "call-2", skill: "refunds" }]
 */
export const repeatedLoad: ScriptClass<Pick> = {
  id: "repeated-load",
  kind: "turn",
  says: "Skills loaded again, or all of them in any order, before a call that needs one.",
  needs: ({ claims, world }) => {
    if (claims.hiddenTools !== "by-skill") return "skills are not claimed";
    return world.skills.length > 0 ? undefined : "this world has no skills";
  },
  canonical: (setting) => {
    const [move, ...others] = ways(setting, 0);
    return move === undefined ? [] : [move, ...others];
  },
  representatives: (setting) => ways(setting, 0).slice(1, 2),
  data: picks,
  resolve: ({ form, target }, setting) => at(ways(setting, target), form),
  isOne: () => false,
};

function ways(setting: Setting, place: number): readonly Move[] {
  const { world, claims } = setting;
  if (claims.hiddenTools !== "by-skill") return [];
  const skills = world.skills.slice(0, 6);
  const [first] = skills;
  if (first === undefined) return [];
  const target = at(
    callable(setting).filter(({ load }) => load !== undefined),
    place,
  );
  const call = target === undefined ? [] : [turnOf(callOf(target.tool.name, target.args[0]!))];
  const answer = target === undefined || target.tool.permission === "allow" ? {} : answering(setting, "approve");
  const own = target?.load ?? first;
  const others = skills.filter((skill) => skill !== own);
  const orders = [
    [own, own],
    [own, ...others],
    [...others, own],
    [own, ...others, own],
    [...others, own, ...others],
  ];
  const distinct = [...new Map(orders.map((order) => [order.join("\n"), order])).values()];
  const apart = (order: readonly string[]): Move => ({
    turns: [...order.map((skill) => turnOf(loadOf(skill))), ...call],
    ...answer,
  });
  const moves = distinct.filter((order) => order.length > 1).map(apart);
  if (claims.parallelCalls === false) return [...moves, ...eachOpened(setting, skills)];
  const together = distinct.filter((order) => order.length > 1).slice(0, 2);
  return [
    ...moves,
    ...together.map(
      (order): Move => ({ turns: [turnOf(...order.map((skill): Draft => loadOf(skill))), ...call], ...answer }),
    ),
    ...eachOpened(setting, skills),
  ];
}

/** All skills, and then a call of a tool behind each that may simply run: in turns of their own, and in two turns. */
function eachOpened(setting: Setting, skills: readonly string[]): readonly Move[] {
  const allowed = reachable(setting, "allow");
  const opened = skills.flatMap((skill) => allowed.find(({ load }) => load === skill) ?? []);
  if (opened.length < 2) return [];
  const loads = opened.map(({ load }) => loadOf(load!));
  const calls = opened.map(({ tool, args }) => callOf(tool.name, args[0]!));
  const apart: Move = { turns: [...loads, ...calls].map((draft) => turnOf(draft)) };
  return setting.claims.parallelCalls === false ? [apart] : [apart, { turns: [turnOf(...loads), turnOf(...calls)] }];
}
