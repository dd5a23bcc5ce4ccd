import type { Behaviour } from "../contract/behaviour.ts";
import { jsonWords } from "./proposal-words.ts";
import { quoted } from "./visible-text.ts";

/**
 * What a scripted handler does, in words.
 *
 * @example
 * behaviourWords({ kind: "throw", message: "offline" }) // 'throws "offline"'
 */
export function behaviourWords(behaviour: Behaviour): string {
  switch (behaviour.kind) {
    case "return":
      return `returns ${jsonWords(behaviour.value)}`;
    case "echo":
      return "returns its arguments";
    case "throw":
      return `throws ${quoted(behaviour.message)}`;
    case "effect-then-throw":
      return `does its work, then throws ${quoted(behaviour.message)}`;
    case "slow":
      return `returns ${jsonWords(behaviour.value)}, late`;
    case "hang":
      return "never settles";
    case "mutate-arguments":
      return "changes its arguments";
    case "tamper":
      return `tampers with the tools (${behaviour.edit})`;
    case "throw-odd":
      return `throws ${oddWords(behaviour.value)}`;
    case "return-odd":
      return `returns ${oddWords(behaviour.value)}`;
  }
}

function oddWords(odd: string): string {
  if (odd === "null" || odd === "undefined") return odd;
  return `an odd value (${odd})`;
}
