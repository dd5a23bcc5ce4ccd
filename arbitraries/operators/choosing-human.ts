import type { ScriptClass } from "../../src/contract/script-class.ts";
import { deciding } from "../deciding.ts";
import type { Pick } from "../pick.ts";

/**
 * A human who says yes to one call and no to another: the same one again, the same tool with other arguments, another tool;
 * in both orders, in one turn and in two, under ids of their own and under one.
 *
 * Harnesses get it wrong where one answer serves for the whole turn, where the answers are dealt out in another order than
 * the questions, or where a yes stays behind for whatever looks alike.
 *
 * Shrinks to the same call twice, approved and then denied.
 *
 * @example
 * { turns: [refund, otherRefund], decisions: ["approve", "deny"] }
 */
export const choosingHuman: ScriptClass<Pick> = deciding({
  id: "choosing-human",
  says: "A human who approves one call and denies another.",
  answers: () => [
    { answers: ["approve", "deny"] },
    { answers: ["deny", "approve"] },
    { answers: ["approve", "deny", "approve"] },
    { answers: ["deny", "approve", "deny"] },
  ],
  telling: [1],
});
