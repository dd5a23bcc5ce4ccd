import fc from "fast-check";
import { type Script, scriptSchema, sizeOf } from "../src/contract/script.ts";
import type { Move, ScriptClass, Setting } from "../src/contract/script-class.ts";
import { parseJson, sameJson } from "../src/world/json.ts";
import { settingAfter } from "./setting.ts";
import { weave } from "./weave.ts";

/** How a class breaks a law, in one sentence; `undefined` where it keeps it. */
export type Breach = string | undefined;

/** What every class has to obey, ours and anyone's. */
export interface Law {
  readonly id: string;
  readonly says: string;
  /** Looks for a breach in one setting. */
  breach(entry: ScriptClass, setting: Setting): Breach;
}

const draws = { seed: 1, numRuns: 40 };

/**
 * The laws for proposal, handler and operator classes.
 *
 * @example
 * for (const law of laws) expect(law.breach(myClass, settingOf(world, claims))).toBeUndefined();
 */
export const laws: readonly Law[] = [
  {
    id: "needs-tells-the-truth",
    says: "Where nothing is needed there are fixed cases, which may be too dear for pairs; where something is, there is none.",
    breach: (entry, setting) => {
      const needs = entry.needs(setting);
      const [cases, few] = [entry.canonical(setting).length, entry.representatives(setting).length];
      if (needs === undefined) return cases > 0 ? undefined : "needs nothing, but has no cases";
      return cases + few === 0 ? undefined : `is not generated (${needs}), but has cases`;
    },
  },
  {
    id: "same-seed-same-move",
    says: "The same data in the same setting is the same move.",
    breach: (entry, setting) =>
      sameJson(movesOf(entry, setting), movesOf(entry, setting)) ? undefined : "gives another move for the same seed",
  },
  {
    id: "no-case-twice",
    says: "No two fixed cases are the same.",
    breach: (entry, setting) => {
      const texts = entry.canonical(setting).map((move) => JSON.stringify(move));
      const seen = new Set<string>();
      const double = texts.find((text) => seen.size === seen.add(text).size);
      return double === undefined ? undefined : `has this case twice: ${double.slice(0, 200)}`;
    },
  },
  {
    id: "representatives-are-cases",
    says: "What stands for the class in pairs is one of its fixed cases.",
    breach: (entry, setting) => {
      const cases = new Set(entry.canonical(setting).map((move) => JSON.stringify(move)));
      const stranger = entry
        .representatives(setting)
        .map((move) => JSON.stringify(move))
        .find((text) => !cases.has(text));
      return stranger === undefined ? undefined : `is represented by what is no case of it: ${stranger.slice(0, 200)}`;
    },
  },
  {
    id: "moves-are-valid-scripts",
    says: "Every move is a script, and survives being saved.",
    breach: (entry, setting) =>
      firstBreach(entry, setting, (move) => {
        const script = weave(setting.world, [move]);
        if (!scriptSchema.safeParse(script).success) return "gives a move that is no valid script";
        return sameJson(JSON.parse(JSON.stringify(script)), script)
          ? undefined
          : "gives a move that changes when it is saved";
      }),
  },
  {
    id: "moves-hold-only-what-is-claimed",
    says: "No load, approval, shared turn, cut-off turn, abort, edit, endless wait or unparsable text where the claims and the shape leave no room for it.",
    breach: (entry, setting) => firstBreach(entry, setting, (move) => unclaimed(move, setting)),
  },
  {
    id: "moves-are-what-the-class-says",
    says: "Every move of a proposal class holds a proposal that the class recognises.",
    breach: (entry, setting) =>
      firstBreach(entry, setting, (move) => {
        if (entry.kind !== "proposal") return undefined;
        return holdsOne(entry, move, setting) ? undefined : "gives a move without a proposal that it recognises";
      }),
  },
  {
    id: "draws-shrink-to-smaller-moves",
    says: "What a drawn move shrinks to is no larger than it was.",
    breach: (entry, setting) => {
      const size = (data: unknown) => weight(entry.resolve(data, setting), setting);
      const { first, last } = firstAndLast(entry);
      return size(first) === 0 || size(last) <= size(first) ? undefined : "shrinks to a larger move";
    },
  },
];

/** All that a class gives in one setting: its fixed cases, its representatives and some drawn moves. */
export function movesOf(entry: ScriptClass, setting: Setting): readonly Move[] {
  const drawn = fc.sample(entry.data, draws).map((data) => entry.resolve(data, setting));
  return [
    ...entry.canonical(setting),
    ...entry.representatives(setting),
    ...drawn.filter((move) => move !== undefined),
  ];
}

function firstBreach(entry: ScriptClass, setting: Setting, breach: (move: Move) => Breach): Breach {
  for (const move of movesOf(entry, setting)) {
    const found = breach(move);
    if (found !== undefined) return `${found}: ${JSON.stringify(move).slice(0, 200)}`;
  }
  return undefined;
}

function unclaimed(move: Move, setting: Setting): Breach {
  const { claims, shape } = setting;
  const circumstance = unclaimedCircumstance(move, setting);
  if (circumstance !== undefined) return circumstance;
  for (const { proposals, stop } of move.turns) {
    if (stop === "length" && claims.stopReason !== true) return "has a turn that was cut off";
    const calls = proposals.filter(({ kind }) => kind !== "text");
    if (calls.length > 1 && claims.parallelCalls === false) return "has two calls in one turn";
    for (const proposal of proposals) {
      if (proposal.kind === "load-skill" && claims.hiddenTools !== "by-skill") return "loads a skill";
      if (proposal.kind !== "tool-call" || shape.argumentText !== "parsed") continue;
      if (parseJson(proposal.args) === undefined) return "has arguments that are no JSON";
    }
  }
  return undefined;
}

function unclaimedCircumstance({ decisions = [], handlers = {}, ...move }: Move, { claims }: Setting): Breach {
  const isAsked = claims.approvals === "asked";
  if (decisions.length > 0 && !isAsked) return "lets a human decide though nobody is asked";
  if (move.modelEditsInput === true && claims.log !== true) return "lets the model edit what it is shown";
  if (move.abort !== undefined && claims.abort !== true) return "aborts the run";
  if (move.abort?.during === "approval" && !isAsked)
    return "aborts the run while a human decides though nobody is asked";
  if (claims.deadlineMs !== undefined) return undefined;
  if (decisions.includes("late-approve")) return "lets a human answer after a deadline that there is not";
  const behaviours = Object.values(handlers).flat();
  const hangs = decisions.includes("hang") || behaviours.some(({ kind }) => kind === "hang");
  return hangs && move.abort === undefined ? "waits for ever" : undefined;
}

function holdsOne(entry: ScriptClass, move: Move, setting: Setting): boolean {
  let here = setting;
  for (const turn of weave(setting.world, [move]).turns) {
    if ("kind" in turn) continue;
    for (const proposal of turn.proposals) {
      if (entry.isOne(proposal, here)) return true;
      here = settingAfter(here, [{ proposals: [proposal], stop: turn.stop }]);
    }
  }
  return false;
}

function weight(move: Move | undefined, { world }: Setting): number {
  if (move === undefined) return 0;
  const script: Script = weave(world, [move]);
  return sizeOf(script);
}

/** The first value that is drawn, and what it shrinks to where everything fails. */
function firstAndLast(entry: ScriptClass): { readonly first: unknown; readonly last: unknown } {
  const [first] = fc.sample(entry.data, { seed: draws.seed, numRuns: 1 });
  const run = fc.check(
    fc.property(entry.data, () => false),
    { seed: draws.seed },
  );
  return { first, last: run.counterexample?.[0] };
}
