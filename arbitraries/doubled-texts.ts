import { type JsonObject, parseArguments } from "../src/world/json.ts";

const texts = new WeakMap<JsonObject, readonly string[]>();

/** Argument texts in which a key comes twice, with another value each time. None where the arguments have no field. */
export function doubledTexts(args: JsonObject, others: readonly JsonObject[]): readonly string[] {
  const found = texts.get(args) ?? write(args, others);
  texts.set(args, found);
  return found;
}

function write(args: JsonObject, others: readonly JsonObject[]): readonly string[] {
  const [field] = Object.entries(args);
  if (field === undefined) return [];
  const [key, value] = field;
  const other = others.find(
    (object) => Object.hasOwn(object, key) && JSON.stringify(object[key]) !== JSON.stringify(value),
  );
  const rest = JSON.stringify(args).slice(1, -1);
  const name = JSON.stringify(key);
  const spelled = `"\\u${key.charCodeAt(0).toString(16).padStart(4, "0")}${JSON.stringify(key.slice(1)).slice(1)}`;
  const again = JSON.stringify(other?.[key] ?? null);
  return [
    `{${rest},${name}:${again}}`,
    `{${name}:${again},${rest}}`,
    `{${rest},${rest}}`,
    `{${rest},${spelled}:${again}}`,
    `{${name}:null,${rest}}`,
    `{${rest},"note":{"a":1,"a":2}}`,
  ];
}

const quoted = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Whether a valid text has more keys than its value. */
export function isDoubled(text: string): boolean {
  const args = parseArguments(text);
  if (args === undefined) return false;
  let keys = 0;
  for (const [, colon] of text.matchAll(quoted)) if (colon !== undefined) keys += 1;
  let kept = 0;
  const pending: unknown[] = [args];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item !== "object" || item === null) continue;
    if (!Array.isArray(item)) kept += Object.keys(item).length;
    for (const child of Object.values(item)) pending.push(child);
  }
  return keys > kept;
}
