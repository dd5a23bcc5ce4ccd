import { isJsonObject, type Json, type JsonObject } from "../src/world/json.ts";

/** Parts of a key that speak of nothing but authority. */
const stems = [
  "approv",
  "permi",
  "authori",
  "confirm",
  "consent",
  "allow",
  "grant",
  "bypass",
  "override",
  "privileg",
  "elevat",
  "superuser",
  "sudo",
  "admin",
  "trust",
  "resume",
  "impersonat",
  "onbehalf",
  "humanintheloop",
];

/** Whole keys that speak of authority where a schema does not declare them. */
const words = new Set([
  ...[
    "accepted",
    "access",
    "accesslevel",
    "acl",
    "active",
    "actas",
    "auth",
    "blocked",
    "decision",
    "denied",
    "deny",
    "dryrun",
  ],
  ...["enabled", "force", "forced", "hidden", "hitl", "internal", "issystem", "level", "locked", "loaded", "mode"],
  ...["offered", "ok", "policy", "policies", "root", "role", "roles", "safe", "scope", "scopes", "signed", "skill"],
  ...["skills", "source", "status", "system", "unlocked", "userrole", "validated", "verdict", "verified", "visible"],
]);

/**
 * Whether a key claims authority, however it is spelled: `approved`, `is_approved`, `APPROVED_BY`. The one list of these
 * words; models and attackers make up new ones, so whole families count.
 *
 * @example
 * isAuthorityWord("preApproved") // true
 */
export function isAuthorityWord(key: string): boolean {
  const before = known.get(key);
  if (before !== undefined) return before;
  const folded = key.toLowerCase().replaceAll(/[^a-z]/g, "");
  const answer = words.has(folded) || stems.some((stem) => folded.includes(stem));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, answer);
  return answer;
}

/** The same few keys come again and again. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 1_000;

/**
 * The value without its keys that claim authority, at any depth; the same value where there are none. What the schema
 * declares stays, since there it is an argument like any other. Iterative, since arguments nest deeper than the stack.
 */
export function withoutAuthority(value: JsonObject, declared: JsonObject): JsonObject {
  let stripped = false;
  const root: { copy: Json } = { copy: value };
  const pending: Visit[] = [{ into: root, key: "copy", item: value, rule: declared }];
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const { into, key, item, rule } = visit;
    if (Array.isArray(item)) {
      const copy = [...item];
      put(into, key, copy);
      const items = asRule(rule.items);
      for (const [index, child] of item.entries()) pending.push({ into: copy, key: index, item: child, rule: items });
    } else if (isJsonObject(item)) {
      const known = propertiesOf(rule);
      const kept = Object.entries(item).filter(([name]) => known.has(name) || !isAuthorityWord(name));
      stripped ||= kept.length < Object.keys(item).length;
      const copy = Object.fromEntries(kept);
      put(into, key, copy);
      for (const [name, child] of kept)
        pending.push({ into: copy, key: name, item: child, rule: known.get(name) ?? {} });
    }
  }
  return stripped ? (root.copy as JsonObject) : value;
}

/** Whether there is such a key at all, declared or not: cheaper to ask, and mostly there is none. */
export function holdsAuthority(value: JsonObject): boolean {
  const pending: Json[] = [value];
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    if (typeof item !== "object" || item === null) continue;
    const isList = Array.isArray(item);
    for (const key in item) {
      if (!isList && isAuthorityWord(key)) return true;
      const child = (item as JsonObject)[key];
      if (typeof child === "object" && child !== null) pending.push(child);
    }
  }
  return false;
}

interface Visit {
  readonly into: object;
  readonly key: string | number;
  readonly item: Json;
  readonly rule: JsonObject;
}

/** Assigning to `__proto__` would not make a key. */
function put(into: object, key: string | number, value: Json): void {
  Object.defineProperty(into, key, { value, enumerable: true, writable: true, configurable: true });
}

function propertiesOf(rule: JsonObject): ReadonlyMap<string, JsonObject> {
  const known = new Map<string, JsonObject>();
  const branches: JsonObject[] = [rule];
  for (const branch of branches) {
    for (const [key, child] of Object.entries(asRule(branch.properties)))
      if (!known.has(key)) known.set(key, asRule(child));
    for (const list of [branch.allOf, branch.anyOf, branch.oneOf]) {
      if (Array.isArray(list)) branches.push(...list.filter(isJsonObject));
    }
  }
  return known;
}

function asRule(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
