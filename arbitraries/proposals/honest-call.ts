import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { satisfies } from "../../src/world/input-schema.ts";
import type { JsonObject } from "../../src/world/json.ts";
import { decide } from "../../src/world/policy.ts";
import { type Candidate, callable, reachable, turnsTo } from "../candidates.ts";
import { callOf, loadOf, turnOf } from "../draft.ts";
import { honestPairs } from "../honest-pairs.ts";
import { at, type Pick, picks } from "../pick.ts";
import { tellingSides } from "../policy-sides.ts";
import { answering } from "../setting.ts";
import { standingOf } from "../standing.ts";

const mostSides = 24;

/**
 * What a well-behaved model does: it calls an offered tool with valid arguments, or loads a skill that exists. It is the
 * control group, since a harness that refuses everything is safe and useless. A call that only lacks approval belongs
 * here too: it is due to reach a human, or to end the run.
 *
 * Harnesses get it wrong where one call disturbs another: the second of two is skipped, the same arguments count as the
 * same call, a yes is asked for twice.
 *
 * Shrinks to the first allowed tool with its simplest arguments.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "lookup_order", args: '{"order":"A-1"}' }
 */
export const honestCall: ScriptClass<Pick> = {
  id: "honest-call",
  kind: "proposal",
  says: "A permitted call with valid arguments, or one that only lacks approval.",
  needs: (setting) =>
    callable(setting).length > 0 ? undefined : "no tool of this world can be called with valid arguments",
  canonical: (setting) => {
    const tools = callable(setting);
    const others = [...tools.slice(0, 1).flatMap((tool) => tool.args.slice(1, 4).map((args) => [tool, args] as const))];
    const telling = tools.flatMap((tool) => tellingArguments(tool).map((args) => [tool, args] as const));
    const sides = tools.flatMap((tool) => tellingSides(tool.tool, tool.args).map((args) => [tool, args] as const));
    const all = [...others, ...telling, ...sides.slice(0, mostSides)];
    const more = new Map(all.map((call) => [JSON.stringify([call[0].tool.name, call[1]]), call]));
    return [
      ...tools.flatMap((tool) => answered(tool, [tool.args[0]!], setting)),
      ...[...more.values()].flatMap(([tool, args]) => answered(tool, [args], setting).slice(0, 1)),
      ...tools
        .flatMap(padded)
        .slice(0, 1)
        .flatMap(([tool, args]) => answered(tool, [args], setting).slice(0, 1)),
      ...honestPairs(setting),
      ...loads(setting),
    ];
  },
  representatives: (setting) => {
    const allowed = reachable(setting, "allow");
    const shown = allowed.filter(({ load }) => load === undefined);
    const gone = allowed.filter(({ load }) => load !== undefined);
    const asked = reachable(setting, "ask").slice(0, 1);
    const chosen = [...new Set([...shown.slice(0, 1), ...shown.slice(1).slice(-1), ...gone.slice(0, 1), ...asked])];
    return chosen.flatMap((tool) => answered(tool, [tool.args[0]!], setting));
  },
  core: (setting) => {
    const called = [...reachable(setting, "allow").slice(0, 2), ...reachable(setting, "ask").slice(0, 1)];
    const calls = called.map((tool) => answered(tool, [tool.args[0]!], setting)[0]!);
    return [...calls, ...loads(setting).slice(0, 2)];
  },
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(callable(setting), target);
    return tool === undefined ? undefined : at(answered(tool, [at(tool.args, args)!], setting), form);
  },
  isOne: (proposal, setting) => {
    const standing = standingOf(proposal, setting);
    return standing === "honest" || standing === "known-skill";
  },
};

/**
 * Other arguments than the simplest: the first with a value that counts as nothing (0, "", false), the most fields, and the
 * fields written in another order than the schema has them in, for those who pass them on by position.
 */
function tellingArguments({ args }: Candidate): readonly JsonObject[] {
  const others = args.slice(1);
  const empty = others.find((object) => Object.values(object).some((value) => !value));
  const most = Math.max(0, ...args.map((object) => Object.keys(object).length));
  const fullest = others.find((object) => Object.keys(object).length === most && most > 1);
  const mixed = args.find((object) => new Set(Object.values(object).map((value) => JSON.stringify(value))).size > 1);
  const backwards = mixed === undefined ? undefined : Object.fromEntries(Object.entries(mixed).reverse());
  return [empty, fullest, backwards].filter((object) => object !== undefined);
}

/** With space around a text: whoever trims it gives the handler another one. */
function padded(candidate: Candidate): readonly (readonly [Candidate, JsonObject])[] {
  const { tool, args } = candidate;
  if (typeof tool.permission !== "string") return [];
  for (const object of args.slice(0, 4)) {
    for (const [key, value] of Object.entries(object)) {
      const other = typeof value === "string" && value !== "" ? { ...object, [key]: ` ${value} ` } : undefined;
      if (other !== undefined && satisfies(tool.inputSchema, other)) return [[candidate, other]];
    }
  }
  return [];
}

/** The calls, one turn each, with each answer that a human could give to all of them. */
function answered(tool: Candidate, calls: readonly JsonObject[], setting: Setting): readonly Move[] {
  const [first, ...others] = calls.map((args) => callOf(tool.tool.name, args));
  const turns = [...turnsTo(tool, first!), ...others.map((call) => turnOf(call))];
  if (setting.claims.approvals !== "asked" || !isAskedAbout(tool, calls)) return [{ turns }];
  return (["approve", "deny"] as const).map((decision) => ({ turns, ...answering(setting, decision, calls.length) }));
}

function isAskedAbout({ tool }: Candidate, calls: readonly JsonObject[]): boolean {
  return calls.some((args) => decide(tool.permission, args) === "ask");
}

function loads({ world, claims }: Setting): readonly Move[] {
  if (claims.hiddenTools !== "by-skill") return [];
  return world.skills.map((skill) => ({ turns: [turnOf(loadOf(skill))] }));
}
