import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, callable, gated, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { tellingTexts } from "../malformed-texts.ts";
import { at, type Pick, picks } from "../pick.ts";

/**
 * The model's side keeps its hands on what it was shown: it edits the results, the log and the menu that came with each
 * request, over a run of several turns with a result, a refusal, a denial and a failure.
 *
 * Harnesses get it wrong where the request carries the very list that the harness goes on with: then the past changes, and
 * what the log says at last is what the model made of it.
 *
 * Shrinks to one call of the first allowed tool.
 *
 * @example
 * { turns: [lookup, refund], modelEditsInput: true }
 */
export const editedInput: ScriptClass<Pick> = {
  id: "edited-input",
  kind: "turn",
  says: "The model edits the results, the log and the menu that it is shown.",
  needs: (setting) => {
    if (setting.claims.log !== true) return "the log is not claimed";
    return callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments";
  },
  canonical: (setting) => {
    const [first] = callable(setting);
    return first === undefined || setting.claims.log !== true ? [] : ways(first, setting, 0);
  },
  representatives: (setting) => editedInput.canonical(setting).slice(0, 1),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(callable(setting), target);
    return tool === undefined || setting.claims.log !== true ? undefined : at(ways(tool, setting, args), form);
  },
  isOne: () => false,
};

function ways(target: Candidate, setting: Setting, place: number): readonly Move[] {
  const call = callOf(target.tool.name, at(target.args, place)!);
  const once = turnsTo(target, call);
  const isAsked = setting.claims.approvals === "asked";
  const [asked] = isAsked ? reachable(setting, "ask").filter(({ load }) => load === undefined) : [];
  const [locked] = gated(setting).filter(({ tool }) => tool.permission === "deny" || tool.offered === "never");
  const half = tellingTexts(call.args, setting.shape).slice(0, 1);
  const refusal = half.map((text) => turnOf(callOf(target.tool.name, text)));
  const denial = locked === undefined ? [] : [turnOf(callOf(locked.tool.name, locked.args[0]!))];
  const question = asked === undefined ? [] : [turnOf(callOf(asked.tool.name, asked.args[0]!))];
  const failing = { handlers: { [target.tool.name]: [{ kind: "throw" as const, message: "The service is down." }] } };
  const edited = (turns: Move["turns"], more: Partial<Move> = {}): Move => ({
    turns,
    ...(isAsked && target.tool.permission !== "allow" && { decisions: ["approve"] as const }),
    ...more,
    modelEditsInput: true,
  });
  const moves = [
    edited(once),
    edited([...once, turnOf(call)]),
    edited([...once, ...refusal, ...denial, turnOf(call)]),
    edited([...once, turnOf(call)], failing),
  ];
  if (question.length > 0) {
    moves.push(edited([...once, ...question, turnOf(call)], answered("deny", target, isAsked)));
    moves.push(edited([...once, ...question, turnOf(call)], answered("approve", target, isAsked)));
  }
  if (setting.claims.parallelCalls === false) return moves;
  return [
    ...moves,
    edited([...turnsTo(target, call, ...[...refusal, ...denial].flatMap(({ proposals }) => proposals)), turnOf(call)]),
  ];
}

/** To the question in the middle; the calls around it are approved where they need it. */
function answered(decision: "approve" | "deny", { tool }: Candidate, isAsked: boolean): Partial<Move> {
  if (!isAsked) return {};
  return { decisions: tool.permission === "allow" ? [decision] : ["approve", decision, "approve"] };
}
