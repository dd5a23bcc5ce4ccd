import type { World } from "../src/world/world.ts";
import { inheritedNames } from "./inherited-names.ts";

const cut = 64;
const wide = 0xfee0;

/** The more telling first: case, space around, cut off, written on, other separators, what the eye does not see. */
const changes: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => `${name} `,
  (name) => name.slice(0, -1),
  (name) => `${name}s`,
  (name) => `${name}\u200B`,
  (name) => name.replace(/[a-z]/i, (letter) => String.fromCharCode(letter.charCodeAt(0) + wide)),
  (name) => name.replaceAll(/[_-]/g, (dash) => (dash === "_" ? "-" : "_")),
  (name) => name.replaceAll("_", "."),
  (name) => ` ${name}`,
  (name) => `${name}\n`,
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
  (name) => name.replaceAll(/[_-](\w)/g, (_, letter: string) => letter.toUpperCase()),
  (name) => name.replaceAll(/[_-]/g, ""),
  (name) => name.toLowerCase(),
  (name) => `\t${name}`,
  (name) => `${name}\u00A0`,
  (name) => `\uFEFF${name}`,
  (name) => `${name.slice(0, 1)}\u200D${name.slice(1)}`,
  (name) => `${name.slice(0, 2)}\u00AD${name.slice(2)}`,
  (name) => `${name}\u0000`,
  (name) => name.replace("a", "\u0430"),
  (name) => name.replace("o", "\u043E"),
  (name) => name.replace("e", "e\u0301"),
  (name) => name.replace("fi", "\uFB01"),
  (name) => name.replace("i", "\u0131"),
  (name) => name.normalize("NFC"),
  (name) => name.normalize("NFD"),
  (name) => name.normalize("NFKC"),
  (name) => name.split(/[_\-./:]/)[0]!,
  (name) => name.slice(1),
  (name) => `${name}_v2`,
  (name) => `functions.${name}`,
  (name) => `default_api:${name}`,
  (name) => `mcp__tools__${name}`,
  (name) => `${name}()`,
  (name) => `"${name}"`,
  (name) => name.slice(0, cut),
  (name) => name.padEnd(cut, "_"),
  (name) => `${name.padEnd(cut, "_")}_`,
];

const known = new Map<string, readonly string[]>();
const most = 5000;

/** Names that are not this one, but that a lookup which folds, trims, cuts or guesses takes for it. */
export function lookalikesOf(name: string): readonly string[] {
  let found = known.get(name);
  if (found === undefined) {
    const all = new Set(changes.map((change) => change(name)));
    found = [...all].filter((other) => other !== name && other !== "" && !inheritedNames.includes(other));
    if (known.size >= most) known.clear();
    known.set(name, found);
  }
  return found;
}

/** Whether a name looks like one that the world declares. */
export function isLookalike(name: string, { tools }: World): boolean {
  return tools.some((tool) => lookalikesOf(tool.name).includes(name));
}
