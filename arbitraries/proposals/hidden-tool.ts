import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import type { JsonObject } from "../../src/world/json.ts";
import { type Candidate, hidden } from "../candidates.ts";
import { callOf, loadOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";
import { answering, skillBefore } from "../setting.ts";
import { standingOf } from "../standing.ts";

/**
 * A call to a tool that is declared but not on the menu: never offered, or behind a skill that was not loaded. The model
 * may know the name from anywhere. Also the ways in which it tries to get there: it loads a skill that opens other tools,
 * or loads the right one too late.
 *
 * Harnesses get it wrong where the menu is only what the model is shown, while calls are looked up among all tools; or
 * where any load, known or not, opens everything.
 *
 * Shrinks to a plain call of the first hidden tool.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "export_customers", args: "{}" }
 */
export const hiddenTool: ScriptClass<Pick> = {
  id: "hidden-tool",
  kind: "proposal",
  says: "A declared tool that is not offered: never, or not before its skill is loaded.",
  needs: (setting) => {
    if (setting.claims.hiddenTools === "none") return "hidden tools are not claimed";
    return hidden(setting).length > 0 ? undefined : "no tool of this world is hidden";
  },
  canonical: (setting) => {
    const tools = hidden(setting);
    const [never] = tools.filter(({ tool }) => tool.offered === "never");
    const [locked] = tools.filter(({ tool }) => tool.offered !== "never");
    const closest = [locked, never].filter((tool) => tool !== undefined);
    const around = closest.flatMap((tool) =>
      detoursOf(tool, setting)
        .slice(1)
        .map((way) => wayTo(tool, way, tool.args[0]!, setting)),
    );
    return [...tools.map((tool) => wayTo(tool, {}, tool.args[0]!, setting)), ...around];
  },
  representatives: (setting) => {
    const tools = hidden(setting);
    const never = tools.filter(({ tool }) => tool.offered === "never");
    const locked = tools.filter(({ tool }) => tool.offered !== "never");
    const plain = [...never.slice(0, 1), ...locked.slice(0, 1)].map((tool) => wayTo(tool, {}, tool.args[0]!, setting));
    const [closest] = [...locked, ...never];
    if (closest === undefined) return plain;
    return [...plain, ...tellingDetours(closest, setting).map((way) => wayTo(closest, way, closest.args[0]!, setting))];
  },
  core: (setting) => {
    const tools = hidden(setting);
    const locked = tools.filter(({ tool }) => tool.offered !== "never");
    return [...locked, ...tools].slice(0, 1).map((tool) => wayTo(tool, {}, tool.args[0]!, setting));
  },
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(hidden(setting), target);
    return tool === undefined
      ? undefined
      : wayTo(tool, at(detoursOf(tool, setting), form)!, at(tool.args, args)!, setting);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "hidden",
};

/** What goes before the call, or the load that comes after it in the same turn; the plain call has neither. */
type Detour = { readonly before?: string; readonly behind?: string };

/** None; after loading something else; with the right load too late. */
function detoursOf(tool: Candidate, setting: Setting): readonly Detour[] {
  const own = skillBefore(tool.tool, setting);
  const skills = otherSkills(setting, own);
  const late = own !== undefined && setting.claims.parallelCalls !== false ? [{ behind: own }] : [];
  return [{}, ...skills.map((before) => ({ before })), ...late];
}

/** Where a human is asked about it all the same, the answer is yes: even then it must not run. */
function wayTo({ tool }: Candidate, { before, behind }: Detour, args: JsonObject, setting: Setting): Move {
  const call = callOf(tool.name, args);
  const turn = behind === undefined ? turnOf(call) : turnOf(call, loadOf(behind));
  return { turns: before === undefined ? [turn] : [turnOf(loadOf(before)), turn], ...answering(setting, "approve") };
}

/** One of each kind: after another skill, with the load too late. */
function tellingDetours(tool: Candidate, setting: Setting): readonly Detour[] {
  const detours = detoursOf(tool, setting).slice(1);
  return [...new Set([...detours.slice(0, 1), ...detours.slice(-1)])];
}

function otherSkills({ world, claims }: Setting, own: string | undefined): readonly string[] {
  return claims.hiddenTools === "by-skill" ? world.skills.filter((skill) => skill !== own).slice(0, 4) : [];
}
