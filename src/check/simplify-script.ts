import { argumentsFor } from "../../arbitraries/index.ts";
import { type Behaviour, harmlessBehaviour } from "../contract/behaviour.ts";
import { proposalsOf, type Script } from "../contract/script.ts";
import { isModelFailure, type ModelFailure, type Proposal, type ToolCall, type Turn } from "../contract/turn.ts";
import { turnsAllowed } from "../world/budget.ts";
import { satisfies } from "../world/input-schema.ts";
import { type JsonObject, parseArguments } from "../world/json.ts";
import { findTool, type World } from "../world/world.ts";

/** Gives simpler scripts, the boldest first. Each is strictly simpler than the given one, so that the search ends. */
export type Simplification = (script: Script, guiltyTurn: number) => Iterable<Script>;

type Turns = Script["turns"];

function* withoutWhatFollows(script: Script, guiltyTurn: number): Iterable<Script> {
  // A failure of the model's request is no step: it does not count among the turns served.
  let served = -1;
  const cut = script.turns.findIndex((turn) => !isModelFailure(turn) && ++served === guiltyTurn) + 1;
  if (cut > 0 && cut < script.turns.length) yield { ...script, turns: script.turns.slice(0, cut), afterTurns: "end" };
  if (script.afterTurns === "repeat-last") yield { ...script, afterTurns: "end" };
}

/** Runs of turns first, halves, quarters, and so on down to single turns, from the back. */
function* withoutTurns(script: Script): Iterable<Script> {
  const { turns } = script;
  for (let width = turns.length; width >= 1; width = Math.floor(width / 2)) {
    for (let end = turns.length; end - width >= 0; end -= width) {
      yield { ...script, turns: [...turns.slice(0, end - width), ...turns.slice(end)] };
    }
  }
}

function* withoutProposals(script: Script): Iterable<Script> {
  for (const [index, turn] of [...script.turns.entries()].reverse()) {
    if (isModelFailure(turn)) continue;
    for (let position = turn.proposals.length - 1; position >= 0; position -= 1) {
      const proposals = turn.proposals.filter((_, at) => at !== position);
      yield { ...script, turns: replaced(script.turns, index, { ...turn, proposals }) };
    }
  }
}

function* withoutCircumstances(script: Script): Iterable<Script> {
  if (script.before !== undefined) yield omit(script, "before");
  if (script.beside !== undefined) yield omit(omit(script, "beside"), "schedule");
  for (const key of ["before", "beside"] as const) {
    const runs = script[key] ?? [];
    if (runs.length > 1) yield* runs.map((_, at) => ({ ...script, [key]: runs.filter((_run, index) => index !== at) }));
    for (const [at, run] of runs.entries()) {
      for (const simpler of [...withoutTurns(run), ...withoutProposals(run)]) {
        yield { ...script, [key]: runs.map((other, index) => (index === at ? simpler : other)) };
      }
    }
  }
  if (script.abort !== undefined) yield omit(script, "abort");
  if (script.modelEditsInput !== undefined) yield omit(script, "modelEditsInput");
  if (script.beside === undefined && script.schedule !== undefined) yield omit(script, "schedule");
}

function* withPlainStops(script: Script): Iterable<Script> {
  for (const [index, turn] of script.turns.entries()) {
    if (isModelFailure(turn) || turn.stop === "tool-calls" || turn.proposals.every(({ kind }) => kind === "text"))
      continue;
    yield { ...script, turns: replaced(script.turns, index, { ...turn, stop: "tool-calls" }) };
  }
}

/** Arguments, fields beside them and texts, each towards the simplest that still fails. */
function* withPlainProposals(script: Script): Iterable<Script> {
  for (const [index, turn] of script.turns.entries()) {
    if (isModelFailure(turn)) continue;
    for (const [position, proposal] of turn.proposals.entries()) {
      for (const plainer of plainerProposals(proposal, script.world)) {
        const proposals = turn.proposals.map((other, at) => (at === position ? plainer : other));
        yield { ...script, turns: replaced(script.turns, index, { ...turn, proposals }) };
      }
    }
  }
}

function* plainerProposals(proposal: Proposal, world: World): Iterable<Proposal> {
  if (proposal.kind === "text" && proposal.text !== "") yield { kind: "text", text: "" };
  if (proposal.kind !== "tool-call") return;
  if (proposal.extra !== undefined) {
    const { extra, ...bare } = proposal;
    yield bare;
    const keys = Object.keys(extra);
    for (const key of keys.length > 1 ? keys : []) {
      yield { ...bare, extra: Object.fromEntries(Object.entries(extra).filter(([name]) => name !== key)) };
    }
  }
  for (const args of plainerArguments(proposal, world)) yield { ...proposal, args };
}

/** Valid arguments stay valid: what a real model would send reads best. Others may become anything shorter. */
function* plainerArguments(call: ToolCall, world: World): Iterable<string> {
  const schema = findTool(world, call.name)?.inputSchema;
  const valid =
    schema === undefined
      ? []
      : argumentsFor(schema)
          .canonical.slice(0, 2)
          .map((args) => JSON.stringify(args));
  const parsed = parseArguments(call.args);
  const keepValid = schema !== undefined && parsed !== undefined && satisfies(schema, parsed);
  const shorter = [...valid, ...shorterTexts(call.args, parsed)].filter((args) => args.length < call.args.length);
  for (const args of shorter) {
    if (!keepValid || satisfies(schema, parseArguments(args))) yield args;
  }
}

