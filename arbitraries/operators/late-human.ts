import type { ScriptClass } from "../../src/contract/script-class.ts";
import { type Answers, deciding } from "../deciding.ts";
import type { Pick } from "../pick.ts";

/** Whoever is asked next says no: each late answer costs more than a deadline. */
const late: readonly Answers[] = [
  { answers: ["late-approve"], otherwise: "deny" },
  { answers: ["late-approve", "approve"], otherwise: "deny" },
];

/**
 * A human whose yes comes after the harness's own deadline. Too late is no: the call does not run any more, neither then
 * nor when something else is approved.
 *
 * Harnesses get it wrong where the deadline only ends the waiting while the answer still runs the call, or where the late
 * yes falls to the next request.
 *
 * Shrinks to one call of the first tool that a human is asked about, approved too late.
 *
 * @example
 * { turns: [refund], decisions: ["late-approve"] }
 */
export const lateHuman: ScriptClass<Pick> = deciding({
  id: "late-human",
  says: "A human whose yes comes after the deadline.",
  answers: ({ claims }) => (claims.deadlineMs === undefined ? [] : late),
  unclaimed: "a deadline is not claimed",
  telling: [],
});
