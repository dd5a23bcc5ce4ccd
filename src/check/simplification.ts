import type { Script } from "../contract/script.ts";
import type { ModelFailure, Turn } from "../contract/turn.ts";

/** Gives simpler scripts, the boldest first. Each is strictly simpler than the given one, so that the search ends. */
export type Simplification = (script: Script, guiltyTurn: number) => Iterable<Script>;

export function replacedTurn(turns: Script["turns"], index: number, turn: Turn | ModelFailure): Script["turns"] {
  return turns.map((other, at) => (at === index ? turn : other));
}

export function omit<Key extends keyof Script>(script: Script, key: Key): Script {
  const { [key]: _omitted, ...rest } = script;
  return rest as Script;
}
