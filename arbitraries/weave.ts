import type { Script } from "../src/contract/script.ts";
import type { Draft, DraftTurn, Move } from "../src/contract/script-class.ts";
import type { ModelFailure, Proposal, Turn } from "../src/contract/turn.ts";
import type { World } from "../src/world/world.ts";
import { circumstancesOf, type WovenTurn } from "./circumstances.ts";

export interface WeaveOptions {
  /** One turn holds the first calls of all moves; what they load first goes before it. */
  readonly together?: boolean;
  /** For each move, whether its first turn shares the last turn of the moves before it. */
  readonly joined?: readonly boolean[];
}

/**
 * Makes one script of several moves, one turn after another or in one turn. Call ids are "call-1", "call-2" and so on,
 * save those that a move brings; what handlers do and what the human says follows the calls that are expected to come that
 * far. Of several aborts the first move's is played.
 *
 * @example
 * weave(world, [{ turns: [{ proposals: [{ kind: "tool-call", name: "lookup", args: "{}" }], stop: "tool-calls" }] }])
 */
export function weave(world: World, moves: readonly Move[], options: WeaveOptions = {}): Script {
  const woven = options.together === true ? inOneTurn(moves) : oneAfterAnother(moves, options.joined ?? []);
  const fails = moves.some((move) => move.afterTurns === "keep-failing");
  const repeats = fails || moves.some((move) => move.afterTurns === "repeat-last");
  const turns = withCallIds(woven.map(shared));
  return {
    format: 1,
    world,
    turns: fails ? [...turns, overloaded] : turns,
    afterTurns: repeats ? "repeat-last" : "end",
    ...circumstancesOf(world, moves, woven),
  };
}

const overloaded: ModelFailure = { kind: "failure", failure: "overloaded" };

function oneAfterAnother(moves: readonly Move[], joined: readonly boolean[]): readonly WovenTurn[] {
  const woven: WovenTurn[] = [];
  moves.forEach((move, index) => {
    for (const [place, turn] of move.turns.entries()) {
      const before = place === 0 && joined[index] === true ? woven.pop() : undefined;
      woven.push(before === undefined ? [[index, turn]] : [...before, [index, turn]]);
    }
  });
  return woven;
}

function inOneTurn(moves: readonly Move[]): readonly WovenTurn[] {
  const before: WovenTurn[] = [];
  const at: WovenTurn[number][] = [];
  const after: WovenTurn[] = [];
  moves.forEach(({ turns }, index) => {
    const calling = turns.findIndex((turn) => turn.proposals.some(({ kind }) => kind === "tool-call"));
    const middle = Math.max(0, calling);
    for (const [place, turn] of turns.entries()) {
      if (place === middle) at.push([index, turn]);
      else (place < middle ? before : after).push([[index, turn]]);
    }
  });
  return at.length === 0 ? [] : [...before, at, ...after];
}

function shared(parts: WovenTurn): DraftTurn {
  if (parts.length === 1) return parts[0]![1];
  const turns = parts.map(([, turn]) => turn);
  const stops = new Set(turns.map((turn) => turn.stop));
  const stop = stops.has("length") ? "length" : stops.has("tool-calls") ? "tool-calls" : "end";
  const failing = turns.flatMap((turn) => turn.failing ?? []);
  const proposals = turns.flatMap((turn) => turn.proposals);
  return failing.length === 0 ? { proposals, stop } : { proposals, stop, failing };
}

function withCallIds(drafts: readonly DraftTurn[]): readonly (Turn | ModelFailure)[] {
  const brought = broughtIds(drafts);
  const turns: (Turn | ModelFailure)[] = [];
  let minted = 0;
  for (const { proposals, stop, failing } of drafts) {
    if (failing !== undefined) for (const failure of failing) turns.push({ kind: "failure", failure });
    const identified: Proposal[] = [];
    for (const draft of proposals) {
      if (draft.kind === "text") identified.push(draft);
      else if (draft.callId !== undefined) identified.push(withId(draft, draft.callId));
      else {
        do minted += 1;
        while (brought?.has(`call-${minted}`) === true);
        identified.push(withId(draft, `call-${minted}`));
      }
    }
    turns.push({ proposals: identified, stop });
  }
  return turns;
}

function broughtIds(drafts: readonly DraftTurn[]): ReadonlySet<string> | undefined {
  let brought: Set<string> | undefined;
  for (const { proposals } of drafts) {
    for (const draft of proposals) {
      if (draft.kind === "text" || draft.callId === undefined) continue;
      brought ??= new Set();
      brought.add(draft.callId);
    }
  }
  return brought;
}

/** Written out member by member: thousands of scripts are woven, and a spread costs several times as much. */
function withId(draft: Exclude<Draft, { kind: "text" }>, callId: string): Proposal {
  if (draft.kind === "load-skill") return { kind: "load-skill", callId, skill: draft.skill };
  const { name, args, extra } = draft;
  return extra === undefined
    ? { kind: "tool-call", callId, name, args }
    : { kind: "tool-call", callId, name, args, extra };
}
