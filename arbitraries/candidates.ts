import type { Draft, DraftTurn, Setting } from "../src/contract/script-class.ts";
import { type JsonSchema, satisfies } from "../src/world/input-schema.ts";
import type { JsonObject } from "../src/world/json.ts";
import { decide, type Permission, permissionsOf } from "../src/world/policy.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import { argumentsFor } from "./arguments-for.ts";
import { loadOf, turnOf } from "./draft.ts";
import { nearMisses } from "./near-misses.ts";
import { policySides } from "./policy-sides.ts";
import { remembered } from "./remembered.ts";
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

const candidatesIn = remembered(sorted);

function sorted(setting: Setting): Candidates {
  const { world, claims } = setting;
  const near = { allow: [] as Candidate[], ask: [] as Candidate[], deny: [] as Candidate[] };
  const far = { allow: [] as Candidate[], ask: [] as Candidate[], deny: [] as Candidate[] };
  const gone: Candidate[] = [];
  for (const tool of world.tools) {
    const offered = isOffered(tool, setting);
    const load = offered ? undefined : skillBefore(tool, setting);
    const parts = partsOf(tool);
    if (!offered && claims.hiddenTools !== "none") gone.push(parts.hidden);
    if (!offered && load === undefined) continue;
    for (const [permission, plain, afterLoad] of parts.called) {
      if (permission === "ask" && claims.approvals === "none") continue;
      if (permission === "deny" && !claims.deny) continue;
      if (load === undefined) near[permission].push(plain);
      else far[permission].push(afterLoad);
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

/** What one tool comes to in any world: the same few tools stand in thousands of worlds. */
interface Parts {
  readonly hidden: Candidate;
  readonly called: readonly (readonly [permission: Permission, plain: Candidate, afterLoad: Candidate])[];
}

const byTool = new WeakMap<ToolSpec, Parts>();

function partsOf(tool: ToolSpec): Parts {
  const known = byTool.get(tool);
  if (known !== undefined) return known;
  const called = [...new Set(permissionsOf(tool.permission))].flatMap((permission): Parts["called"] => {
    const args = argumentsWith(tool, permission);
    const load = typeof tool.offered === "string" ? {} : { load: tool.offered.afterSkill };
    return args.length === 0 ? [] : [[permission, { tool, args }, { tool, args, ...load }]];
  });
  const found = { hidden: { tool, args: argumentsOrNone(tool) }, called };
  byTool.set(tool, found);
  return found;
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

/** Valid arguments for which the policy says this. For a denied tool they need not be valid. */
function argumentsWith(tool: ToolSpec, permission: Permission): readonly JsonObject[] {
  const { permission: policy, inputSchema } = tool;
  if (typeof policy === "string") return permission === "deny" ? argumentsOrNone(tool) : argumentsFor(inputSchema).pool;
  // What a rule asks for may be rare among the arguments of the schema alone.
  const narrowed = policy.rules.map(({ when }) => ({ ...inputSchema, allOf: [...allOf(inputSchema), when] }));
  const known = [...argumentsFor(inputSchema).pool, ...narrowed.flatMap((schema) => argumentsFor(schema).pool)];
  const found = known.filter((args) => decide(policy, args) === permission);
  const simple =
    found.length > 0 ? found : justPast(narrowed, inputSchema).filter((args) => decide(policy, args) === permission);
  const texts = new Set(simple.map((args) => JSON.stringify(args)));
  const others = policySides(tool).filter(
    (args) => decide(policy, args) === permission && !texts.has(JSON.stringify(args)),
  );
  return [...simple, ...others];
}

/** What a rule leaves to those behind it: valid arguments that are just outside of it. */
function justPast(narrowed: readonly JsonSchema[], inputSchema: JsonSchema): readonly JsonObject[] {
  const past = narrowed.flatMap((schema) => nearMisses(schema).map(({ args }) => args));
  return past.filter((args) => satisfies(inputSchema, args));
}

function allOf(schema: JsonObject): readonly JsonObject[] {
  return Array.isArray(schema.allOf) ? (schema.allOf as readonly JsonObject[]) : [];
}
