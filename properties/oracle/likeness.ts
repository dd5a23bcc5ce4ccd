import { isJsonObject, sameJson } from "../../src/world/json.ts";
import type { Delivered } from "./deliveries.ts";

/**
 * How far arguments that fit a call are from those that were proposed: 0 where they are the very same, more for each field
 * that was dropped or filled in. Of several calls that arguments fit, the nearest is the likeliest cause: `{}` is rather the
 * call with `{}` than one whose unknown field was dropped.
 */
export function differenceFrom(call: Delivered, args: unknown): number {
  const [proposed] = call.values;
  if (sameJson(proposed, args)) return 0;
  if (!isJsonObject(proposed) || !isJsonObject(args)) return 1;
  const keys = new Set([...Object.keys(proposed), ...Object.keys(args)]);
  let difference = 1;
  for (const key of keys) if (Object.hasOwn(proposed, key) !== Object.hasOwn(args, key)) difference += 1;
  return difference;
}

/** The first of those with the least difference; `undefined` where there are none. */
export function nearest<Item>(items: Iterable<Item>, differenceOf: (item: Item) => number): Item | undefined {
  let best: Item | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const difference = differenceOf(item);
    if (difference >= least) continue;
    if (difference === 0) return item;
    best = item;
    least = difference;
  }
  return best;
}
