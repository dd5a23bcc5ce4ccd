import type { DraftTurn, Move, Setting } from "../src/contract/script-class.ts";
import { type Candidate, reachable } from "./candidates.ts";
import { callOf, turnOf } from "./draft.ts";
import { answering } from "./setting.ts";

/**
 * Two honest things at once or one after the other: a call with prose beside it; two calls of one tool, the same again and
 * with other arguments; two tools, with arguments of their own and with equal ones; two sides of a policy; and what comes
 * after a human said no to two things.
 */
export function honestPairs(setting: Setting): readonly Move[] {
  const isParallel = setting.claims.parallelCalls !== false;
  const allowed = reachable(setting, "allow").filter(({ load }) => load === undefined);
  const [first, second] = allowed;
  if (first === undefined) return [];
  const call = callOf(first.tool.name, first.args[0]!);
  const prose = { kind: "text", text: "Let me look that up." } as const;
  const apart: (readonly DraftTurn[])[] = [[turnOf(prose, call)], [turnOf(call, prose)], [turnOf(call), turnOf(call)]];
  const together = [turnOf(call, call)];
  if (first.args.length > 1) {
    const other = callOf(first.tool.name, first.args[1]!);
    apart.push([turnOf(call), turnOf(other)]);
    together.push(turnOf(call, other));
  }
  if (second !== undefined) together.push(turnOf(call, callOf(second.tool.name, second.args[0]!)));
  for (const [one, two] of twins(allowed)) {
    apart.push([turnOf(one), turnOf(two)]);
    together.push(turnOf(one, two));
  }
  const moves = [...apart, ...(isParallel ? together.map((turn) => [turn]) : [])].map((turns): Move => ({ turns }));
  return [
    ...new Map(
      [...moves, ...sides(setting), ...afterDenials(setting, call)].map((move) => [JSON.stringify(move), move]),
    ).values(),
  ];
}

type Call = ReturnType<typeof callOf>;

/** Two tools, called with the same arguments: the first two of which that can be done. */
function twins(allowed: readonly Candidate[]): readonly (readonly [Call, Call])[] {
  for (const [index, { tool, args }] of allowed.entries()) {
    for (const object of args.slice(0, 4)) {
      const call = callOf(tool.name, object);
      const twin = allowed
        .slice(index + 1)
        .find((other) => other.tool !== tool && other.args.some((same) => callOf(tool.name, same).args === call.args));
      if (twin !== undefined) return [[call, { ...call, name: twin.tool.name }]];
    }
  }
  return [];
}

/** What the policy allows of a tool, before and after what a human says no to. */
function sides(setting: Setting): readonly Move[] {
  const allowed = reachable(setting, "allow");
  const asked = reachable(setting, "ask").find(
    ({ tool, load }) => load === undefined && allowed.some((other) => other.tool === tool),
  );
  const free = allowed.find(({ tool }) => tool === asked?.tool);
  if (asked === undefined || free === undefined) return [];
  const [yes, question] = [callOf(free.tool.name, free.args[0]!), callOf(asked.tool.name, asked.args[0]!)];
  return [
    { turns: [turnOf(yes), turnOf(question)], ...answering(setting, "deny") },
    { turns: [turnOf(question), turnOf(yes)], ...answering(setting, "deny") },
  ];
}

/** Nobody is told no for good: a third question of the same tool, and a call that needs nobody. */
function afterDenials(setting: Setting, free: Call): readonly Move[] {
  const asked = reachable(setting, "ask").find(({ args, load }) => load === undefined && args.length > 2);
  if (asked === undefined || setting.claims.approvals !== "asked") return [];
  const [first, second, third] = asked.args.slice(0, 3).map((args) => turnOf(callOf(asked.tool.name, args)));
  return [third!, turnOf(free)].map((last) => ({ turns: [first!, second!, last], ...answering(setting, "deny", 3) }));
}
