import type { Behaviour } from "../src/contract/behaviour.ts";
import { harmlessBehaviour } from "../src/contract/behaviour.ts";
import type { DraftTurn, Move, ScriptClass, Setting } from "../src/contract/script-class.ts";
import { oneByOne } from "./callable-moves.ts";
import { type Candidate, reachable, turnsTo } from "./candidates.ts";
import { callOf } from "./draft.ts";
import { at, type Pick, picks } from "./pick.ts";
import { remembered } from "./remembered.ts";
import { answering } from "./setting.ts";

/** What one handler does: the first time that it is called, the second time, and so on. */
export type Performance = readonly Behaviour[];

interface Part {
  readonly id: string;
  readonly says: string;
  readonly performances: readonly Performance[];
  /** How many of the first ones stand for the class. */
  readonly telling: number;
}

/**
 * A class of permitted calls whose handler does something out of the ordinary: one call for each behaviour, then nothing,
 * the same call again, or another one. Where a human is asked, the answer is yes.
 */
export function performing({ id, says, performances, telling }: Part): ScriptClass<Pick> {
  return {
    id,
    kind: "handler",
    says,
    needs: (setting) => (performers(setting).length > 0 ? undefined : "no tool of this world may run"),
    canonical: (setting) => {
      const [first, ...everyOther] = performers(setting);
      if (first === undefined) return [];
      const every = performances.map((performance) => move(first, performance, [], setting));
      const again = performances
        .slice(0, 2)
        .flatMap((performance) => followUps(first, setting).map((next) => move(first, performance, next, setting)));
      const [asked] = setting.claims.approvals === "asked" ? reachable(setting, "ask") : [];
      const others = everyOther.filter(({ tool }) => tool !== asked?.tool);
      const few = [
        ...others.slice(0, 1),
        ...others
          .slice(1)
          .filter(({ load, tool }) => load !== undefined || tool.permission !== "allow")
          .slice(0, 2),
        // Behind a yes, much that a handler does is looked at elsewhere.
        ...(asked === undefined || asked.tool === first.tool ? [] : [asked]),
      ];
      return [...every, ...few.map((tool) => move(tool, performances[0]!, [], setting)), ...again];
    },
    representatives: (setting) =>
      performers(setting)
        .slice(0, 1)
        .flatMap((tool) => performances.slice(0, telling).map((performance) => move(tool, performance, [], setting))),
    data: picks,
    resolve: ({ target, form, args }, setting) => {
      const tool = at(performers(setting), target);
      if (tool === undefined) return undefined;
      const next = form % 2 === 0 ? [] : at(followUps(tool, setting), args)!;
      return move(tool, at(performances, form >> 1)!, next, setting, args);
    },
    isOne: () => false,
  };
}

/** Tools that may simply run, then those that run once a human said yes. */
const performers = remembered((setting: Setting): readonly Candidate[] => {
  const asked = setting.claims.approvals === "asked" ? reachable(setting, "ask") : [];
  const found = [...reachable(setting, "allow"), ...asked];
  return found;
});

type Next = readonly DraftTurn[];

/** The same call again, and a call of another tool. */
export function followUps(tool: Candidate, setting: Setting): readonly Next[] {
  const other = reachable(setting, "allow").find((candidate) => candidate.tool !== tool.tool);
  const again: Next = turnsTo(tool, callOf(tool.tool.name, tool.args[0]!)).slice(-1);
  return other === undefined ? [again] : [again, turnsTo(other, callOf(other.tool.name, other.args[0]!))];
}

function move(tool: Candidate, performance: Performance, next: Next, setting: Setting, place = 0): Move {
  const { name, permission } = tool.tool;
  const calls = performance.map(() => callOf(name, at(tool.args, place)!));
  const turns = [...oneByOne(tool, ...calls), ...next];
  // What comes after it is a call like any other.
  const handlers = { [name]: next.length > 0 ? [...performance, harmlessBehaviour] : performance };
  const answer = permission === "allow" ? {} : answering(setting, "approve", calls.length + next.length);
  return { turns, handlers, ...answer };
}
