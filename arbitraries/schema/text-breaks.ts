import type { JsonSchema } from "../../src/world/input-schema.ts";
import type { Break } from "./values.ts";

const longest = 20_000;

/** Texts that are too short, too long, or almost match the pattern. Formats are left alone: the validator does not judge them. */
export function textBreaks(schema: JsonSchema, value: string): readonly Break[] {
  const letters = [...value];
  const least = typeof schema.minLength === "number" ? schema.minLength : 0;
  const limit = typeof schema.maxLength === "number" ? schema.maxLength : Infinity;
  const pattern = typeof schema.pattern === "string" ? expression(schema.pattern) : undefined;
  const isMatch = (text: string) => pattern === undefined || pattern.test(text);
  const found: Break[] = [];
  const short = letters.slice(0, Math.max(0, least - 1)).join("");
  if (least > 0 && isMatch(short)) found.push(["minLength", short]);
  const long = limit < longest ? value.padEnd(limit + 1 + value.length - letters.length, letters.at(-1) ?? "a") : value;
  if (limit < longest && isMatch(long)) found.push(["maxLength", long]);
  if (pattern === undefined) return found;
  const near = [`${value} `, `!${value}`, value.slice(1), `${value}\n`, value.slice(0, -1), "", "text", "1"];
  const fitting = near.filter((text) => {
    const { length } = [...text];
    return length >= least && length <= limit && !isMatch(text);
  });
  return [...found, ...[...new Set(fitting)].slice(0, 2).map((text): Break => ["pattern", text])];
}

function expression(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
}
