import type { ScriptClass } from "../../src/contract/script-class.ts";
import { deciding } from "../deciding.ts";
import type { Pick } from "../pick.ts";

/**
 * A human who can't be reached: the request for approval throws. That is a no, and no more than that: the next request may
 * be answered.
 *
 * Harnesses get it wrong where the error is caught and the call goes on (the gate fails open), where it ends the run by a
 * crash, or where one failure switches the gate off.
 *
 * Shrinks to one call of the first tool that a human is asked about, whose request throws.
 *
 * @example
 * { turns: [refund], decisions: ["throw"] }
 */
export const failingHuman: ScriptClass<Pick> = deciding({
  id: "failing-human",
  says: "A human who can't be reached: the request for approval throws.",
  answers: () => [{ answers: ["throw"] }, { answers: ["throw", "approve"] }, { answers: ["approve", "throw"] }],
  telling: [0],
});
