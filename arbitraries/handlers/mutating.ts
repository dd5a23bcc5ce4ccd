import type { ScriptClass } from "../../src/contract/script-class.ts";
import { performing } from "../performing.ts";
import type { Pick } from "../pick.ts";

/**
 * An honest call whose handler edits the arguments object that it was given. Then the same call again.
 *
 * Harnesses get it wrong where the object is shared: with the log, with the approval that is checked later, with the next
 * call of the same text.
 *
 * Shrinks to one such call of the first allowed tool.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "mutate-arguments" }] } }
 */
export const mutating: ScriptClass<Pick> = performing({
  id: "mutating",
  says: "A permitted call whose handler edits its arguments.",
  performances: [[{ kind: "mutate-arguments" }, { kind: "mutate-arguments" }], [{ kind: "mutate-arguments" }]],
  telling: 1,
});
