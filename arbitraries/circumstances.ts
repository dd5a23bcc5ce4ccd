import { type Behaviour, harmlessBehaviour } from "../src/contract/behaviour.ts";
import type { Decision, Script } from "../src/contract/script.ts";
import type { DraftTurn, Move } from "../src/contract/script-class.ts";
import type { World } from "../src/world/world.ts";
import { expectedOf } from "./expected-call.ts";

/** The turns that fall into one turn of the script, each with the place of its move. */
export type WovenTurn = readonly (readonly [move: number, turn: DraftTurn])[];

/** All of a script that is not what the model says. */
export type Circumstances = Pick<Script, "handlers" | "decisions" | "abort" | "modelEditsInput">;

/**
 * What handlers do, what the human says and when the run is aborted, for moves that are woven into these turns. Behaviours
 * and decisions are listed by invocation and by request, so those of one move must not fall to the calls of another: each
 * call that is expected to run, or to be asked about, takes one place, harmless and "deny" where its move says nothing.
 * What a move has to spare (for calls that should not come that far) stands at the end.
 */
export function circumstancesOf(world: World, moves: readonly Move[], woven: readonly WovenTurn[]): Circumstances {
  const edits = moves.some(({ modelEditsInput }) => modelEditsInput === true) ? { modelEditsInput: true } : {};
  if (!moves.some((move) => move.handlers ?? move.decisions ?? move.abort))
    return { handlers: {}, decisions: [], ...edits };
  const walk = new Walk(world, moves);
  for (const turn of woven) walk.pass(turn);
  const abort = walk.abort();
  return { handlers: walk.handlers(), decisions: walk.decisions(), ...(abort && { abort }), ...edits };
}

type During = NonNullable<Script["abort"]>["during"];

class Walk {
  readonly #world: World;
  readonly #moves: readonly Move[];
  readonly #loaded = new Set<string>();
  readonly #behaviours = new Map<string, Behaviour[]>();
  readonly #decisions: Decision[] = [];
  readonly #decided: number[];
  readonly #performed: Map<string, number>[];
  readonly #decides: boolean;
  /** The first move that brings an abort: a run can be aborted once. */
  readonly #aborting: number;
  readonly #all = { model: 0, handler: 0, approval: 0 };
  readonly #own = { model: 0, handler: 0, approval: 0 };
  /** How many there were in the whole script when that move came to its end. */
  #behind = { model: 0, handler: 0, approval: 0 };
  #abortAt: number | undefined;

  constructor(world: World, moves: readonly Move[]) {
    this.#world = world;
    this.#moves = moves;
    this.#decided = moves.map(() => 0);
    this.#performed = moves.map(() => new Map());
    this.#decides = moves.some(({ decisions }) => decisions !== undefined);
    this.#aborting = moves.findIndex(({ abort }) => abort !== undefined);
    for (const { handlers } of moves)
      if (handlers !== undefined) for (const name of Object.keys(handlers)) this.#behaviours.set(name, []);
  }

  pass(turn: WovenTurn): void {
    const isCutOff = turn.some(([, { stop }]) => stop === "length");
    for (const [move, { failing = [] }] of turn) for (const _ of failing) this.#count("model", move);
    // One request brings all that share the turn.
    this.#count("model", turn.find(([move]) => move === this.#aborting)?.[0] ?? -1);
    for (const [move, { proposals }] of turn) {
      for (const proposal of proposals) {
        if (proposal.kind === "load-skill") this.#loaded.add(proposal.skill);
        if (proposal.kind !== "tool-call" || isCutOff) continue;
        const expected = expectedOf(this.#world, proposal, this.#loaded);
        if (expected === "allow" || (expected === "ask" && this.#ask(move))) this.#run(move, proposal.name);
      }
      if (move === this.#aborting) this.#behind = { ...this.#all };
    }
  }

  #ask(move: number): boolean {
    this.#count("approval", move);
    if (!this.#decides) return false;
    const { decisions: own = [] } = this.#moves[move]!;
    const place = this.#decided[move]!;
    this.#decided[move] = place + 1;
    const decision = own[Math.min(place, own.length - 1)] ?? "deny";
    this.#decisions.push(decision);
    return decision === "approve";
  }

  #run(move: number, tool: string): void {
    this.#count("handler", move);
    const behaviours = this.#behaviours.get(tool);
    if (behaviours === undefined) return;
    const own = this.#ownOf(move, tool);
    const place = this.#performed[move]!.get(tool) ?? 0;
    this.#performed[move]!.set(tool, place + 1);
    behaviours.push(own[Math.min(place, own.length - 1)] ?? harmlessBehaviour);
  }

  #ownOf(move: number, tool: string): readonly Behaviour[] {
    const { handlers = {} } = this.#moves[move]!;
    return Object.hasOwn(handlers, tool) ? handlers[tool]! : [];
  }

  #count(during: During, move: number): void {
    const abort = move === this.#aborting ? this.#moves[move]?.abort : undefined;
    if (abort?.during === during && abort.at === this.#own[during]) this.#abortAt = this.#all[during];
    if (abort !== undefined) this.#own[during] += 1;
    this.#all[during] += 1;
  }

  handlers(): Script["handlers"] {
    for (const [tool, behaviours] of this.#behaviours) {
      for (const move of this.#moves.keys()) {
        behaviours.push(...this.#ownOf(move, tool).slice(this.#performed[move]!.get(tool) ?? 0));
      }
    }
    return Object.fromEntries(this.#behaviours);
  }

  decisions(): readonly Decision[] {
    const spare = this.#moves.flatMap(({ decisions = [] }, move) => decisions.slice(this.#decided[move]));
    return [...this.#decisions, ...spare];
  }

  abort(): Script["abort"] {
    const abort = this.#moves[this.#aborting]?.abort;
    if (abort === undefined) return undefined;
    const { during } = abort;
    // Later than all that the move brings: counted from its end.
    return { during, at: this.#abortAt ?? this.#behind[during] + abort.at - this.#own[during] };
  }
}
