import { stringLiteral } from "./visible-text.ts";

/**
 * A value as JSON on one line, cut after about `limit` characters. Iterative, since arguments nest deeper than the stack.
 *
 * @example
 * compactJson({ order: "A-1" }) // '{"order":"A-1"}'
 */
export function compactJson(value: unknown, limit = Number.POSITIVE_INFINITY): string {
  const pieces: string[] = [];
  const pending: Piece[] = [{ value }];
  let length = 0;
  for (let next = pending.pop(); next !== undefined && length <= limit; next = pending.pop()) {
    const written = "text" in next ? next.text : open(next.value, pending);
    pieces.push(written);
    length += written.length;
  }
  return pieces.join("");
}

/** A value as JSON, indented to a depth that people read; what is deeper stands on one line, or it would be mostly spaces. */
export function indentedJson(value: unknown, depth = 10, indent = ""): string {
  if (typeof value !== "object" || value === null || depth === 0) return compactJson(value);
  const inner = `${indent}  `;
  const isArray = Array.isArray(value);
  const lines = isArray
    ? value.map((item) => inner + indentedJson(item, depth - 1, inner))
    : entriesOf(value).map(([key, item]) => `${inner}${stringLiteral(key)}: ${indentedJson(item, depth - 1, inner)}`);
  const [left, right] = isArray ? ["[", "]"] : ["{", "}"];
  return lines.length === 0 ? left + right : `${left}\n${lines.join(",\n")}\n${indent}${right}`;
}

/** The own entries of an object that JSON keeps. */
export function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}

type Piece = { readonly text: string } | { readonly value: unknown };

/** Writes a scalar, or the opening bracket of a value whose parts it leaves for later, the last one deepest. */
function open(value: unknown, pending: Piece[]): string {
  if (typeof value === "string") return stringLiteral(value);
  if (typeof value !== "object" || value === null) return String(value ?? null);
  const isArray = Array.isArray(value);
  const parts: Piece[] = isArray
    ? value.flatMap((item, index) => [{ text: index === 0 ? "" : "," }, { value: item }])
    : entriesOf(value).flatMap(([key, item], index) => [
        { text: `${index === 0 ? "" : ","}${stringLiteral(key)}:` },
        { value: item },
      ]);
  pending.push({ text: isArray ? "]" : "}" });
  for (const part of parts.reverse()) pending.push(part);
  return isArray ? "[" : "{";
}
