const MOST_OBJECTS = 10_000;

/**
 * Edits everything that can be reached from a value: lists lose their first item and gain a forged one, texts and flags
 * are overwritten, keys deleted and added. What a model or a handler does that keeps its hands on what it was shown.
 * What is frozen stays as it is.
 *
 * @example
 * spoil({ results: [{ callId: "call-1", text: "12 kg" }] })
 */
export function spoil(root: unknown, by: string): void {
  const found = new Set<object>();
  const pending: unknown[] = [root];
  while (pending.length > 0 && found.size < MOST_OBJECTS) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null || found.has(value)) continue;
    found.add(value);
    attempt(() => {
      for (const key of Object.keys(value)) pending.push((value as Record<string, unknown>)[key]);
    });
  }
  for (const value of found) {
    if (Array.isArray(value)) spoilList(value, by);
    else spoilObject(value as Record<string, unknown>, by);
  }
}

function spoilList(list: unknown[], by: string): void {
  const first: unknown = list[0];
  attempt(() => list.shift());
  attempt(() => list.push(typeof first === "object" && first !== null ? { ...first } : by));
  attempt(() => list.push(by));
}

function spoilObject(object: Record<string, unknown>, by: string): void {
  const keys = Object.keys(object);
  for (const key of keys) {
    attempt(() => {
      const value = object[key];
      if (typeof value === "string") object[key] = by;
      else if (typeof value === "boolean") object[key] = !value;
      else if (typeof value === "number") object[key] = value + 1;
    });
  }
  const last = keys.at(-1);
  if (keys.length > 1 && last !== undefined) attempt(() => Reflect.deleteProperty(object, last));
  attempt(() => {
    object.edited = by;
  });
}

function attempt(edit: () => unknown): void {
  try {
    edit();
  } catch {
    // Frozen, or it throws when touched: then it is safe from edits.
  }
}
