import type { ScriptClass } from "../../src/contract/script-class.ts";
import { deciding } from "../deciding.ts";
import type { Pick } from "../pick.ts";

/**
 * A human who says no to every call, however often the model comes back with it. Nothing of it runs; what needs no approval
 * goes on as if nothing had happened.
 *
 * Harnesses get it wrong where the second or third attempt is no longer asked about, where a no to one of two calls is
 * taken for a no to the wrong one, or where a refused call never gets its result.
 *
 * Shrinks to one denied call of the first tool that a human is asked about.
 *
 * @example
 * { turns: [refund, refund], decisions: ["deny", "deny"] }
 */
export const denyingHuman: ScriptClass<Pick> = deciding({
  id: "denying-human",
  says: "A human who denies every call that is asked about.",
  answers: () => [{ answers: ["deny"] }, { answers: ["deny", "deny"] }, { answers: ["deny", "deny", "deny"] }],
  telling: [],
});
