import { type Behaviour, harmlessBehaviour } from "../src/contract/behaviour.ts";
import type { DraftTurn, Move, Setting } from "../src/contract/script-class.ts";
import { type Candidate, reachable, turnsTo } from "./candidates.ts";
import { callOf, turnOf } from "./draft.ts";
import { at } from "./pick.ts";

const hang: Behaviour = { kind: "hang" };
const works = harmlessBehaviour;

/** Some calls, and what becomes of them. */
export interface HangingScene {
  readonly turns: readonly DraftTurn[];
  /** Any call that comes after these is answered: a deadline is enough. */
  readonly handlers: NonNullable<Move["handlers"]>;
  /** Among all handlers that start, the last one that hangs. */
  readonly last: number;
}

/** One handler that hangs, at its first or its second invocation, alone and beside another; the simplest first. */
export function hangingOnce(target: Candidate, setting: Setting, place: number): readonly HangingScene[] {
  const { name, call, once, free, isParallel } = castOf(target, setting, place);
  const first = { [name]: [hang, works] };
  const all: HangingScene[] = [
    { turns: once, handlers: first, last: 0 },
    { turns: [...once, turnOf(call)], handlers: first, last: 0 },
    { turns: [...once, turnOf(call), turnOf(call)], handlers: { [name]: [works, hang, works] }, last: 1 },
  ];
  if (free === undefined) return all;
  const look = callOf(free.tool.name, free.args[0]!);
  all.push({ turns: [...once, turnOf(look)], handlers: first, last: 0 });
  if (!isParallel) return all;
  all.push({ turns: turnsTo(target, call, look), handlers: first, last: 0 });
  all.push({ turns: [...turnsTo(target, look, call), turnOf(look)], handlers: first, last: 1 });
  return all;
}

/** Two that hang: in one turn, which a single wait may end; and where a deadline ends the first one, in two turns. */
export function hangingTwice(target: Candidate, setting: Setting, place: number): readonly HangingScene[] {
  const { name, call, once, free, isParallel } = castOf(target, setting, place);
  const goesOn = setting.claims.deadlineMs !== undefined;
  const all: HangingScene[] = [];
  if (goesOn) all.push({ turns: [...once, turnOf(call)], handlers: { [name]: [hang, hang, works] }, last: 1 });
  if (isParallel && free !== undefined) {
    const look = callOf(free.tool.name, free.args[0]!);
    const handlers = { [name]: [hang, works], [free.tool.name]: [hang, works] };
    all.push({ turns: turnsTo(target, call, look), handlers, last: goesOn ? 1 : 0 });
  }
  const between = { [name]: [hang, works, hang, works] };
  if (goesOn) all.push({ turns: [...once, turnOf(call), turnOf(call)], handlers: between, last: 2 });
  return all;
}

/** The call, the turns that make it, and another tool that may simply run. */
function castOf(target: Candidate, setting: Setting, place: number) {
  const { name } = target.tool;
  const call = callOf(name, at(target.args, place)!);
  const [free] = reachable(setting, "allow").filter(({ tool, load }) => tool !== target.tool && load === undefined);
  return { name, call, once: turnsTo(target, call), free, isParallel: setting.claims.parallelCalls !== false };
}
