import type { Draft, DraftTurn, Setting } from "../src/contract/script-class.ts";
import type { JsonObject } from "../src/world/json.ts";
import { decide, type Permission, permissionsOf } from "../src/world/policy.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import { argumentsFor } from "./arguments-for.ts";
import { loadOf, turnOf } from "./draft.ts";
import { isOffered, skillBefore } from "./setting.ts";

/** A tool that a move may be about, with arguments to call it with (never none, the simplest first). */
export interface Candidate {
  readonly tool: ToolSpec;
  readonly args: readonly JsonObject[];
  /** The skill to load first. */
  readonly load?: string;
}

interface Candidates {
  readonly allow: readonly Candidate[];
  readonly ask: readonly Candidate[];
  readonly deny: readonly Candidate[];
  readonly hidden: readonly Candidate[];
  readonly callable: readonly Candidate[];
  readonly gated: readonly Candidate[];
}

/**
 * Tools that are offered, or would be after their skill is loaded, with valid arguments that the policy judges so. Those
 * that are offered already come first.
 */
export function reachable(setting: Setting, permission: Permission): readonly Candidate[] {
  return candidatesIn(setting)[permission];
}

/** Declared tools that are not offered in this setting. Where nothing valid is known they are called without arguments. */
export function hidden(setting: Setting): readonly Candidate[] {
  return candidatesIn(setting).hidden;
}

/** Every tool that is due to run, or due to be asked about. */
export function callable(setting: Setting): readonly Candidate[] {
  return candidatesIn(setting).callable;
}

/** Every tool that must not simply run: hidden, denied, or to be asked about. */
export function gated(setting: Setting): readonly Candidate[] {
  return candidatesIn(setting).gated;
}

const bySetting = new WeakMap<Setting, Candidates>();

function candidatesIn(setting: Setting): Candidates {
  let found = bySetting.get(setting);
  if (found === undefined) {
    found = sorted(setting);
    bySetting.set(setting, found);
  }
  return found;
}

function sorted(setting: Setting): Candidates {
  const { world, claims } = setting;
  const near = { allow: [] as Candidate[], ask: [] as Candidate[], deny: [] as Candidate[] };
  const far = { allow: [] as Candidate[], ask: [] as Candidate[], deny: [] as Candidate[] };
  const gone: Candidate[] = [];
  for (const tool of world.tools) {
    const offered = isOffered(tool, setting);
    const load = offered ? undefined : skillBefore(tool, setting);
    if (!offered && claims.hiddenTools !== "none") gone.push({ tool, args: argumentsOrNone(tool) });
    if (!offered && load === undefined) continue;
    const { permission: policy } = tool;
    for (const permission of typeof policy === "string" ? [policy] : new Set(permissionsOf(policy))) {
      if (permission === "ask" && claims.approvals === "none") continue;
      if (permission === "deny" && !claims.deny) continue;
      const args = argumentsWith(tool, permission);
      if (args.length === 0) continue;
      if (load === undefined) near[permission].push({ tool, args });
      else far[permission].push({ tool, args, load });
    }
  }
  return {
    allow: [...near.allow, ...far.allow],
    ask: [...near.ask, ...far.ask],
    deny: [...near.deny, ...far.deny],
    hidden: gone,
    callable: [...near.allow, ...near.ask, ...far.allow, ...far.ask],
    gated: [...near.ask, ...near.deny, ...gone, ...far.ask, ...far.deny],
  };
}

/** Of a tool whose permission depends on the arguments, so that it is a candidate twice, the first. */
export function eachOnce(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.filter(({ tool }, index) => candidates.findIndex((other) => other.tool === tool) === index);
}

/** The turns that call a candidate: its skill's load first, where it needs one. */
export function turnsTo(candidate: Candidate, ...proposals: readonly Draft[]): readonly DraftTurn[] {
  const call = turnOf(...proposals);
  return candidate.load === undefined ? [call] : [turnOf(loadOf(candidate.load)), call];
}

const empty: readonly JsonObject[] = [{}];

function argumentsOrNone(tool: ToolSpec): readonly JsonObject[] {
  const { pool } = argumentsFor(tool.inputSchema);
  return pool.length > 0 ? pool : empty;
}

const byPolicy = new WeakMap<ToolSpec, Map<Permission, readonly JsonObject[]>>();

/** Valid arguments for which the policy says this. For a denied tool they need not be valid. */
function argumentsWith(tool: ToolSpec, permission: Permission): readonly JsonObject[] {
  const { permission: policy, inputSchema } = tool;
  if (typeof policy === "string") return permission === "deny" ? argumentsOrNone(tool) : argumentsFor(inputSchema).pool;
  const known = byPolicy.get(tool) ?? new Map<Permission, readonly JsonObject[]>();
  byPolicy.set(tool, known);
  let found = known.get(permission);
  if (found === undefined) {
    // What a rule asks for may be rare among the arguments of the schema alone.
    const narrowed = policy.rules.flatMap(
      ({ when }) => argumentsFor({ ...inputSchema, allOf: [...allOf(inputSchema), when] }).pool,
    );
    found = [...argumentsFor(inputSchema).pool, ...narrowed].filter((args) => decide(policy, args) === permission);
    known.set(permission, found);
  }
  return found;
}

function allOf(schema: JsonObject): readonly JsonObject[] {
  return Array.isArray(schema.allOf) ? (schema.allOf as readonly JsonObject[]) : [];
}
