import { badArgument, validArgument } from "../contract/valid-argument.ts";
import { UsageError } from "../errors.ts";

/** How a text protocol spells a proposal: the keys of its objects, and the words that tell the kinds apart. */
export interface Spelling {
  readonly keys: {
    readonly type: string;
    readonly tool: string;
    readonly args: string;
    /** `false`: the protocol has no call ids. */
    readonly id: string | false;
    readonly skill: string;
    readonly text: string;
  };
  readonly words: {
    readonly tool: string;
    readonly loadSkill: string;
    readonly answer: string;
  };
}

/** The parts of a spelling that differ from the usual one. */
export interface SpellingChanges {
  readonly keys?: Partial<Spelling["keys"]>;
  readonly words?: Partial<Spelling["words"]>;
}

export const usualSpelling: Spelling = {
  keys: { type: "type", tool: "tool", args: "args", id: "id", skill: "skill", text: "text" },
  words: { tool: "tool", loadSkill: "load_skill", answer: "answer" },
};

/**
 * A spelling with some keys and words changed.
 *
 * @throws UsageError `bad-argument` where there is no such key or word, `unclear-spelling` where two keys of one object, or two
 * words, would be the same.
 */
export function respell(spelling: Spelling, changes: SpellingChanges): Spelling {
  const please = 'give `keys` and `words`, as in `{ keys: { tool: "action" } }`';
  expectKnown(changes, { of: "spelledAs", is: "the spelling", please }, ["keys", "words"]);
  for (const part of ["keys", "words"] as const) {
    if (changes[part] === undefined) continue;
    const known = Object.keys(spelling[part]);
    expectKnown(changes[part], { of: "spelledAs", is: `\`${part}\``, please: `use ${known.join(", ")} only` }, known);
  }
  const keys = { ...spelling.keys, ...changes.keys };
  const words = { ...spelling.words, ...changes.words };
  const objects: readonly (keyof Spelling["keys"])[][] = [
    ["type", "tool", "args", "id"],
    ["type", "skill", "id"],
    ["type", "text"],
  ];
  for (const object of objects) {
    expectDistinct(
      "keys",
      object.flatMap((key) => (keys[key] === false ? [] : [keys[key]])),
    );
  }
  expectDistinct("words", [words.tool, words.loadSkill, words.answer]);
  return { keys, words };
}

function expectKnown(value: object, argument: Parameters<typeof validArgument>[1], known: readonly string[]): void {
  validArgument(value, argument);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw badArgument(argument, "made of known names", unknown);
}

function expectDistinct(what: "keys" | "words", spelled: readonly unknown[]): void {
  const clear = spelled.every((item) => typeof item === "string") && new Set(spelled).size === spelled.length;
  if (clear) return;
  throw new UsageError(
    "unclear-spelling",
    `Expected the ${what} of one object to be different texts, got ${JSON.stringify(spelled)}. Do give each of them its own spelling.`,
    { what, spelled },
  );
}
