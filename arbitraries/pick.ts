import fc, { type Arbitrary } from "fast-check";

/**
 * Which tool, in which way, with which arguments: numbers that are resolved against the world afterwards, by remainder.
 * So any world has a place for any pick, and a pick shrinks to the first tool, the simplest way, the simplest arguments.
 */
export interface Pick {
  readonly target: number;
  readonly form: number;
  readonly args: number;
}

const position = fc.nat(719);

export const picks: Arbitrary<Pick> = fc.record(
  { target: position, form: position, args: position },
  { noNullPrototype: true },
);

/** The item at this position, counted round and round; `undefined` only where the list is empty. */
export function at<Item>(items: readonly Item[], position: number): Item | undefined {
  return items[position % items.length];
}
