import type { Claims, Shape } from "../src/contract/harness.ts";
import { proposalsOf } from "../src/contract/script.ts";
import type { Move, ScriptClass } from "../src/contract/script-class.ts";
import type { ToolCall } from "../src/contract/turn.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import type { World } from "../src/world/world.ts";
import { movesOf } from "./laws.ts";
import { settingOf } from "./setting.ts";
import { canonicalWorlds } from "./small-world.ts";
import { weave } from "./weave.ts";

/** A call as it is met when its move is played: told from the world alone, not by what the class says of it. */
export interface PlayedCall {
  readonly call: ToolCall;
  readonly tool: ToolSpec | undefined;
  readonly offered: boolean;
  readonly world: World;
}

/** Every move of a class in every fixed world, each with its calls in order. */
export function playedCalls(entry: ScriptClass, claims: Claims, shape: Shape = {}): readonly (readonly PlayedCall[])[] {
  return canonicalWorlds(claims, shape).flatMap((world) => {
    const setting = settingOf(world, claims, shape);
    return entry.needs(setting) === undefined ? movesOf(entry, setting).map((move) => callsOf(world, move)) : [];
  });
}

function callsOf(world: World, move: Move): readonly PlayedCall[] {
  const loaded = new Set<string>();
  const calls: PlayedCall[] = [];
  for (const proposal of proposalsOf(weave(world, [move]))) {
    if (proposal.kind === "load-skill") loaded.add(proposal.skill);
    if (proposal.kind !== "tool-call") continue;
    const tool = world.tools.find(({ name }) => name === proposal.name);
    const offered =
      tool !== undefined &&
      (typeof tool.offered === "string" ? tool.offered === "always" : loaded.has(tool.offered.afterSkill));
    calls.push({ call: proposal, tool, offered, world });
  }
  return calls;
}
