import { classes, properties } from "../check/catalogues.ts";
import { print } from "./standard-output.ts";

/** `gatecrash list`: the rules and the classes of proposals, in the words of their own files, one line each. */
export function runList(): number {
  const width = Math.max(...[...properties, ...classes].map((entry) => entry.id.length)) + 2;
  const rules = properties.map(
    ({ id, level, rule }) => `${id.padEnd(width)}${level.toUpperCase().padEnd(8)}${onOneLine(rule)}`,
  );
  const ways = classes.map(({ id, kind, says }) => `${id.padEnd(width)}${kind.padEnd(10)}${onOneLine(says)}`);
  print(`${["Rules", ...rules, "", "What the model, the handlers and the human may do", ...ways].join("\n")}\n`);
  return 0;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
