import { compactJson, entriesOf } from "./json-text.ts";
import { stringLiteral } from "./visible-text.ts";

/**
 * A JSON value as a TypeScript literal with the very same value: a `__proto__` key stays a field, and what nests deeper
 * than people read, or a compiler's stack reaches, is parsed from text.
 *
 * @example
 * sourceLiteral({ stop: "end" }) // '{ stop: "end" }'
 */
export function sourceLiteral(value: unknown, indent = "", level = 0): string {
  const flat = onOneLine(value, level);
  if (typeof value !== "object" || value === null || level >= deepest) return flat;
  if (flat.length + indent.length <= 100) return flat;
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((item) => inner + sourceLiteral(item, inner, level + 1))
    : entriesOf(value).map(([key, item]) => `${inner}${keyText(key)}: ${sourceLiteral(item, inner, level + 1)}`);
  const [left, right] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return `${left}\n${lines.join(",\n")},\n${indent}${right}`;
}

/** Below this a literal becomes text: enough for every part of a script, and for arguments of the usual kind. */
const deepest = 12;

function onOneLine(value: unknown, level: number): string {
  if (typeof value !== "object" || value === null) return compactJson(value);
  if (level >= deepest) return `JSON.parse(${stringLiteral(compactJson(value))})`;
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item, level + 1)).join(", ")}]`;
  const fields = entriesOf(value).map(([key, item]) => `${keyText(key)}: ${onOneLine(item, level + 1)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

/** Written plainly, `__proto__` would set the prototype instead of a field. */
function keyText(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : stringLiteral(key);
}
