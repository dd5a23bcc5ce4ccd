import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, reachable, turnsTo } from "../candidates.ts";
import { deciding } from "../deciding.ts";
import { callOf, turnOf } from "../draft.ts";
import { tellingTexts } from "../malformed-texts.ts";
import type { Pick } from "../pick.ts";

/**
 * A human who says yes to every call, one after another or several at once. What was approved runs, once each; a yes covers
 * neither the same call cut in half, nor the same call in a turn that was cut off, nor other arguments under the same id.
 *
 * Harnesses get it wrong where a yes is kept by the name of the tool or by the id of the call, where only the last of several
 * requests is remembered, or where an approved call is run from whatever the model said last.
 *
 * Shrinks to one approved call of the first tool that a human is asked about.
 *
 * @example
 * { turns: [refund, otherRefund], decisions: ["approve", "approve"] }
 */
export const approvingHuman: ScriptClass<Pick> = deciding({
  id: "approving-human",
  says: "A human who approves every call that is asked about.",
  answers: () => [{ answers: ["approve"] }, { answers: ["approve", "approve"] }],
  more: spoiltAfterwards,
  telling: [],
});

/** Approved once; then it comes again as half a text, or in a turn that stopped by length. */
function spoiltAfterwards(target: Candidate, setting: Setting): readonly Move[] {
  const { claims, shape } = setting;
  const call = callOf(target.tool.name, target.args[0]!);
  const half = tellingTexts(call.args, shape)[0];
  const turns = turnsTo(target, call);
  const moves: Move[] = [];
  if (half !== undefined)
    moves.push({ turns: [...turns, turnOf(callOf(target.tool.name, half))], decisions: ["approve"] });
  if (claims.stopReason === true)
    moves.push({ turns: [...turns, { ...turnOf(call), stop: "length" }], decisions: ["approve"] });
  return [...moves, ...swapped(setting)];
}

/** What was approved, and under the same id what the policy denies of the same tool: the yes was to other arguments. */
function swapped(setting: Setting): readonly Move[] {
  const denied = reachable(setting, "deny");
  const asked = reachable(setting, "ask").find(
    ({ tool, load }) => load === undefined && denied.some((other) => other.tool === tool),
  );
  const other = denied.find(({ tool }) => tool === asked?.tool);
  if (asked === undefined || other === undefined) return [];
  const [yes, no] = [callOf(asked.tool.name, asked.args[0]!), callOf(asked.tool.name, other.args[0]!)].map((call) => ({
    ...call,
    callId: "same",
  }));
  const apart = [
    [turnOf(yes!), turnOf(no!)],
    [turnOf(no!), turnOf(yes!)],
  ];
  const turns = [
    ...(setting.shape.idsAcrossTurns === false ? [] : apart),
    ...(setting.claims.parallelCalls === false ? [] : [[turnOf(yes!, no!)], [turnOf(no!, yes!)]]),
  ];
  return turns.map((all): Move => ({ turns: all, decisions: ["approve"] }));
}
