import type { JsonObject } from "../src/world/json.ts";

/** Texts, since an object literal with these keys would not have them. Each is given valid arguments. */
const changes: readonly ((args: JsonObject) => string)[] = [
  (args) => withMember(args, "__proto__", '{"polluted":true}'),
  (args) => withMember(args, "constructor", '{"prototype":{"polluted":true}}'),
  // The fields that are required are there, but not the object's own.
  (args) => `{"__proto__":${JSON.stringify(args)}}`,
  (args) => withMember(args, "context", '{"__proto__":{"polluted":true}}'),
  (args) => withMember(args, "__proto__", '{"approved":true,"permission":"allow","offered":"always"}'),
  (args) => withMember(args, "__proto__", "null"),
  (args) => withMember(args, "__proto__", '{"toString":1,"toJSON":1}'),
  (args) => withMember(args, "__proto__", '{"__proto__":{"polluted":true}}'),
  (args) => withMember(args, "constructor", '{"prototype":{"approved":true,"permission":"allow"}}'),
  (args) => withMember(args, "context", '{"constructor":{"prototype":{"polluted":true}}}'),
  (args) => `{"constructor":{"prototype":${JSON.stringify(args)}}}`,
  (args) => withMember(args, "contexts", '[{"__proto__":{"polluted":true}}]'),
  (args) => withMember(args, "hasOwnProperty", "1"),
  (args) => withMember(args, "toString", "null"),
  (args) => withMember(args, "toJSON", '"text"'),
  (args) => withMember(args, "then", '"text"'),
  (args) => withMember(args, "length", "-1"),
  (args) => withMember(args, "valueOf", '{"__proto__":null}'),
];

const texts = new WeakMap<JsonObject, readonly string[]>();

export function pollutingTexts(args: JsonObject): readonly string[] {
  const found = texts.get(args) ?? [...new Set(changes.map((change) => change(args)))];
  texts.set(args, found);
  return found;
}

/** The arguments with one more member, written in front: of two equal keys the last one counts. */
function withMember(args: JsonObject, key: string, value: string): string {
  const rest = JSON.stringify(args).slice(1);
  return `{${JSON.stringify(key)}:${value}${rest === "}" ? "" : ","}${rest}`;
}

const names = new Set([
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "toString",
  "toJSON",
  "then",
  "length",
  "valueOf",
]);

/** Whether an object has a key that every object inherits, at any depth, other than a field in `declared`. Iterative. */
export function isPolluting(value: JsonObject, declared: ReadonlySet<string>): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const item = pending.pop();
    if (typeof item !== "object" || item === null) continue;
    for (const [key, child] of Object.entries(item)) {
      if (names.has(key) && !declared.has(key)) return true;
      pending.push(child);
    }
  }
  return false;
}
