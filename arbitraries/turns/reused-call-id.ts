import type { Draft, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, callable, gated, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";

/**
 * Two calls under one id: the same call or another one, in a later turn or in the same. What was decided about the first,
 * and what it returned, says nothing about the second.
 *
 * Harnesses get it wrong where approvals or results are kept by id: the second call is taken as approved, as answered, or
 * as a repetition.
 *
 * Shrinks to the first allowed tool's call, twice under one id.
 *
 * @example
 * [{ kind: "tool-call", callId: "same", name: "lookup_order", args: "{}" }, { kind: "tool-call", callId: "same", name: "refund_order", args: "{}" }]
 */
export const reusedCallId: ScriptClass<Pick> = {
  id: "reused-call-id",
  kind: "turn",
  says: "Two calls under one id, in one turn or in two.",
  needs: (setting) =>
    callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments",
  canonical: (setting) => {
    const [first] = callable(setting);
    if (first === undefined) return [];
    const [asked] = reachable(setting, "ask");
    const locked = gated(setting)
      .filter(({ tool }) => tool !== first.tool)
      .slice(0, 3);
    const again = asked === undefined || asked.tool === first.tool ? [] : ways(asked, asked, setting, 0);
    return [...[first, ...locked].flatMap((second) => ways(first, second, setting, 0)), ...again];
  },
  representatives: (setting) => {
    const [first] = callable(setting);
    const target = reachable(setting, "ask")[0] ?? first;
    return first === undefined || target === undefined ? [] : ways(first, target, setting, 0).slice(0, 1);
  },
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const first = at(callable(setting), args);
    const second = at([...callable(setting), ...gated(setting)], target);
    return first === undefined || second === undefined ? undefined : at(ways(first, second, setting, args), form);
  },
  isOne: () => false,
};

function ways(first: Candidate, second: Candidate, setting: Setting, place: number): readonly Move[] {
  const call = named(first, place);
  const other = named(second, first === second ? place + 1 : place);
  // Yes to the first, no to the second.
  const asked = [first, second].filter(({ tool }) => tool.permission !== "allow").length;
  const decisions =
    asked === 0 || setting.claims.approvals !== "asked"
      ? {}
      : { decisions: (["approve", "deny"] as const).slice(2 - (first.tool.permission === "allow" ? 1 : 2)) };
  const before = turnsTo(second, other).slice(0, -1);
  const apart: Move = { turns: [...turnsTo(first, call), ...before, turnOf(other)], ...decisions };
  if (setting.claims.parallelCalls === false) return [apart];
  const loads = turnsTo(first, call).slice(0, -1);
  return [apart, { turns: [...loads, ...before, turnOf(call, other)], ...decisions }];
}

function named(target: Candidate, place: number): Draft {
  return { ...callOf(target.tool.name, at(target.args, place)!), callId: "same" };
}
