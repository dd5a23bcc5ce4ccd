import type { Json } from "../world/json.ts";

const SHALLOW_LEVELS = 32;
const SHALLOW_NODES = 5_000;
const MOST_NODES = 200_000;

let nodesLeft = 0;

/**
 * A plain JSON copy of any value at all, for the trace: what a harness hands over may be changed by it later, may nest
 * thousands of levels deep, refer to itself, or throw when it is looked at.
 *
 * Own keys whose value is `undefined` are absent. What JSON has no word for becomes an object with one key in brackets.
 *
 * @example
 * plain({ day: new Date(0), note: undefined }) // { day: { "(Date)": "1970-01-01T00:00:00.000Z" } }
 */
export function plain(value: unknown): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  nodesLeft = SHALLOW_NODES;
  try {
    const copy = copyShallow(value, 0);
    if (copy !== undefined) return copy;
  } catch {
    // A getter or a proxy threw: the careful way marks the place.
  }
  return copyCarefully(value);
}

/** The fast way for what nearly all values are: small and already JSON. `undefined`: not for this value. */
function copyShallow(value: unknown, level: number): Json | undefined {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || level > SHALLOW_LEVELS) return undefined;
  nodesLeft -= 1;
  if (nodesLeft < 0) return undefined;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const copy = copyShallow(item, level + 1);
      if (copy === undefined) return undefined;
      items.push(copy);
    }
    return items;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const fields: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[key];
    if (field === undefined) continue;
    const copy = copyShallow(field, level + 1);
    if (copy === undefined || key === "__proto__") return undefined;
    fields[key] = copy;
  }
  return fields;
}

/** A value to copy, and where the copy goes; or the mark that everything inside an object has been copied. */
type Task =
  | { readonly value: unknown; readonly into: object; readonly key: string | number }
  | { readonly leave: object };

/** Iterative. An object met again inside itself is a cycle; one met again elsewhere shares its copy. */
function copyCarefully(root: unknown): Json {
  const top: Json[] = [];
  const copies = new Map<object, Json>();
  const open = new Set<object>();
  const tasks: Task[] = [{ value: root, into: top, key: 0 }];
  let nodes = 0;
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ("leave" in task) {
      open.delete(task.leave);
      continue;
    }
    const { value } = task;
    if (typeof value !== "object" || value === null) {
      put(task.into, task.key, scalar(value));
      continue;
    }
    const known = copies.get(value);
    nodes += 1;
    if (open.has(value)) put(task.into, task.key, { "(cycle)": "refers to itself" });
    else if (known !== undefined) put(task.into, task.key, known);
    else if (nodes > MOST_NODES) put(task.into, task.key, { "(cut)": "too large to be recorded" });
    else {
      const copied = copyLevel(value);
      copies.set(value, copied.copy);
      put(task.into, task.key, copied.copy);
      open.add(value);
      tasks.push({ leave: value });
      for (const child of copied.children.reverse()) tasks.push(child);
    }
  }
  return top[0] as Json;
}

function copyLevel(value: object): { copy: Json; children: Task[] } {
  try {
    if (Array.isArray(value)) {
      const copy: Json[] = [];
      return { copy, children: Array.from(value, (item, key) => ({ value: item, into: copy, key })) };
    }
    const special = specialObject(value);
    if (special !== undefined) return special;
    const copy = {};
    const children: Task[] = [];
    for (const key of Object.keys(value)) {
      const field = readField(value, key);
      if (field !== undefined) children.push({ value: field, into: copy, key });
    }
    return { copy, children };
  } catch (error) {
    return { copy: { "(throws)": messageOf(error) }, children: [] };
  }
}

/** The objects whose content is not in their own keys. */
function specialObject(value: object): { copy: Json; children: Task[] } | undefined {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return undefined;
  if (value instanceof Map || value instanceof Set) {
    const kind = value instanceof Map ? "(Map)" : "(Set)";
    const items: Json[] = [];
    return { copy: { [kind]: items }, children: [...value].map((item, key) => ({ value: item, into: items, key })) };
  }
  const text = specialText(value);
  return text === undefined ? undefined : { copy: { [`(${kindOf(value)})`]: text }, children: [] };
}

function specialText(value: object): string | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "no date" : value.toISOString();
  if (value instanceof Error) return value.message;
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value instanceof Promise) return "a promise";
  // An object that inherits from another plain one, as `Object.assign` makes of a key `__proto__`, has no fields of its own.
  return Object.keys(value).length === 0 && kindOf(value) !== "Object" ? String(value) : undefined;
}

/** The name of a value's class. */
export function kindOf(value: object): string {
  try {
    const name: unknown = value.constructor?.name;
    return typeof name === "string" && name !== "" ? name : "object";
  } catch {
    return "object";
  }
}

function scalar(value: unknown): Json {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? value : { "(number)": String(value) };
    case "bigint":
      return { "(bigint)": String(value) };
    case "symbol":
      return { "(symbol)": value.description ?? "" };
    case "function":
      return { "(function)": messageOf(readField(value, "name")) };
    case "undefined":
      return { "(undefined)": "undefined" };
    default:
      return value as Json;
  }
}

function readField(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key];
  } catch (error) {
    return { "(throws)": messageOf(error) };
  }
}

function put(into: object, key: string | number, value: Json): void {
  if (key !== "__proto__") {
    (into as Record<string | number, Json>)[key] = value;
    return;
  }
  // Assigning would set the prototype. The descriptor inherits nothing, in case the harness has polluted `Object.prototype`.
  const descriptor = Object.assign(Object.create(null), {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  Object.defineProperty(into, key, descriptor);
}

/** Whether a value is of one of these classes. Never throws itself: a proxy may, at whatever is asked of it. */
export function isOneOf(value: unknown, ...classes: readonly (new (...args: never[]) => unknown)[]): boolean {
  try {
    return classes.some((one) => value instanceof one);
  } catch {
    return false;
  }
}

/** One line about whatever was thrown. Never throws itself. */
export function messageOf(error: unknown): string {
  try {
    if (typeof error === "object" && error !== null && "message" in error) return String(error.message);
    return typeof error === "symbol" ? `Symbol(${error.description ?? ""})` : String(error);
  } catch {
    return "a value that can't be shown";
  }
}
