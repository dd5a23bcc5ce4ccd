import { resultText } from "./result-text.ts";

/** The text of a message's content: a text as it is, text parts joined, any other part as JSON. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : resultText(content);
  return content.map((part) => textOf(part) ?? resultText(part)).join("");
}

function textOf(part: unknown): string | undefined {
  const text = field(part, "text");
  return typeof text === "string" ? text : undefined;
}

/** An own field of anything, without trusting its type: what a loop sends may be of any shape. */
export function field(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

/** A field that is to be a text; an empty one where it is not. */
export function textField(value: unknown, key: string): string {
  const text = field(value, key);
  return typeof text === "string" ? text : "";
}
