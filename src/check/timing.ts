import type { Claims } from "../contract/harness.ts";
import { everyRunOf, type Script } from "../contract/script.ts";
import { waitsIn } from "./waiting-ration.ts";

/**
 * Whether the harness's own deadline may pass in this script: somebody hangs, is late or slow, or answers only after other
 * runs have gone on. On a busy machine it may then pass before the answer of somebody who is merely slow is heard.
 */
export function dependsOnTiming(script: Script, { deadlineMs }: Pick<Claims, "deadlineMs">): boolean {
  if (deadlineMs === undefined) return false;
  return waitsIn(script) > 0 || everyRunOf(script).some((run) => run.beside !== undefined || isSlow(run));
}

function isSlow({ handlers, abort }: Script): boolean {
  // The answer that comes after an abort takes a moment too.
  return (
    abort?.during === "approval" || Object.values(handlers).some((list) => list.some(({ kind }) => kind === "slow"))
  );
}