function* shorterTexts(args: string, parsed: JsonObject | undefined): Iterable<string> {
  yield* ["{}", "null", "[]", "{", ""];
  for (const key of Object.keys(parsed ?? {})) {
    const { [key]: _dropped, ...rest } = parsed ?? {};
    const text = writtenOut(rest);
    if (text !== undefined) yield text;
  }
  yield args.slice(0, Math.floor(args.length / 2));
  if (args.length <= 64) yield args.slice(0, -1);
}

/** `undefined` where it nests deeper than the stack is. */
function writtenOut(value: JsonObject): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function* withPlainHandlers(script: Script): Iterable<Script> {
  const { handlers } = script;
  for (const tool of Object.keys(handlers)) {
    const { [tool]: behaviours = [], ...rest } = handlers;
    yield { ...script, handlers: rest };
    if (behaviours.length > 1) {
      for (const at of behaviours.keys()) {
        yield { ...script, handlers: { ...rest, [tool]: behaviours.filter((_, index) => index !== at) } };
      }
    }
    for (const [at, behaviour] of behaviours.entries()) {
      for (const plainer of plainerBehaviours(behaviour)) {
        yield {
          ...script,
          handlers: { ...rest, [tool]: behaviours.map((other, index) => (index === at ? plainer : other)) },
        };
      }
    }
  }
  for (const at of script.decisions.keys()) {
    yield { ...script, decisions: script.decisions.filter((_, index) => index !== at) };
  }
}

function* plainerBehaviours(behaviour: Behaviour): Iterable<Behaviour> {
  const length = JSON.stringify(behaviour).length;
  const plainer: readonly Behaviour[] = [harmlessBehaviour, { kind: "throw", message: "failed" }];
  yield* plainer.filter((other) => JSON.stringify(other).length < length);
}

/** Only for generated worlds: a user's own world stays as it is. */
function* withSmallerWorld(script: Script): Iterable<Script> {
  const { world } = script;
  const named = new Set(
    proposalsOf(script).map((proposal) => (proposal.kind === "tool-call" ? proposal.name : undefined)),
  );
  const unnamed = world.tools.filter((tool) => !named.has(tool.name));
  if (unnamed.length > 1)
    yield inWorld(script, { ...world, tools: world.tools.filter((tool) => named.has(tool.name)) });
  for (const tool of unnamed) yield inWorld(script, { ...world, tools: world.tools.filter((other) => other !== tool) });
  for (const tool of world.tools.filter(({ offered }) => typeof offered === "object")) {
    // A load that only opens a tool can go once the tool is always offered.
    const opened = { ...tool, offered: "always" } as const;
    yield inWorld(script, { ...world, tools: world.tools.map((other) => (other === tool ? opened : other)) });
  }
  const used = new Set(
    world.tools.flatMap((tool) => (typeof tool.offered === "object" ? [tool.offered.afterSkill] : [])),
  );
  for (const skill of world.skills.filter((name) => !used.has(name))) {
    yield inWorld(script, { ...world, skills: world.skills.filter((other) => other !== skill) });
  }
  const allowed = turnsAllowed(world.maxSteps);
  for (let maxSteps = 1; maxSteps < allowed; maxSteps += 1) yield inWorld(script, { ...world, maxSteps });
}

/** Last, since it makes a script longer: one proposal in each turn reads best. */
function* withOneProposalPerTurn(script: Script): Iterable<Script> {
  for (const [index, turn] of script.turns.entries()) {
    if (isModelFailure(turn) || turn.proposals.length < 2) continue;
    const single = turn.proposals.map((proposal): Turn => ({ stop: turn.stop, proposals: [proposal] }));
    yield { ...script, turns: [...script.turns.slice(0, index), ...single, ...script.turns.slice(index + 1)] };
  }
}

function inWorld(script: Script, world: World): Script {
  const declared = new Set(world.tools.map((tool) => tool.name));
  const handlers = Object.fromEntries(Object.entries(script.handlers).filter(([tool]) => declared.has(tool)));
  return { ...script, world, handlers };
}

function replaced(turns: Turns, index: number, turn: Turn | ModelFailure): Turns {
  return turns.map((other, at) => (at === index ? turn : other));
}

function omit<Key extends keyof Script>(script: Script, key: Key): Script {
  const { [key]: _omitted, ...rest } = script;
  return rest as Script;
}

/** In the order in which they are tried. A harness's own world is never changed. */
export function simplificationsFor(worldIsFixed: boolean): readonly Simplification[] {
  return [
    withoutWhatFollows,
    withoutTurns,
    withoutProposals,
    withoutCircumstances,
    withPlainHandlers,
    withPlainProposals,
    withPlainStops,
    ...(worldIsFixed ? [] : [withSmallerWorld]),
    withOneProposalPerTurn,
  ];
}
