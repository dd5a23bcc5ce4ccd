import type { ModelInput } from "./run-record.ts";

const key = Symbol.for("gatecrash.made-by-helper");
const shared = globalThis as { [key]?: WeakSet<object> };

/** One for the whole process: the helper that a harness imports need not be of the same copy of the kit that plays the script. */
shared[key] ??= new WeakSet();
const made = shared[key];

/**
 * Marks what a helper of the kit, not the user, tells `nextTurn`, such as the results that a model double reads from the
 * messages it was sent: the user is then not told to claim what they did not pass.
 *
 * @example
 * run.nextTurn(madeByHelper({ results }));
 */
export function madeByHelper(input: ModelInput): ModelInput {
  made.add(input);
  return input;
}

export function isMadeByHelper(input: ModelInput): boolean {
  return made.has(input);
}
