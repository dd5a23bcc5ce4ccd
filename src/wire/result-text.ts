/**
 * A value as the text of a tool result: a text as it is, any other value as JSON. What JSON has no word for (`undefined`, a
 * BigInt, a cycle, an object whose `toJSON` throws) is an empty text: the harness under test is not to fall over what the kit writes down.
 */
export function resultText(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}
