import fc from "fast-check";
import type { JsonSchema } from "../../src/world/input-schema.ts";
import type { Json } from "../../src/world/json.ts";
import type { Below, Values } from "./values.ts";

/** Short lists: as many items as asked for, or one; a tuple in full. */
export function arrayValues(schema: JsonSchema, below: Below): Values | undefined {
  const least = typeof schema.minItems === "number" ? schema.minItems : 0;
  const limit = typeof schema.maxItems === "number" ? schema.maxItems : Infinity;
  const prefix = (Array.isArray(schema.prefixItems) ? schema.prefixItems : []).map(below);
  if (prefix.some((values) => values === undefined)) return undefined;
  const places = prefix as readonly Values[];
  const rest = schema.items === false ? undefined : below(schema.contains ?? schema.items);
  // Items after a tuple are open in JSON Schema where nothing is said of them, but not in the libraries that write it.
  const open = rest !== undefined && (places.length === 0 || schema.items !== undefined);
  const needed = Math.max(0, least - places.length);
  const room = open ? Math.max(needed, Math.min(limit - places.length, needed + 2)) : 0;
  if (needed > room) return undefined;
  const unique = schema.uniqueItems === true;
  const list = (count: number, shift: number): Json => {
    const first = places.map((values) => pick(values, shift));
    const others = Array.from({ length: count }, (_, place) => pick(rest!, unique ? place + shift : shift));
    return [...first, ...others];
  };
  const counts = [...new Set([Math.max(needed, Math.min(1, room)), needed, room])];
  const canonical = counts.map((count) => list(count, 0));
  if (canonical.length > 0) canonical.push(list(counts[0]!, 1));
  const front = fc.tuple(...places.map((values) => values.arbitrary));
  if (!open) return { canonical, arbitrary: front.map((items): Json => items) };
  const tail = fc.array(rest.arbitrary, { minLength: needed, maxLength: room });
  const drawn = fc.tuple(front, tail).map(([start, end]): Json => [...start, ...(unique ? distinct(end) : end)]);
  return { canonical, arbitrary: drawn };
}

function pick(values: Values, index: number): Json {
  return values.canonical[index % values.canonical.length]!;
}

function distinct(items: readonly Json[]): readonly Json[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
