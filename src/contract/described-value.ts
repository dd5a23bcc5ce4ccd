/**
 * A value as a usage error names it: short, on one line, without control characters.
 *
 * @example
 * describedValue("yes") // '"yes"'
 */
export function describedValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (typeof value === "string")
    return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value).replaceAll(hidden, "?");
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "symbol") return "a symbol";
  if (typeof value !== "object") return String(value);
  try {
    if (Array.isArray(value)) return value.length === 0 ? "an empty array" : "an array";
    if (value instanceof Promise) return "a promise";
    if (value instanceof RegExp) return String(value).replaceAll(hidden, "?");
  } catch {
    // A proxy may throw at whatever is asked of it.
  }
  return "an object";
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
