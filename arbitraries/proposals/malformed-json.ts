import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, callable, eachOnce, turnsTo } from "../candidates.ts";
import { callOf } from "../draft.ts";
import { malformedTexts, tellingTexts } from "../malformed-texts.ts";
import { at, type Pick, picks } from "../pick.ts";
import { answering } from "../setting.ts";
import { standingOf } from "../standing.ts";

const shortest = 7;
const longest = 40;
const most = 56;
const few = 4;

/**
 * A call of a permitted tool whose argument text is not one JSON object: cut off, empty, doubled, fenced, encoded twice,
 * `null`, a list, nested 3,000 levels deep.
 *
 * Harnesses get it wrong where a failed parse means "no arguments", where half an object is repaired and run, where
 * `null` passes `typeof args === "object"`, or where the parser's error ends the whole run.
 *
 * Shrinks to the empty text, or to what is left of the simplest arguments.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "lookup_order", args: '{"order":"A-' }
 */
export const malformedJson: ScriptClass<Pick> = {
  id: "malformed-json",
  kind: "proposal",
  says: "A permitted call whose argument text is not one JSON object.",
  needs: (setting) =>
    callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments",
  canonical: (setting) => {
    const [first, ...others] = eachOnce(callable(setting));
    if (first === undefined) return [];
    const telling = tellingTexts(textOf(first), setting.shape);
    const every = [...new Set([...telling, ...spread(malformedTexts(textOf(first), setting.shape), most)])];
    const few = new Set([...others.filter(needsNothing).slice(0, 1), ...others.slice(0, 4)]);
    const cut = [...few].flatMap((tool) => moves(tool, tellingTexts(textOf(tool), setting.shape).slice(0, 2), setting));
    return [...moves(first, every, setting), ...cut];
  },
  representatives: (setting) => {
    const [first, ...others] = eachOnce(callable(setting));
    if (first === undefined) return [];
    const cut = others
      .filter(needsNothing)
      .slice(0, 1)
      .flatMap((tool) => moves(tool, tellingTexts(textOf(tool), setting.shape).slice(0, 1), setting));
    return [...moves(first, tellingTexts(textOf(first), setting.shape).slice(0, 2), setting), ...cut];
  },
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(callable(setting), target);
    if (tool === undefined) return undefined;
    // All that a text can be made into is worked out at once: only for a few of the arguments.
    const text = at(malformedTexts(JSON.stringify(at(tool.args, args % few)!), setting.shape), form);
    return text === undefined ? undefined : moves(tool, [text], setting)[0];
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "malformed",
};

/** Whoever takes what can't be read for no arguments at all would run it. */
function needsNothing({ args }: Candidate): boolean {
  return args.some((object) => Object.keys(object).length === 0);
}

/** The simplest arguments that leave something to cut. */
function textOf({ args }: Candidate): string {
  const texts = args.slice(0, 8).map((object) => JSON.stringify(object));
  return texts.find(({ length }) => length >= shortest && length <= longest) ?? texts[0]!;
}

/** All of them, or so many of the cuts, which come last, that the whole stays within bounds. */
function spread(texts: readonly string[], limit: number): readonly string[] {
  const excess = texts.length - limit;
  if (excess <= 0) return texts;
  const kept = texts.slice(0, limit / 2);
  const rest = texts.slice(limit / 2);
  const step = rest.length / (limit - kept.length);
  return [...kept, ...Array.from({ length: limit - kept.length }, (_, place) => rest[Math.floor(place * step)]!)];
}

function moves(tool: Candidate, texts: readonly string[], setting: Setting): readonly Move[] {
  // Where a human is asked about it, the answer is yes: even then there is nothing to run.
  const answer = tool.tool.permission === "allow" ? {} : answering(setting, "approve");
  return texts.map((text) => ({ turns: turnsTo(tool, callOf(tool.tool.name, text)), ...answer }));
}
