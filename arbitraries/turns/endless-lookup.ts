import type { DraftTurn, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { hidden, reachable, turnsTo } from "../candidates.ts";
import { callOf, loadOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { remembered } from "../remembered.ts";
import { answering } from "../setting.ts";

/**
 * A model that never comes to an end: the same cheap turn again and again, be it an allowed call, a refused one, a load,
 * a made-up name, half an object, a call that fails, or a turn that asks for nothing.
 *
 * Harnesses get it wrong where only turns that ran a tool are counted, where a refusal or a failure is tried again
 * without counting, or where the count starts again at a load or an approval.
 *
 * Shrinks to the first allowed tool's call, repeated.
 *
 * @example
 * { turns: [{ proposals: [{ kind: "tool-call", name: "lookup_order", args: "{}" }], stop: "tool-calls" }], afterTurns: "repeat-last" }
 */
export const endlessLookup: ScriptClass<Pick> = {
  id: "endless-lookup",
  kind: "turn",
  says: "The same turn again and again, for ever.",
  needs: ({ shape }) => (shape.loop === "none" ? "the harness has no loop of its own" : undefined),
  canonical: (setting) => endless(setting),
  representatives: (setting) => {
    if (setting.shape.loop === "none") return [];
    const [first] = lookups(setting);
    return first === undefined ? endless(setting).slice(-3, -2) : [first];
  },
  data: picks,
  resolve: ({ target }, setting) => at(endless(setting), target),
  isOne: () => false,
};

function repeated(turns: readonly DraftTurn[], circumstances: Partial<Move> = {}): Move {
  return { turns, ...circumstances, afterTurns: "repeat-last" };
}

const endless = remembered((setting: Setting): readonly Move[] => everyMove(setting));

function everyMove(setting: Setting): readonly Move[] {
  if (setting.shape.loop === "none") return [];
  const [denied] = reachable(setting, "deny");
  const [gone] = hidden(setting);
  const { world, claims, shape } = setting;
  const moves = [...lookups(setting), ...asked(setting)];
  for (const candidate of [denied, gone]) {
    if (candidate === undefined) continue;
    moves.push(repeated(turnsTo(candidate, callOf(candidate.tool.name, candidate.args[0]!))));
  }
  if (claims.hiddenTools === "by-skill") {
    for (const skill of [...world.skills.slice(0, 1), "no-such-skill"]) moves.push(repeated([turnOf(loadOf(skill))]));
  }
  const cheapest = world.tools[0]?.name ?? "no_such_tool";
  moves.push(repeated([turnOf(callOf(cheapest, shape.argumentText === "parsed" ? "null" : "{"))]));
  moves.push(repeated([turnOf(callOf("no_such_tool", {}))]));
  moves.push(repeated([turnOf({ kind: "text", text: "Let me think about it." })]));
  moves.push(repeated([turnOf()]));
  return moves;
}

/** An allowed call, and one that fails each time; where a skill is loaded for it, the call alone is repeated. */
function lookups(setting: Setting): Move[] {
  return reachable(setting, "allow")
    .slice(0, 3)
    .flatMap((candidate, index) => {
      const { name } = candidate.tool;
      const turns = turnsTo(candidate, callOf(name, candidate.args[0]!));
      const failing = repeated(turns, { handlers: { [name]: [{ kind: "throw", message: "The service is down." }] } });
      return index === 0 ? [repeated(turns), failing] : [repeated(turns)];
    });
}

function asked(setting: Setting): readonly Move[] {
  const [candidate] = reachable(setting, "ask");
  if (candidate === undefined) return [];
  const turns = turnsTo(candidate, callOf(candidate.tool.name, candidate.args[0]!));
  if (setting.claims.approvals !== "asked") return [repeated(turns)];
  return (["approve", "deny"] as const).map((decision) => repeated(turns, answering(setting, decision)));
}
