import type { Json } from "../../src/world/json.ts";

/** Long outputs may be cut; what is left of them begins as they do. */
const LONG = 1_000;
const MOST_LEAVES = 200;

/**
 * Whether the text of a result holds what a handler returned: its text, or its JSON, however it is laid out or wrapped. Of an
 * object or a list each text and number has to be there. Iterative, since values nest deeper than the stack.
 *
 * @example
 * carries('{"result":{"weight":12}}', { weight: 12 }) // true
 */
export function carries(text: string, value: Json): boolean {
  const squeezed = squeeze(text);
  const pending: Json[] = [value];
  for (let leaves = 0; pending.length > 0 && leaves < MOST_LEAVES; ) {
    const next = pending.pop() as Json;
    if (next === null) continue;
    if (typeof next === "object") {
      for (const child of Object.values(next)) pending.push(child);
      continue;
    }
    leaves += 1;
    if (typeof next === "number" ? !holdsNumber(squeezed, next) : !holdsWords(squeezed, String(next))) return false;
  }
  return true;
}

function holdsWords(text: string, words: string): boolean {
  const cut = words.length > LONG ? words.slice(0, LONG / 5) : words;
  const once = JSON.stringify(cut).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  return [cut, once, twice].some((spelling) => text.includes(squeeze(spelling)));
}

function holdsNumber(text: string, value: number): boolean {
  const digits = String(value);
  for (let at = text.indexOf(digits); at >= 0; at = text.indexOf(digits, at + 1)) {
    if (!isDigit(text[at - 1]) && !isDigit(text[at + digits.length])) return true;
  }
  return false;
}

function isDigit(letter: string | undefined): boolean {
  return letter !== undefined && letter >= "0" && letter <= "9";
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
