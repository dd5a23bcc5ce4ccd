import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { callsWith } from "../callable-moves.ts";
import { type Candidate, callable, eachOnce } from "../candidates.ts";
import { type NearMiss, nearMisses } from "../near-misses.ts";
import { at, type Pick, picks } from "../pick.ts";
import { refinementBreaks } from "../refinement-breaks.ts";
import { remembered } from "../remembered.ts";
import { standingOf } from "../standing.ts";

const most = 64;
const mostOfOne = 9;
const mostRefined = 24;
const refinedOfOne = 6;

/**
 * A permitted call whose arguments break exactly one keyword of the tool's schema: a field missing, a number as text, a
 * value just out of bounds, one key too many, at the top or nested. Where the harness tells what its own schema refuses, also
 * arguments that only a refinement of it speaks against.
 *
 * Harnesses get it wrong where the schema is only shown to the model, where values are coerced, where only the top level
 * is looked at, where the check stands behind the handler, or where a copy of the schema has no refinements.
 *
 * Shrinks to the first allowed tool without its first required field.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "lookup_order", args: '{"order":7}' }
 */
export const mistypedArguments: ScriptClass<Pick> = {
  id: "mistyped-arguments",
  kind: "proposal",
  says: "A permitted call whose arguments break exactly one keyword of its schema, or a refinement.",
  needs: (setting) => {
    if (setting.claims.argumentSchemas !== true) return "checking arguments against schemas is not claimed";
    return targets(setting).length > 0 ? undefined : "no tool of this world has a schema that refuses anything";
  },
  canonical: (setting) => {
    const bySchema = new Map(
      targets(setting)
        .toReversed()
        .map((target) => [target.candidate.tool.inputSchema, target]),
    );
    const distinct = targets(setting).filter((target) => bySchema.get(target.candidate.tool.inputSchema) === target);
    const cases = distinct.flatMap((target) => moves(target, setting).slice(0, mostOfOne)).slice(0, most);
    const refined = targets(setting).flatMap((target) =>
      callsWith(target.candidate, target.refined.slice(0, refinedOfOne), setting),
    );
    const all = [...cases, ...telling(setting), ...refined.slice(0, mostRefined)];
    return [...new Map(all.map((move) => [JSON.stringify(move), move])).values()];
  },
  representatives: telling,
  data: picks,
  resolve: ({ target, form }, setting) => {
    const found = at(targets(setting), target);
    return found === undefined ? undefined : callsWith(found.candidate, [at(found.texts, form)!], setting)[0];
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "mistyped",
};

interface Target {
  readonly candidate: Candidate;
  readonly texts: readonly string[];
  /** Those that are wrong inside a nested value, where the top level is as it should be. */
  readonly deep: readonly string[];
  /** Those that only a refinement speaks against. */
  readonly refined: readonly string[];
}

const targets = remembered((setting: Setting): readonly Target[] => {
  const found =
    setting.claims.argumentSchemas === true
      ? eachOnce(callable(setting)).flatMap((candidate): Target[] => {
          const texts = textsFor(candidate, setting);
          const deep = nearMisses(candidate.tool.inputSchema)
            .filter(isNested)
            .map(({ args }) => JSON.stringify(args));
          const refined = refinementBreaks(candidate.tool, setting).map((args) => JSON.stringify(args));
          const among = (some: readonly string[]) => some.filter((text) => texts.includes(text));
          return texts.length === 0 ? [] : [{ candidate, texts, deep: among(deep), refined: among(refined) }];
        })
      : [];
  return found;
});

/** A policy on the arguments may have another reason to refuse them: then they belong elsewhere. */
function textsFor({ tool }: Candidate, setting: Setting): readonly string[] {
  const broken = [...nearMisses(tool.inputSchema).map(({ args }) => args), ...refinementBreaks(tool, setting)];
  const texts = broken.map((args) => JSON.stringify(args));
  if (typeof tool.permission === "string" && tool.inputSchema.properties === undefined) return texts;
  const open = {
    ...setting,
    world: { tools: [{ ...tool, offered: "always" as const }], skills: [], maxSteps: 1 },
    shape: {},
    loaded: new Set<string>(),
  };
  return texts.filter(
    (args) => standingOf({ kind: "tool-call", callId: "call-1", name: tool.name, args }, open) === "mistyped",
  );
}

function isNested({ path }: NearMiss): boolean {
  return path.filter((step) => step === "properties").length > 1;
}

function moves({ candidate, texts }: Target, setting: Setting): readonly Move[] {
  return callsWith(candidate, texts, setting);
}

/** The first tool's first one, and one that is wrong where only a look inside a value shows it. */
function telling(setting: Setting): readonly Move[] {
  const every = targets(setting);
  const nested = every.filter(({ deep }) => deep.length > 0).slice(0, 1);
  return [
    ...every.slice(0, 1).flatMap((target) => moves(target, setting).slice(0, 1)),
    ...nested.flatMap(({ candidate, deep }) => callsWith(candidate, deep.slice(0, 1), setting)),
  ];
}
