import type { Behaviour } from "../src/contract/behaviour.ts";
import { harmlessBehaviour } from "../src/contract/behaviour.ts";
import type { Script } from "../src/contract/script.ts";
import type { Draft, DraftTurn, Move } from "../src/contract/script-class.ts";
import type { ModelFailure, Proposal, Turn } from "../src/contract/turn.ts";
import { type JsonObject, parseArguments } from "../src/world/json.ts";
import { decide } from "../src/world/policy.ts";
import { findTool, type World } from "../src/world/world.ts";
import { isOffered } from "./setting.ts";

export interface WeaveOptions {
  /** One turn holds the first calls of all moves; what they load first goes before it. */
  readonly together?: boolean;
  /** For each move, whether its first turn shares the last turn of the moves before it. */
  readonly joined?: readonly boolean[];
}

/**
 * Makes one script of several moves, one turn after another or in one turn. Call ids are "call-1", "call-2" and so on,
 * save those that a move brings; what handlers do follows the calls that are expected to run.
 *
 * @example
 * weave(world, [{ turns: [{ proposals: [{ kind: "tool-call", name: "lookup", args: "{}" }], stop: "tool-calls" }] }])
 */
export function weave(world: World, moves: readonly Move[], options: WeaveOptions = {}): Script {
  const turns = options.together === true ? inOneTurn(moves) : oneAfterAnother(moves, options.joined ?? []);
  const fails = moves.some((move) => move.afterTurns === "keep-failing");
  const repeats = fails || moves.some((move) => move.afterTurns === "repeat-last");
  return {
    format: 1,
    world,
    turns: fails ? [...withCallIds(turns), overloaded] : withCallIds(turns),
    afterTurns: repeats ? "repeat-last" : "end",
    handlers: handlersOf(world, moves),
    decisions: moves.flatMap((move) => move.decisions ?? []),
  };
}

const overloaded: ModelFailure = { kind: "failure", failure: "overloaded" };

function oneAfterAnother(moves: readonly Move[], joined: readonly boolean[]): readonly DraftTurn[] {
  const turns: DraftTurn[] = [];
  moves.forEach((move, index) => {
    const [first, ...rest] = move.turns;
    if (first === undefined) return;
    const last = joined[index] === true ? turns.pop() : undefined;
    turns.push(last === undefined ? first : shared([last, first]), ...rest);
  });
  return turns;
}

function inOneTurn(moves: readonly Move[]): readonly DraftTurn[] {
  const before: DraftTurn[] = [];
  const at: DraftTurn[] = [];
  const after: DraftTurn[] = [];
  for (const { turns } of moves) {
    const calling = turns.findIndex((turn) => turn.proposals.some(({ kind }) => kind === "tool-call"));
    const middle = Math.max(0, calling);
    before.push(...turns.slice(0, middle));
    at.push(...turns.slice(middle, middle + 1));
    after.push(...turns.slice(middle + 1));
  }
  return at.length === 0 ? [] : [...before, shared(at), ...after];
}

function shared(turns: readonly DraftTurn[]): DraftTurn {
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

/**
 * Behaviours are listed per invocation, so that those of one move must not fall to the calls of another: each call that
 * is expected to run takes one place, harmless where its move says nothing.
 */
function handlersOf(world: World, moves: readonly Move[]): Script["handlers"] {
  const places = new Map<string, Behaviour[]>();
  for (const { handlers } of moves)
    if (handlers !== undefined) for (const name of Object.keys(handlers)) places.set(name, []);
  if (places.size === 0) return {};
  const loaded = new Set<string>();
  for (const { turns, handlers = {} } of moves) {
    const expected = new Map<string, number>();
    for (const proposal of turns.flatMap((turn) => turn.proposals)) {
      if (proposal.kind === "load-skill") loaded.add(proposal.skill);
      else if (proposal.kind === "tool-call" && places.has(proposal.name) && isDue(world, proposal, loaded)) {
        expected.set(proposal.name, (expected.get(proposal.name) ?? 0) + 1);
      }
    }
    for (const [name, behaviours] of places) {
      const own = Object.hasOwn(handlers, name) ? handlers[name]! : [];
      const count = Math.max(expected.get(name) ?? 0, own.length);
      for (let place = 0; place < count; place += 1)
        behaviours.push(own[Math.min(place, own.length - 1)] ?? harmlessBehaviour);
    }
  }
  return Object.fromEntries(places);
}

const parsed = new Map<string, JsonObject | undefined>();
const most = 20_000;
const longest = 10_000;

/** The same few texts come again and again, and a text that can't be parsed costs an error each time. */
function argumentsIn(text: string): JsonObject | undefined {
  if (!text.startsWith("{") || !text.endsWith("}")) return undefined;
  if (!parsed.has(text)) {
    if (parsed.size >= most) parsed.clear();
    parsed.set(text, parseArguments(text));
  }
  return parsed.get(text);
}

function isDue(world: World, call: Extract<Draft, { kind: "tool-call" }>, loaded: ReadonlySet<string>): boolean {
  const tool = findTool(world, call.name);
  if (tool === undefined || !isOffered(tool, { loaded })) return false;
  // Whether anything this long runs is left to the harness, and reading it takes longer than all the rest.
  if (call.args.length > longest) return tool.permission === "allow";
  const args = argumentsIn(call.args);
  return args !== undefined && decide(tool.permission, args) === "allow";
}
