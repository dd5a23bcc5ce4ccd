/** One member of a JSON object: its key as a value, its value as the text that was written. */
export interface WrittenMember {
  readonly key: string;
  readonly value: string;
}

/**
 * The elements of a JSON array, or the members of a JSON object, each as the text that was written: duplicate keys,
 * big numbers and spacing survive, which `JSON.parse` would lose. Iterative, so that nesting can't overflow the stack.
 *
 * @param json a valid JSON text that holds an array or an object.
 */
export function writtenParts(json: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (character === '"') {
      index = endOfString(json, index);
    } else if (character === "{" || character === "[") {
      depth += 1;
      if (depth === 1) start = index + 1;
    } else if (character === "}" || character === "]") {
      depth -= 1;
      if (depth === 0) parts.push(json.slice(start, index));
    } else if (character === "," && depth === 1) {
      parts.push(json.slice(start, index));
      start = index + 1;
    }
  }
  return parts.map((part) => part.trim()).filter((part) => part !== "");
}

/** The members of a JSON object, in the order written, repeated keys included. */
export function writtenMembers(json: string): readonly WrittenMember[] {
  return writtenParts(json).map((part) => {
    const end = endOfString(part, 0);
    return {
      key: JSON.parse(part.slice(0, end + 1)) as string,
      value: part.slice(part.indexOf(":", end) + 1).trim(),
    };
  });
}

/** The index of the quote that closes the string opened at `from`. */
function endOfString(json: string, from: number): number {
  let index = from + 1;
  while (index < json.length && json[index] !== '"') index += json[index] === "\\" ? 2 : 1;
  return index;
}
