import type { Decision } from "../src/contract/script.ts";
import type { Draft, Move, Setting } from "../src/contract/script-class.ts";
import { type Candidate, turnsTo } from "./candidates.ts";
import { callOf, turnOf } from "./draft.ts";
import { answering } from "./setting.ts";

/** Calls of a tool that is due to run or to be asked about, one for each argument text, each in a move of its own. */
export function callsWith(
  target: Candidate,
  texts: readonly string[],
  setting: Setting,
  decision: Decision = "approve",
): readonly Move[] {
  return texts.map((text) => ({
    turns: turnsTo(target, callOf(target.tool.name, text)),
    ...answerTo(target, setting, decision),
  }));
}

/** What the human says, where one is asked about this tool at all. */
export function answerTo(target: Candidate, setting: Setting, decision: Decision, times = 1): Pick<Move, "decisions"> {
  return target.tool.permission === "allow" ? {} : answering(setting, decision, times);
}

/** The calls of one tool, one turn each, after its skill was loaded. */
export function oneByOne(target: Candidate, ...calls: readonly Draft[]): Move["turns"] {
  const [first, ...others] = calls;
  return first === undefined ? [] : [...turnsTo(target, first), ...others.map((call) => turnOf(call))];
}
