import type { Claims, Shape } from "../src/contract/harness.ts";
import type { Decision } from "../src/contract/script.ts";
import type { DraftTurn, Move, Setting } from "../src/contract/script-class.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import type { World } from "../src/world/world.ts";

const nothing: ReadonlySet<string> = new Set();

/**
 * What moves are resolved against: at the start of a run, or after some skills were loaded.
 *
 * @example
 * hiddenTool.canonical(settingOf(harness.world, harness.claims))
 */
export function settingOf(
  world: World,
  claims: Claims,
  shape: Shape = {},
  loaded: ReadonlySet<string> = nothing,
): Setting {
  return { world, claims, shape, loaded };
}

/** The setting after these turns: with the skills that they load, where the world has them. */
export function settingAfter(setting: Setting, turns: readonly DraftTurn[]): Setting {
  let here = setting;
  for (const turn of turns) {
    for (const proposal of turn.proposals) if (proposal.kind === "load-skill") here = withSkill(here, proposal.skill);
  }
  return here;
}

const further = new WeakMap<Setting, Map<string, Setting>>();

/** Always the same setting for the same load, so that what is known of it is found again. */
function withSkill(setting: Setting, skill: string): Setting {
  if (setting.loaded.has(skill) || !setting.world.skills.includes(skill)) return setting;
  const known = further.get(setting) ?? new Map<string, Setting>();
  further.set(setting, known);
  const next = known.get(skill) ?? { ...setting, loaded: new Set([...setting.loaded, skill]) };
  known.set(skill, next);
  return next;
}

/** What the human says to this many requests, where the harness asks one at all. */
export function answering({ claims }: Setting, decision: Decision, times = 1): Pick<Move, "decisions"> {
  return claims.approvals === "asked" ? { decisions: Array.from({ length: times }, () => decision) } : {};
}

/** Whether a tool stands on the menu in this setting. */
export function isOffered(tool: ToolSpec, { loaded }: Pick<Setting, "loaded">): boolean {
  return typeof tool.offered === "string" ? tool.offered === "always" : loaded.has(tool.offered.afterSkill);
}

/** The skill that has to be loaded before this tool is offered, where one will do. */
export function skillBefore(tool: ToolSpec, { claims, world }: Setting): string | undefined {
  if (typeof tool.offered === "string" || claims.hiddenTools !== "by-skill") return undefined;
  return world.skills.includes(tool.offered.afterSkill) ? tool.offered.afterSkill : undefined;
}
