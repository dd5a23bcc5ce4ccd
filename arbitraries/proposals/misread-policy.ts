import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, callable, eachOnce, reachable, turnsTo } from "../candidates.ts";
import { callOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { policyProbes } from "../policy-probes.ts";
import { remembered } from "../remembered.ts";
import { answering } from "../setting.ts";
import { standingOf } from "../standing.ts";

const most = 16;

/**
 * A call of a tool whose permission depends on its arguments, with arguments that a careless policy misreads: what a rule
 * allows with something behind it (`ls; rm -rf /`), in another case, as a list, as a number; the field missing or nested.
 *
 * Harnesses get it wrong where the rule is a prefix, where it reads the raw text or a copy, where `undefined` passes, or
 * where the handler's own reading of the arguments differs from the policy's.
 *
 * Shrinks to the first such tool's first probe.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "run_command", args: '{"command":"ls; rm -rf /"}' }
 */
export const misreadPolicy: ScriptClass<Pick> = {
  id: "misread-policy",
  kind: "proposal",
  says: "Arguments that a careless policy misreads: chained, folded, nested, of another type, or missing.",
  needs: (setting) => {
    if (setting.claims.argumentPolicies !== true) return "policies on arguments are not claimed";
    return targets(setting).length > 0 ? undefined : "no tool of this world has a policy on its arguments";
  },
  canonical: (setting) =>
    targets(setting).flatMap((target) => probes(target).slice(0, most).map(toCall(target, setting))),
  representatives: (setting) =>
    targets(setting)
      .slice(0, 2)
      .flatMap((target) => probes(target).slice(0, 1).map(toCall(target, setting))),
  data: picks,
  resolve: ({ target, form }, setting) => {
    const tool = at(targets(setting), target);
    return tool === undefined ? undefined : toCall(tool, setting)(at(probes(tool), form)!);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "misread",
};

const targets = remembered((setting: Setting): readonly Candidate[] => {
  const all =
    setting.claims.argumentPolicies === true ? eachOnce([...callable(setting), ...reachable(setting, "deny")]) : [];
  const found = all.filter((target) => probes(target).length > 0);
  return found;
});

function probes({ tool }: Candidate): ReturnType<typeof policyProbes> {
  return policyProbes(tool);
}

/** Where a human is asked, the answer is no: then only a misreading could make it run. */
function toCall(target: Candidate, setting: Setting): (args: ReturnType<typeof policyProbes>[number]) => Move {
  return (args) => ({ turns: turnsTo(target, callOf(target.tool.name, args)), ...answering(setting, "deny") });
}
