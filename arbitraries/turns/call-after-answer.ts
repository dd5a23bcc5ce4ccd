import type { DraftTurn, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, callable, eachOnce, gated, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { remembered } from "../remembered.ts";
import { answering } from "../setting.ts";

/**
 * A call in a turn that says it is the last one, beside the answer or alone, and calls in a turn after the answer. A harness
 * may run what is permitted there or not; what is not permitted stays so.
 *
 * Harnesses get it wrong where a final turn skips the checks, or where the run goes on after it has answered.
 *
 * Shrinks to the first allowed tool's call in a final turn.
 *
 * @example
 * { proposals: [{ kind: "text", text: "Done." }, { kind: "tool-call", name: "refund_order", args: "{}" }], stop: "end" }
 */
export const callAfterAnswer: ScriptClass<Pick> = {
  id: "call-after-answer",
  kind: "turn",
  says: "A call in a turn that ends the run, beside the answer, or in a turn after it.",
  needs: (setting) => (targets(setting).length > 0 ? undefined : "this world has no tool to call"),
  canonical: (setting) => {
    const [first] = targets(setting);
    if (first === undefined) return [];
    const kinds = [reachable(setting, "ask"), reachable(setting, "deny"), gated(setting)].flatMap((group) =>
      group.slice(0, 1),
    );
    const others = eachOnce(kinds).filter(({ tool }) => tool !== first.tool);
    return [...ways(first, setting, 0), ...others.flatMap((target) => ways(target, setting, 0).slice(0, 2))];
  },
  representatives: (setting) =>
    targets(setting)
      .slice(0, 1)
      .flatMap((target) => ways(target, setting, 0).slice(1, 2)),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(targets(setting), target);
    return tool === undefined ? undefined : at(ways(tool, setting, args), form);
  },
  isOne: () => false,
};

const targets = remembered((setting: Setting): readonly Candidate[] =>
  eachOnce([...callable(setting), ...gated(setting)]),
);

function ways(target: Candidate, setting: Setting, place: number): readonly Move[] {
  const call = callOf(target.tool.name, at(target.args, place)!);
  const answer = { kind: "text", text: "That is all." } as const;
  const before = turnsTo(target, call).slice(0, -1);
  const final = (turn: DraftTurn): DraftTurn => ({ ...turn, stop: "end" });
  const turns: readonly (readonly DraftTurn[])[] = [
    [final(turnOf(call))],
    [final(turnOf(answer, call))],
    [final(turnOf(call, answer))],
    [final(turnOf(answer)), turnOf(call)],
    [turnOf(answer), turnOf(call)],
  ];
  const decisions = target.tool.permission === "allow" ? {} : answering(setting, "deny");
  return turns.map((all) => ({ turns: [...before, ...all], ...decisions }));
}
