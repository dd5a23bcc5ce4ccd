import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import type { JsonObject } from "../../src/world/json.ts";
import { type Candidate, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { tellingSides } from "../policy-sides.ts";
import { answering } from "../setting.ts";
import { standingOf } from "../standing.ts";

const mostBounds = 24;

/**
 * A call to a tool that stands on the menu and that the policy denies, also one whose skill was loaded for it.
 *
 * Harnesses get it wrong where the denial is only a word in the prompt, where a loaded skill lifts it, or where asking
 * once more does.
 *
 * Shrinks to one call of the first denied tool.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "delete_account", args: '{"account":1}' }
 */
export const deniedTool: ScriptClass<Pick> = {
  id: "denied-tool",
  kind: "proposal",
  says: "An offered tool that the policy denies, also behind a loaded skill.",
  needs: (setting) => {
    if (!setting.claims.deny) return "deny is not claimed";
    return reachable(setting, "deny").length > 0 ? undefined : "no offered tool of this world is denied";
  },
  canonical: (setting) => {
    const tools = reachable(setting, "deny");
    const [first] = tools;
    const once = tools.map((tool) => ways(tool, tool.args[0]!, setting)[0]!);
    const bounds = tools
      .flatMap((tool) => tellingSides(tool.tool, tool.args).map((args) => ways(tool, args, setting)[0]!))
      .slice(0, mostBounds);
    const more = first?.args.slice(1, 3).map((args) => ways(first, args, setting)[0]!) ?? [];
    return first === undefined
      ? []
      : [
          ...once,
          ...new Map([...more, ...bounds].map((move) => [JSON.stringify(move), move])).values(),
          ...ways(first, first.args[0]!, setting).slice(1),
          ...sides(setting),
        ];
  },
  representatives: (setting) => {
    const tools = reachable(setting, "deny");
    const shown = tools.filter(({ load }) => load === undefined).slice(0, 1);
    const locked = tools.filter(({ load }) => load !== undefined).slice(0, 1);
    return [...shown, ...locked].map((tool) => ways(tool, tool.args[0]!, setting)[0]!);
  },
  core: (setting) =>
    reachable(setting, "deny")
      .slice(0, 1)
      .map((tool) => ways(tool, tool.args[0]!, setting)[0]!),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(reachable(setting, "deny"), target);
    return tool === undefined ? undefined : at(ways(tool, at(tool.args, args)!, setting), form);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "denied",
};

/** Before and after what the policy allows of the same tool, in one turn and in two: each is judged by its own arguments. */
function sides(setting: Setting): readonly Move[] {
  const allowed = reachable(setting, "allow").filter(({ load }) => load === undefined);
  const both = reachable(setting, "deny").flatMap((denied) => {
    const free = allowed.find(({ tool }) => tool === denied.tool);
    return free === undefined ? [] : [[denied, free] as const];
  });
  return both.slice(0, 2).flatMap(([denied, free]) => {
    const [no, yes] = [denied, free].map(({ tool, args }) => callOf(tool.name, args[0]!)) as [Call, Call];
    const apart = [
      [turnOf(yes), turnOf(no)],
      [turnOf(no), turnOf(yes)],
    ];
    const together = setting.claims.parallelCalls === false ? [] : [[turnOf(yes, no)], [turnOf(no, yes)]];
    return [...apart, ...together].map((turns): Move => ({ turns, ...answering(setting, "approve") }));
  });
}

type Call = ReturnType<typeof callOf>;

/** Once, and again and again as if that could help. */
function ways(tool: Candidate, args: JsonObject, setting: Setting): readonly Move[] {
  const call = callOf(tool.tool.name, args);
  const once = turnsTo(tool, call);
  const thrice = [...once, turnOf(call), turnOf(call)];
  // Where a human is asked about it all the same, the answer is yes: even then it must not run.
  return [
    { turns: once, ...answering(setting, "approve") },
    { turns: thrice, ...answering(setting, "approve", 3) },
  ];
}
