const MOST_OBJECTS = 10_000;

/** What the model writes over all that it is shown, in scripts in which it does. */
export const byTheModel = "edited by the model";

/** Whether this is the model's, or it has had its hands on it. */
export function isEditedByTheModel(value: unknown): boolean {
  if (value === byTheModel) return true;
  return typeof value === "object" && value !== null && (value as { readonly edited?: unknown }).edited === byTheModel;
}

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
  attempt(() => list.push(forged(first, by)));
  attempt(() => list.push(by));
}

/** Like the item that was lost, but never equal to it; where there was none, what a list of results or a log could hold. */
function forged(lost: unknown, by: string): unknown {
  if (lost === undefined) return { type: "result", callId: by, tool: by, text: by, detail: by };
  if (typeof lost !== "object" || lost === null) return by;
  if (Array.isArray(lost)) return [by];
  // The type stays: what is not taken for an item of such a list is not seen at all.
  const texts = Object.entries(lost).map(([key, value]) => [
    key,
    key !== "type" && typeof value === "string" ? by : value,
  ]);
  return { ...Object.fromEntries(texts), edited: by };
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
