import type { DraftTurn, Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import type { ModelFailure } from "../../src/contract/turn.ts";
import { callable, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { answering } from "../setting.ts";

type Failures = readonly ModelFailure["failure"][];

const failures: readonly Failures[] = [
  ["rate-limit"],
  ["timeout"],
  ["overloaded", "overloaded"],
  ["connection", "timeout", "rate-limit"],
  ["connection"],
  ["overloaded"],
];

/**
 * The model's own request fails, once or several times, before or after a call; or fails from then on. A harness may give
 * up, or ask again; what has run must not run again for it.
 *
 * Harnesses get it wrong where the whole step is tried again with the calls that it had already run, where the retries have
 * no end, or where the failure leaves the run hanging.
 *
 * Shrinks to one failed request before the first allowed tool's call.
 *
 * @example
 * { turns: [lookup, { ...answer, failing: ["timeout"] }] }
 */
export const modelFailure: ScriptClass<Pick> = {
  id: "model-failure",
  kind: "turn",
  says: "The model's own requests fail: before a call, after it, or from then on.",
  needs: ({ shape }) => (shape.loop === "none" ? "the harness has no loop of its own" : undefined),
  canonical: (setting) => {
    if (setting.shape.loop === "none") return [];
    const [first, ...others] = failures.map((failing) => ways(failing, setting, 0));
    const few = others.flatMap((moves) => moves.filter(({ afterTurns }) => afterTurns === undefined).slice(0, 2));
    return [...first!, ...few];
  },
  representatives: (setting) => (setting.shape.loop === "none" ? [] : ways(failures[1]!, setting, 0).slice(1, 2)),
  data: picks,
  resolve: ({ target, form, args }, setting) =>
    setting.shape.loop === "none" ? undefined : at(ways(at(failures, args)!, setting, target), form),
  isOne: () => false,
};

function ways(failing: Failures, setting: Setting, place: number): readonly Move[] {
  const nothing: DraftTurn = { proposals: [{ kind: "text", text: "That is all." }], stop: "end", failing };
  const target = at([...reachable(setting, "allow"), ...callable(setting)], place);
  if (target === undefined) return [{ turns: [nothing] }, { turns: [nothing], afterTurns: "keep-failing" }];
  const call = callOf(target.tool.name, target.args[0]!);
  const turns = turnsTo(target, call);
  const answer = target.tool.permission === "allow" ? {} : answering(setting, "approve", 2);
  const [first, ...rest] = turns;
  return [
    { turns: [{ ...first!, failing }, ...rest], ...answer },
    { turns: [...turns, nothing], ...answer },
    { turns: [...turns, { ...turnOf(call), failing }], ...answer },
    { turns, ...answer, afterTurns: "keep-failing" },
  ];
}
