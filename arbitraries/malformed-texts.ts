import type { Shape } from "../src/contract/harness.ts";
import { parseArguments, parseJson } from "../src/world/json.ts";

const levels = 3000;

const fixed: readonly string[] = [
  "",
  "null",
  "[]",
  "{",
  "true",
  "false",
  "0",
  "1",
  '"text"',
  '""',
  "[null]",
  " ",
  "\n",
  "undefined",
  "NaN",
  "[object Object]",
  "{]",
  `${"[".repeat(levels)}${"]".repeat(levels)}`,
  `${'{"a":'.repeat(levels)}`,
];

const changes: readonly ((text: string) => string)[] = [
  (text) => text + text,
  (text) => `${text}\n${text}`,
  (text) => `{}${text}`,
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(JSON.stringify(text)),
  (text) => `[${text}]`,
  (text) => `[${text},${text}]`,
  (text) => `\`\`\`json\n${text}\n\`\`\``,
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `Here are the arguments: ${text}`,
  (text) => `${text} I hope this helps.`,
  (text) => `\uFEFF${text}`,
  (text) => `${text}}`,
  (text) => `{${text}`,
  (text) => `${text},`,
  (text) => `${text};`,
  (text) => `${text.slice(0, -1)},}`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll(/"(\w+)":/g, "$1:"),
  (text) => text.replaceAll(/:"([^"]*)"/g, ":“$1”"),
  (text) => text.replace('":"', '":"\n'),
  (text) => text.replace('":', '"='),
  (text) => `/* arguments */ ${text}`,
  (text) => `${text} // arguments`,
  (text) => `${text.slice(0, -1)}${text === "{}" ? "" : ","}"limit":NaN}`,
  (text) => `<arguments>${text}</arguments>`,
  (text) => `${text}\u0000`,
  (text) => encodeURIComponent(text),
];

/** Few that stand for the others, the most telling first: cut, empty, `null`, a list, doubled, double-encoded, fenced, deep. */
const telling: readonly ((text: string) => string)[] = [
  (text) => text.slice(0, -1),
  () => "",
  () => "null",
  () => "[]",
  (text) => text + text,
  (text) => JSON.stringify(text),
  (text) => `\`\`\`json\n${text}\n\`\`\``,
  (text) => `[${text}]`,
  () => fixed[fixed.length - 2]!,
];

/** Every text made from this one that is not one JSON object and that can reach the harness's parser. */
export const malformedTexts = known(everyText);

/** Those that stand for the others. */
export const tellingTexts = known((text, shape) =>
  reaching(
    telling.map((change) => change(text)),
    shape,
  ),
);

type Texts = (text: string, shape: Shape) => readonly string[];

/** The same few arguments are made malformed again and again. */
function known(make: Texts): Texts {
  const made = new Map<string, readonly string[]>();
  return (text, shape) => {
    const key = `${shape.argumentText} ${shape.emptyArguments} ${text}`;
    let found = made.get(key);
    if (found === undefined) {
      found = make(text, shape);
      made.set(key, found);
    }
    return found;
  };
}

function everyText(text: string, shape: Shape): readonly string[] {
  const cuts = Array.from({ length: text.length - 1 }, (_, end) => text.slice(0, end + 1));
  return reaching([...fixed, ...changes.map((change) => change(text)), ...cuts.reverse()], shape);
}

function reaching(
  texts: readonly string[],
  { argumentText = "raw", emptyArguments = "refused" }: Shape,
): readonly string[] {
  return [...new Set(texts)].filter((text) => {
    if (parseArguments(text) !== undefined) return false;
    // A harness that reads nothing as no arguments may read white space so, too.
    if (emptyArguments === "empty-object" && text.trim() === "") return false;
    return argumentText === "raw" || parseJson(text) !== undefined;
  });
}
