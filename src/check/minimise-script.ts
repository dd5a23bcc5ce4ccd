import type { Script } from "../contract/script.ts";
import type { Simplification } from "./simplification.ts";

/** How long the search for a smaller script may go on. */
export interface ShrinkLimits {
  readonly runs: number;
  readonly until: () => boolean;
}

/** The smallest failing script found, and the harness runs it took. */
export interface Minimised<Failure> {
  readonly script: Script;
  readonly failure: Failure;
  readonly runs: number;
}

/**
 * Makes a failing script smaller for as long as it still fails in the same way: cut after the guilty turn, drop turns,
 * drop proposals, simplest arguments, plain handlers, a smaller world; again from the start whenever something worked.
 * `fails` plays a script and gives what failed, or `undefined` where it holds or fails in another way.
 */
export async function minimiseScript<Failure extends { readonly guiltyTurn: number }>(
  script: Script,
  failure: Failure,
  simplifications: readonly Simplification[],
  fails: (candidate: Script) => Promise<Failure | undefined>,
  limits: ShrinkLimits,
): Promise<Minimised<Failure>> {
  let best = { script, failure };
  let runs = 0;
  let improved = true;
  while (improved) {
    improved = false;
    for (const simplify of simplifications) {
      // A simplification is asked again after each success, for it now starts from the smaller script.
      let skip = 0;
      for (;;) {
        const candidate = nth(simplify(best.script, best.failure.guiltyTurn), skip);
        if (candidate === undefined) break;
        if (runs >= limits.runs || limits.until()) return { ...best, runs };
        runs += 1;
        const still = await fails(candidate);
        if (still === undefined) {
          skip += 1;
        } else {
          improved = true;
          best = { script: candidate, failure: still };
        }
      }
    }
  }
  return { ...best, runs };
}

function nth<Value>(values: Iterable<Value>, index: number): Value | undefined {
  let left = index;
  for (const value of values) {
    if (left === 0) return value;
    left -= 1;
  }
  return undefined;
}
