import type { Move, Setting } from "../src/contract/script-class.ts";
import type { JsonObject } from "../src/world/json.ts";
import { findTool } from "../src/world/world.ts";
import { argumentsFor } from "./arguments-for.ts";
import { callOf, turnOf } from "./draft.ts";
import { at } from "./pick.ts";

/** A call to a name that no tool declares, without arguments or with those of the first tool. */
export function undeclaredCall(name: string, setting: Setting, withArguments: boolean): Move {
  return { turns: [turnOf(callOf(name, withArguments ? plausible(setting) : {}))] };
}

/** The undeclared name at this position; `undefined` where the world declares them all. */
export function undeclaredAt(names: readonly string[], position: number, setting: Setting): string | undefined {
  const name = at(names, position);
  if (name === undefined || findTool(setting.world, name) === undefined) return name;
  return at(undeclaredAmong(names, setting), position);
}

export function undeclaredAmong(names: readonly string[], { world }: Setting): readonly string[] {
  return names.filter((name) => findTool(world, name) === undefined);
}

const guess: JsonObject = { id: "A-1" };

function plausible({ world }: Setting): JsonObject {
  for (const tool of world.tools) {
    const args = argumentsFor(tool.inputSchema).canonical.find((object) => Object.keys(object).length > 0);
    if (args !== undefined) return args;
  }
  return guess;
}
