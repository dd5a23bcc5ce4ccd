import type { TestRun } from "./harness.ts";

const key = Symbol.for("gatecrash.going-runs");
const shared = globalThis as { [key]?: WeakSet<TestRun> };

/** One for the whole process: the helper that a harness imports need not be of the same copy of the kit that plays the script. */
shared[key] ??= new WeakSet();
const going = shared[key];

export function runBegan(run: TestRun): void {
  going.add(run);
}

export function runEnded(run: TestRun): void {
  going.delete(run);
}

/**
 * Whether a run has begun and not ended: a helper that holds one thing for the whole process, such as a mocked module, can serve
 * one such run at a time.
 *
 * @example
 * if (served !== run && isGoing(served)) throw sideBySide();
 */
export function isGoing(run: TestRun): boolean {
  return going.has(run);
}
