import type { ScriptClass } from "../../src/contract/script-class.ts";
import { callsWith } from "../callable-moves.ts";
import { callable, eachOnce, gated } from "../candidates.ts";
import { at, type Pick, picks } from "../pick.ts";
import { pollutingTexts } from "../polluting-texts.ts";
import { standingOf } from "../standing.ts";

/**
 * Arguments with keys that every object inherits: `__proto__` and `constructor.prototype` at the top or nested, holding
 * fields that the schema requires or the policy looks for; `hasOwnProperty`, `toString`, `then` as plain fields.
 *
 * Harnesses get it wrong where arguments are merged key by key into another object, where a required field counts as
 * there though it is inherited, or where `args.hasOwnProperty(key)` is called.
 *
 * Shrinks to `__proto__` beside the simplest arguments of the first allowed tool.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "lookup_order", args: '{"__proto__":{"order":"A-1"}}' }
 */
export const pollutingArguments: ScriptClass<Pick> = {
  id: "polluting-arguments",
  kind: "proposal",
  says: "Arguments with keys that every object inherits, such as `__proto__`.",
  needs: (setting) =>
    callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments",
  canonical: (setting) => {
    const [first, ...others] = eachOnce(callable(setting));
    if (first === undefined) return [];
    const locked = gated(setting)
      .filter(({ tool }) => tool !== first.tool)
      .slice(0, 3);
    return [
      ...callsWith(first, pollutingTexts(first.args[0]!), setting, "deny"),
      ...others
        .slice(0, 1)
        .flatMap((target) => callsWith(target, pollutingTexts(target.args[0]!).slice(0, 3), setting, "deny")),
      ...locked
        .filter(({ tool }) => !others.slice(0, 1).some((other) => other.tool === tool))
        .flatMap((target) => callsWith(target, pollutingTexts(target.args[0]!).slice(4, 5), setting, "deny")),
    ];
  },
  representatives: (setting) =>
    callable(setting)
      .slice(0, 1)
      .flatMap((target) => callsWith(target, pollutingTexts(target.args[0]!).slice(0, 2), setting, "deny")),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const targets = form % 5 === 4 && gated(setting).length > 0 ? gated(setting) : callable(setting);
    const tool = at(targets, target);
    if (tool === undefined) return undefined;
    return callsWith(tool, [at(pollutingTexts(at(tool.args, args)!), form)!], setting, "deny")[0];
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "polluting",
};
