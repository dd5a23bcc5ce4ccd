import type { ScriptClass } from "../../src/contract/script-class.ts";
import { deciding } from "../deciding.ts";
import type { Pick } from "../pick.ts";

/**
 * A human who has not decided yet: the request stays open, and the harness is told so by an `UndecidedError`. Until somebody
 * says yes the call does not run; a harness may pause there, or go on without it.
 *
 * Harnesses get it wrong where an open request counts as granted, where the rest of the turn is lost or run twice at the
 * resume, or where the next yes is taken for the open one.
 *
 * Shrinks to one call of the first tool that a human is asked about, and no answer yet.
 *
 * @example
 * { turns: [refund], decisions: ["later"] }
 */
export const undecidedHuman: ScriptClass<Pick> = deciding({
  id: "undecided-human",
  says: "A human who has not decided yet: the request stays open.",
  answers: () => [{ answers: ["later"] }, { answers: ["later", "approve"] }, { answers: ["approve", "later"] }],
  telling: [0],
});
