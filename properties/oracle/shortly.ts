const LONGEST = 80;

/** Arguments as they stand in a sentence: an argument text as it is, a value as JSON, and of a long one its beginning. */
export function shortly(value: unknown): string {
  const text = typeof value === "string" ? value : textOf(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}...` : text;
}

function textOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "nothing";
  } catch {
    return "arguments that nest too deep to be shown";
  }
}
