import type { Script } from "../contract/script.ts";
import { isModelFailure, type Turn } from "../contract/turn.ts";
import { replacedTurn } from "./simplification.ts";

export function* withoutWhatFollows(script: Script, guiltyTurn: number): Iterable<Script> {
  // A failure of the model's request is no step: it does not count among the turns served.
  let served = -1;
  const cut = script.turns.findIndex((turn) => !isModelFailure(turn) && ++served === guiltyTurn) + 1;
  if (cut > 0 && cut < script.turns.length) yield { ...script, turns: script.turns.slice(0, cut), afterTurns: "end" };
  if (script.afterTurns === "repeat-last") yield { ...script, afterTurns: "end" };
}

/** Runs of turns first, halves, quarters, and so on down to single turns, from the back. */
export function* withoutTurns(script: Script): Iterable<Script> {
  const { turns } = script;
  for (let width = turns.length; width >= 1; width = Math.floor(width / 2)) {
    for (let end = turns.length; end - width >= 0; end -= width) {
      yield { ...script, turns: [...turns.slice(0, end - width), ...turns.slice(end)] };
    }
  }
}

export function* withoutProposals(script: Script): Iterable<Script> {
  for (const [index, turn] of [...script.turns.entries()].reverse()) {
    if (isModelFailure(turn)) continue;
    for (let position = turn.proposals.length - 1; position >= 0; position -= 1) {
      const proposals = turn.proposals.filter((_, at) => at !== position);
      yield { ...script, turns: replacedTurn(script.turns, index, { ...turn, proposals }) };
    }
  }
}

export function* withPlainStops(script: Script): Iterable<Script> {
  for (const [index, turn] of script.turns.entries()) {
    if (isModelFailure(turn) || turn.stop === "tool-calls" || turn.proposals.every(({ kind }) => kind === "text"))
      continue;
    yield { ...script, turns: replacedTurn(script.turns, index, { ...turn, stop: "tool-calls" }) };
  }
}

/** A turn that comes twice is one turn, repeated: it is written once. */
export function* withLastTurnRepeated(script: Script): Iterable<Script> {
  const [before, last] = script.turns.slice(-2);
  if (before === undefined || last === undefined || script.afterTurns === "repeat-last") return;
  if (isModelFailure(before) || isModelFailure(last)) return;
  const repeats = (turn: Turn): string => JSON.stringify(turn, (key, value) => (key === "callId" ? undefined : value));
  if (last.proposals.length === 0 || repeats(before) !== repeats(last)) return;
  yield { ...script, turns: script.turns.slice(0, -1), afterTurns: "repeat-last" };
}

/** Last, since it makes a script longer: one proposal in each turn reads best. */
export function* withOneProposalPerTurn(script: Script): Iterable<Script> {
  for (const [index, turn] of script.turns.entries()) {
    if (isModelFailure(turn) || turn.proposals.length < 2) continue;
    const single = turn.proposals.map((proposal): Turn => ({ stop: turn.stop, proposals: [proposal] }));
    yield { ...script, turns: [...script.turns.slice(0, index), ...single, ...script.turns.slice(index + 1)] };
  }
}
