/**
 * A text as it may stand in a terminal or a file: control characters, escape sequences, and characters that hide or turn
 * what follows are spelled out. Names and arguments are what an adversary wrote, so nothing of theirs is printed raw.
 *
 * @example
 * visible("a\u001b[31m") // "a\\u001b[31m"
 */
export function visible(text: string): string {
  return text.replaceAll(unprintable, escaped);
}

/** The text as a JSON string that hides nothing: the same value when it is parsed. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replaceAll(unprintable, escaped);
}

/** A name or a text in quotes, shortened, with the characters spelled out that only look like others. */
export function quoted(text: string, limit = 160): string {
  const literal = stringLiteral(text);
  const foreign = lookalikes(text);
  return shortened(foreign === undefined ? literal : literal.replaceAll(foreign, escaped), limit);
}

/** The head and the tail of a long text, and how long it is. */
export function shortened(text: string, limit = 160): string {
  if (text.length <= limit) return text;
  const tail = Math.floor(limit / 4);
  const head = text.slice(0, limit - tail);
  return visible(`${head} ... ${text.length.toLocaleString("en")} characters ... ${text.slice(-tail)}`);
}

/** Lines of at most this width, broken at spaces; a longer word keeps a line of its own. */
export function wrapped(text: string, width = 100): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + word.length + 1 > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Lines of at most this width, broken at spaces or commas where there are any, else anywhere. All but the first are two narrower. */
export function folded(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let left = text;
  while (left.length > (lines.length === 0 ? width : width - 2)) {
    const most = lines.length === 0 ? width : width - 2;
    const seam = Math.max(left.lastIndexOf(" ", most), left.lastIndexOf(",", most - 1) + 1);
    const end = seam > most / 3 ? seam : most;
    lines.push(left.slice(0, end).trimEnd());
    left = left.slice(end).trimStart();
  }
  return [...lines, left];
}

/** A count with its noun: "1 proposal", "2,000 scripts". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Words joined as in a sentence: "a, b and c". */
export function listed(words: readonly string[], last = "and"): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** Controls, formats (bidirectional marks, zero-width characters), odd spaces, lone surrogates, private and unassigned ones. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}

/** Which characters of a text would be read as others: composed in another way, or Greek and Cyrillic among Latin ones. */
function lookalikes(text: string): RegExp | undefined {
  if (text.normalize("NFKC") !== text) return /\p{M}|[^\p{ASCII}\p{L}]|(?=[^\p{ASCII}])[\p{L}]/gu;
  if (/\p{Script=Latin}/u.test(text)) return /[\p{Script=Cyrillic}\p{Script=Greek}]/gu;
  return undefined;
}
