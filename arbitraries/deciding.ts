import type { Decision } from "../src/contract/script.ts";
import type { DraftTurn, Move, ScriptClass, Setting } from "../src/contract/script-class.ts";
import { type Candidate, reachable, turnsTo } from "./candidates.ts";
import { callOf, turnOf } from "./draft.ts";
import { at, type Pick, picks } from "./pick.ts";
import { remembered } from "./remembered.ts";

/** What the human answers, one answer for each call; and what happens meanwhile. */
export interface Answers {
  readonly answers: readonly [Decision, ...Decision[]];
  /** To whatever else is asked: otherwise the last answer again. */
  readonly otherwise?: Decision;
  readonly abort?: Move["abort"];
}

interface Part {
  readonly id: string;
  readonly says: string;
  /** The simplest first; none where the claims leave no room for such a human. */
  answers(setting: Setting): readonly Answers[];
  /** Why there are none. */
  readonly unclaimed?: string;
  /** What else such a human sees, for one tool. */
  more?(target: Candidate, setting: Setting): readonly Move[];
  /** The places of the cases that stand for the class. */
  readonly telling: readonly number[];
}

/**
 * A class of humans: who is asked about calls that only lack approval. One call, alone and beside an allowed one; the same
 * call again, the same tool with other arguments, another tool, in one turn and in two, under ids of their own and under one.
 */
export function deciding({ id, says, answers, unclaimed, more, telling }: Part): ScriptClass<Pick> {
  const movesFor = (target: Candidate, setting: Setting, place: number): readonly Move[] => [
    ...answers(setting).flatMap((given) =>
      arrangements(target, setting, place, given.answers.length).map((turns) => toMove(turns, given)),
    ),
    ...(more?.(target, setting) ?? []),
  ];
  const canonical = remembered((setting: Setting): readonly Move[] => {
    const [first, ...others] = askedAbout(setting);
    const [simplest] = answers(setting);
    if (first === undefined || simplest === undefined) return [];
    const few = others.slice(0, 3).map((target) => {
      const [turns] = arrangements(target, setting, 0, simplest.answers.length);
      return toMove(turns!, simplest);
    });
    return [...movesFor(first, setting, 0), ...few];
  });
  return {
    id,
    kind: "operator",
    says,
    needs: (setting) => {
      if (setting.claims.approvals !== "asked") return "asking a human is not claimed";
      if (answers(setting).length === 0) return unclaimed;
      return askedAbout(setting).length > 0 ? undefined : "no tool of this world can be asked about";
    },
    canonical,
    representatives: (setting) => telling.flatMap((place) => canonical(setting).slice(place, place + 1)),
    data: picks,
    resolve: ({ target, form, args }, setting) => {
      const tool = at(askedAbout(setting), target);
      const humans = answers(setting);
      const human = at(humans, form);
      if (tool === undefined || human === undefined) return undefined;
      const others = form % 12 === 11 ? (more?.(tool, setting) ?? []) : [];
      if (others.length > 0) return at(others, args);
      const turns = at(arrangements(tool, setting, args, human.answers.length), Math.floor(form / humans.length));
      return toMove(turns!, human);
    },
    isOne: () => false,
  };
}

function askedAbout(setting: Setting): readonly Candidate[] {
  return setting.claims.approvals === "asked" ? reachable(setting, "ask") : [];
}

function toMove(turns: readonly DraftTurn[], { answers, otherwise, abort }: Answers): Move {
  const decisions = otherwise === undefined ? answers : [...answers, otherwise];
  return abort === undefined ? { turns, decisions } : { turns, decisions, abort };
}

type Arrangement = readonly DraftTurn[];

/** So many calls that a human is asked about, one of them alone beside others that need nobody. */
function arrangements(target: Candidate, setting: Setting, place: number, count: number): readonly Arrangement[] {
  const call = callOf(target.tool.name, at(target.args, place)!);
  return count === 1 ? single(target, call, setting) : several(target, call, setting, place, count);
}

type Call = ReturnType<typeof callOf>;

function single(target: Candidate, call: Call, setting: Setting): readonly Arrangement[] {
  const alone = turnsTo(target, call);
  const [free] = reachable(setting, "allow").filter(({ load }) => load === undefined);
  if (free === undefined) return [alone];
  const look = callOf(free.tool.name, free.args[0]!);
  if (setting.claims.parallelCalls === false) return [alone, [...alone, turnOf(look)]];
  return [alone, [...alone, turnOf(look)], turnsTo(target, look, call), turnsTo(target, call, look)];
}

function several(
  target: Candidate,
  call: Call,
  setting: Setting,
  place: number,
  count: number,
): readonly Arrangement[] {
  const { claims, shape } = setting;
  const [before] = turnsTo(target, call).length > 1 ? turnsTo(target, call) : [];
  const loads = before === undefined ? [] : [before];
  // Here and there by turns: where there are three calls, the third is the first one again.
  const lined = (second: Call): readonly Call[] =>
    Array.from({ length: count }, (_, index) => (index % 2 ? second : call));
  const other = target.args.length > 1 ? [callOf(target.tool.name, at(target.args, place + 1)!)] : [];
  const named = (second: Call) => lined(second).map((each): Call => ({ ...each, callId: "same" }));
  const own = [call, ...other, ...elsewhere(target, setting)].map(lined);
  const alike = [call, ...other].map(named);
  const apart = (calls: readonly Call[]): Arrangement => [...loads, ...calls.map((each) => turnOf(each))];
  const together = (calls: readonly Call[]): Arrangement => [...loads, turnOf(...calls)];
  const isParallel = claims.parallelCalls !== false;
  return [
    ...own.map(apart),
    ...(isParallel ? own.map(together) : []),
    ...(shape.idsAcrossTurns === false ? [] : alike.map(apart)),
    ...(isParallel ? alike.map(together) : []),
  ];
}

/** Another tool that a human is asked about, with nothing else to load. */
function elsewhere(target: Candidate, setting: Setting): readonly Call[] {
  const other = reachable(setting, "ask").find(
    ({ tool, load }) => tool !== target.tool && (load === undefined || load === target.load),
  );
  return other === undefined ? [] : [callOf(other.tool.name, other.args[0]!)];
}
