import type { ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { callsWith } from "../callable-moves.ts";
import { type Candidate, callable } from "../candidates.ts";
import { at, type Pick, picks } from "../pick.ts";
import { longestPlainText, standingOf } from "../standing.ts";

const large = 1_000_000;
const levels = 3_000;

const sizes: readonly (() => string)[] = [
  () => JSON.stringify("x".repeat(longestPlainText)),
  () => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
  () => JSON.stringify("x".repeat(large)),
  () => JSON.stringify("\u{1F600}\n".repeat(longestPlainText / 2)),
  () => `[${"0,".repeat(longestPlainText / 2)}0]`,
  () => `${"[".repeat(2 * levels)}${"]".repeat(2 * levels)}`,
];
const texts = new Map<number, string>();

function written(size: number): string {
  const text = texts.get(size) ?? sizes[size]!();
  texts.set(size, text);
  return text;
}

const cheap = [0, 1, 3, 4, 5];

/**
 * Arguments far larger or deeper than any model writes: a megabyte of text, thousands of levels. One JSON object all the
 * same, so that a harness may run it or refuse it, and must live on.
 *
 * Harnesses get it wrong where arguments are walked by a recursive function, copied at every step, or put into a pattern
 * that never comes to an end.
 *
 * Shrinks to a text field of ten thousand letters.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "lookup_order", args: '{"order":"A-1","note":"xxxxxxxx..."}' }
 */
export const oversizedArguments: ScriptClass<Pick> = {
  id: "oversized-arguments",
  kind: "proposal",
  says: "Arguments of a megabyte, or nested thousands of levels deep.",
  needs: (setting) =>
    callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments",
  canonical: (setting) => {
    const [first] = callable(setting);
    return first === undefined
      ? []
      : callsWith(
          first,
          [0, 1, 2].map((size) => textOf(first, size)),
          setting,
        );
  },
  // Dear to play, and what stands beside it changes nothing.
  representatives: () => [],
  data: picks,
  resolve: ({ target, form, args }, setting: Setting) => {
    const tool = at(callable(setting), target);
    // The largest takes a hundred times as long as any other script.
    const size = form % 48 === 47 ? 2 : at(cheap, form)!;
    return tool === undefined ? undefined : callsWith(tool, [textOf(tool, size, args)], setting)[0];
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "oversized",
};

/** In a field that the tool may ignore; where it takes no other fields the arguments are not valid either. */
function textOf(target: Candidate, size: number, place = 0): string {
  const rest = JSON.stringify(at(target.args, place)!).slice(0, -1);
  return `${rest}${rest === "{" ? "" : ","}"note":${written(size)}}`;
}
