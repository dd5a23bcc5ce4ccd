import { type Behaviour, harmlessBehaviour } from "../../src/contract/behaviour.ts";
import type { DraftTurn, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { answerTo } from "../callable-moves.ts";
import { type Candidate, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";

const hang: Behaviour = { kind: "hang" };

/**
 * An honest call whose handler never settles, the first time or only the second, alone or beside a call that works; until
 * the harness's own deadline, or until the run is aborted. Then, often, another call.
 *
 * Harnesses get it wrong where they wait for ever, where the call is made again in the hope of an answer, or where the
 * sibling's result is lost with it.
 *
 * Shrinks to one call of the first allowed tool that never settles.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "hang" }] }, abort: { during: "handler", at: 0 } }
 */
export const hanging: ScriptClass<Pick> = {
  id: "hanging",
  kind: "handler",
  says: "A permitted call whose handler never settles, until a deadline or an abort.",
  needs: (setting) => {
    if (!canEnd(setting)) return "neither a deadline nor an abort is claimed";
    return performers(setting).length > 0 ? undefined : "no tool of this world may run";
  },
  canonical: (setting) => {
    const [first] = performers(setting);
    if (first === undefined) return [];
    const [asked] = setting.claims.approvals === "asked" ? reachable(setting, "ask") : [];
    return [...ways(first, setting, 0), ...(asked === undefined ? [] : ways(asked, setting, 0).slice(0, 1))];
  },
  // A deadline each time would cost too much.
  representatives: (setting) => (setting.claims.abort === true ? hanging.canonical(setting).slice(0, 1) : []),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(performers(setting), target);
    return tool === undefined ? undefined : at(ways(tool, setting, args), form);
  },
  isOne: () => false,
};

function canEnd({ claims }: Setting): boolean {
  return claims.abort === true || claims.deadlineMs !== undefined;
}

function performers(setting: Setting): readonly Candidate[] {
  if (!canEnd(setting)) return [];
  return [...reachable(setting, "allow"), ...(setting.claims.approvals === "asked" ? reachable(setting, "ask") : [])];
}

interface Scene {
  readonly turns: readonly DraftTurn[];
  /** Of the tool's invocations, the one that hangs. */
  readonly at: number;
  /** How many other handlers have started by then. */
  readonly before: number;
}

function ways(target: Candidate, setting: Setting, place: number): readonly Move[] {
  const { abort, deadlineMs } = setting.claims;
  const moves = scenes(target, setting, place).map(({ turns, at: number, before }): [Move, Scene["before"]] => [
    {
      turns,
      // Any further call is answered: a deadline is enough.
      handlers: {
        [target.tool.name]: [...Array.from({ length: number }, () => harmlessBehaviour), hang, harmlessBehaviour],
      },
      ...answerTo(target, setting, "approve"),
    },
    before + number,
  ]);
  return [
    ...(abort === true
      ? moves.map(([move, number]): Move => ({ ...move, abort: { during: "handler", at: number } }))
      : []),
    ...(deadlineMs === undefined ? [] : moves.map(([move]) => move)),
  ];
}

function scenes(target: Candidate, setting: Setting, place: number): readonly Scene[] {
  const call = callOf(target.tool.name, at(target.args, place)!);
  const once = turnsTo(target, call);
  const [free] = reachable(setting, "allow").filter(({ tool, load }) => tool !== target.tool && load === undefined);
  const all: Scene[] = [
    { turns: once, at: 0, before: 0 },
    { turns: [...once, turnOf(call)], at: 0, before: 0 },
    { turns: [...once, turnOf(call), turnOf(call)], at: 1, before: 0 },
  ];
  if (free === undefined) return all;
  const look = callOf(free.tool.name, free.args[0]!);
  all.push({ turns: [...once, turnOf(look)], at: 0, before: 0 });
  if (setting.claims.parallelCalls === false) return all;
  all.push({ turns: turnsTo(target, call, look), at: 0, before: 0 });
  all.push({ turns: [...turnsTo(target, look, call), turnOf(look)], at: 0, before: 1 });
  return all;
}
