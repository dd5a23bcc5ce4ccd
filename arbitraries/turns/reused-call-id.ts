import type { Draft, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, callable, gated, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { nearMisses } from "../near-misses.ts";
import { at, type Pick, picks } from "../pick.ts";

/**
 * Two calls under one id: the same call, another one, or the same tool with arguments that break its schema or that its
 * policy denies, in a later turn or in the same. What was decided about the first, and what it returned, says nothing about
 * the second.
 *
 * Harnesses get it wrong where approvals, verdicts or results are kept by id: the second call is taken as approved, as
 * checked, as answered, or as a repetition.
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
    const others = [first, ...locked].flatMap((second) => ways(first, second, setting, 0));
    return [...others, ...again, ...spoiltLater(setting, 0)];
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
    const spoilt = form % 12 === 11 ? spoiltLater(setting, target) : [];
    if (spoilt.length > 0) return at(spoilt, args);
    return first === undefined || second === undefined ? undefined : at(ways(first, second, setting, args), form);
  },
  isOne: () => false,
};

/** The same tool, first with arguments that may run, then with others that may not. */
function spoiltLater(setting: Setting, place: number): readonly Move[] {
  const allowed = reachable(setting, "allow");
  const target = setting.claims.argumentSchemas === true ? at(allowed, place) : undefined;
  const wrong = target && at(nearMisses(target.tool.inputSchema), place);
  const mistyped = wrong && callOf(target.tool.name, wrong.args);
  const free = allowed.find(({ tool }) => reachable(setting, "deny").some((other) => other.tool === tool));
  const denied = reachable(setting, "deny").find(({ tool }) => tool === free?.tool);
  return [
    ...(mistyped ? inTurns(target, named(target, place), { ...mistyped, callId: "same" }, setting) : []),
    ...(free && denied ? inTurns(free, named(free, place), named(denied, place), setting) : []),
  ];
}

function inTurns(target: Candidate, call: Draft, other: Draft, { claims }: Setting): readonly Move[] {
  const apart: Move = { turns: [...turnsTo(target, call), turnOf(other)] };
  return claims.parallelCalls === false ? [apart] : [apart, { turns: turnsTo(target, call, other) }];
}

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
