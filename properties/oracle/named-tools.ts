import type { World } from "../../src/world/world.ts";

const SHORTEST = 3;
const letter = /[\p{L}\p{N}_-]/u;
const quotes = "\"'`\u201C\u201D\u2018\u2019";

/**
 * Whether a text names a tool. A word that may as well be an ordinary one ("send", "name") counts only where it stands in quotes
 * or in a list; names of fields and of skills do not count at all, since refusals speak of them.
 *
 * @example
 * namesTool('Did you mean "purge_ledger"?', "purge_ledger", world) // true
 */
export function namesTool(text: string, name: string, world: World): boolean {
  if (name.length < SHORTEST || !text.includes(name)) return false;
  if (name in Object.prototype || world.skills.includes(name) || isField(name, world)) return false;
  const isOrdinary = /^[a-zA-Z]?[a-z]*$/.test(name) || /^[A-Z]+$/.test(name) || /^[-\d.]+$/.test(name);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1] ?? "";
    const after = text[at + name.length] ?? "";
    if (letter.test(before) || letter.test(after)) continue;
    if (!isOrdinary || (quotes.includes(before || " ") && quotes.includes(after || " "))) return true;
    if (/[,:([]\s*$/.test(text.slice(0, at)) && /^\s*([,)\].;?]|$)/.test(text.slice(at + name.length))) return true;
  }
  return false;
}

/** Whether a name stands in a text as a word of its own, in whatever case. */
export function hasWord(text: string, name: string): boolean {
  const folded = text.toLowerCase();
  const word = name.toLowerCase();
  for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
    if (!letter.test(folded[at - 1] ?? "") && !letter.test(folded[at + word.length] ?? "")) return true;
  }
  return false;
}

function isField(name: string, { tools }: World): boolean {
  const key = JSON.stringify(name);
  return tools.some(({ inputSchema }) => JSON.stringify(inputSchema).includes(key));
}
