import { argumentsFor } from "../../arbitraries/index.ts";
import type { Script } from "../contract/script.ts";
import { isModelFailure, type Proposal, type ToolCall } from "../contract/turn.ts";
import { satisfies } from "../world/input-schema.ts";
import { type JsonObject, parseArguments } from "../world/json.ts";
import { findTool, type World } from "../world/world.ts";
import { replacedTurn } from "./simplification.ts";

/** Arguments, fields beside them and texts, each towards the simplest that still fails. */
export function* withPlainProposals(script: Script): Iterable<Script> {
  for (const [index, turn] of script.turns.entries()) {
    if (isModelFailure(turn)) continue;
    for (const [position, proposal] of turn.proposals.entries()) {
      for (const plainer of plainerProposals(proposal, script.world)) {
        const proposals = turn.proposals.map((other, at) => (at === position ? plainer : other));
        yield { ...script, turns: replacedTurn(script.turns, index, { ...turn, proposals }) };
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
