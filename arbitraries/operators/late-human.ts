import { harmlessBehaviour } from "../../src/contract/behaviour.ts";
import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, reachable, turnsTo } from "../candidates.ts";
import { type Answers, deciding } from "../deciding.ts";
import { callOf, turnOf } from "../draft.ts";
import type { Pick } from "../pick.ts";

/** Whoever is asked next says no: each late answer costs more than a deadline. */
const late: readonly Answers[] = [
  { answers: ["late-approve"], otherwise: "deny" },
  { answers: ["late-approve", "approve"], otherwise: "deny" },
];

/**
 * A human whose yes comes after the harness's own deadline. Too late is no: the call does not run any more, neither then
 * nor when something else is approved, nor when it is proposed again and the yes has arrived meanwhile.
 *
 * Harnesses get it wrong where the deadline only ends the waiting while the answer still runs the call, or where the late
 * yes falls to the next request or is remembered for a later one.
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
  more: whenItHasArrived,
  telling: [],
});

/**
 * The same tool once more when the late yes is there: meanwhile the run has waited for another answer, or for a handler. The
 * first two repeat one turn, so that they are small: of long waits only the smallest are played.
 */
function whenItHasArrived(target: Candidate, setting: Setting): readonly Move[] {
  if (setting.claims.deadlineMs === undefined) return [];
  const [call, other] = target.args.slice(0, 2).map((args) => callOf(target.tool.name, args));
  const decisions = ["late-approve", "hang", "deny"] as const;
  const again: Move = { turns: turnsTo(target, call!), afterTurns: "repeat-last", decisions };
  const changed = [other, call].filter((each) => each !== undefined);
  const apart = changed.map(
    (last): Move => ({ turns: [...turnsTo(target, call!), turnOf(other ?? call!), turnOf(last)], decisions }),
  );
  const [free] = reachable(setting, "allow").filter(({ tool, load }) => tool !== target.tool && load === undefined);
  if (free === undefined) return [again, ...apart];
  const look = callOf(free.tool.name, free.args[0]!);
  const busy = {
    handlers: { [free.tool.name]: [{ kind: "hang" }, harmlessBehaviour] },
    decisions: [decisions[0], "deny"],
  } as const;
  const between: Move = { turns: [...turnsTo(target, call!), turnOf(look), turnOf(call!)], ...busy };
  if (setting.claims.parallelCalls === false) return [again, between, ...apart];
  return [again, { turns: turnsTo(target, call!, look), afterTurns: "repeat-last", ...busy }, between, ...apart];
}
