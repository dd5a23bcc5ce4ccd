import type { Json } from "../../src/world/json.ts";

/** Long outputs may be cut, at their end, at their beginning or in the middle: so many of their letters are left at least. */
const LONG = 60;
const LEFT = 32;
const MOST_LEAVES = 200;

/**
 * Whether the text of a result holds what a handler returned: its text, or its JSON, however it is laid out, wrapped, marked or
 * escaped. Of an object or a list each text and number has to be there; of what is long, its beginning or its end. Iterative,
 * since values nest deeper than the stack.
 *
 * @example
 * carries('{"result":{"weight":12}}', { weight: 12 }) // true
 */
export function carries(text: string, value: Json): boolean {
  return carriesWhole(text, value) || carriesPart(text, value);
}

function carriesWhole(text: string, value: Json): boolean {
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

/** Whether the beginning or the end of what is long is there. */
function carriesPart(text: string, value: Json): boolean {
  const whole = typeof value === "string" ? value : jsonOf(value);
  // Text that is all signs has no letters to go by.
  return [lettersOf, squeeze].some((form) => {
    const long = form(whole);
    if (long.length <= LONG) return false;
    const left = form(text);
    return left.includes(long.slice(0, LEFT)) || left.includes(long.slice(-LEFT));
  });
}

/** What is nested deeper than the stack has no text. */
function jsonOf(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return "";
  }
}

function holdsWords(text: string, words: string): boolean {
  const once = JSON.stringify(words).slice(1, -1);
  const twice = JSON.stringify(once).slice(1, -1);
  if ([words, once, twice].some((spelling) => text.includes(squeeze(spelling)))) return true;
  // Escaped, quoted line by line, or marked between the words, so that a model does not take it for instructions.
  const letters = lettersOf(words);
  return letters !== "" && lettersOf(text).includes(letters);
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

const entities: { readonly [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'", nbsp: " " };

/** Letters and digits alone. */
function lettersOf(text: string): string {
  const decoded = text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
  return decoded.replaceAll(/[^\p{L}\p{N}]/gu, "");
}
