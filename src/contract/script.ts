import { z } from "zod";
import { type World, worldSchema } from "../world/world.ts";
import { type Behaviour, behaviourSchema } from "./behaviour.ts";
import { type ModelFailure, modelFailureSchema, type Proposal, type Turn, turnSchema } from "./turn.ts";

/** What the human answers. "later" stays open (rejects with `UndecidedError`), "late-approve" comes after the deadline. */
export type Decision = "approve" | "deny" | "later" | "throw" | "hang" | "late-approve";

/**
 * Everything the outside does in one run: the truth that shrinks, is saved and replays. The seed is only where it came from.
 */
export interface Script {
  readonly format: 1;
  readonly world: World;
  readonly turns: readonly (Turn | ModelFailure)[];
  /** `end`: one text with stop `end` follows, for ever. `repeat-last`: the last turn again, each time with fresh call ids. */
  readonly afterTurns: "end" | "repeat-last";
  /** Per tool and per invocation; past the end, the last one; none: a harmless text. */
  readonly handlers: { readonly [tool: string]: readonly Behaviour[] };
  /** Per approval request; past the end, the last one; none: deny. */
  readonly decisions: readonly Decision[];
  readonly abort?: { readonly during: "model" | "handler" | "approval"; readonly at: number };
  readonly modelEditsInput?: boolean;
  /** Runs played earlier on the same harness. */
  readonly before?: readonly Script[];
  /** Runs side by side on one harness, and their interleaving. */
  readonly beside?: readonly Script[];
  readonly schedule?: readonly number[];
}

export const decisionSchema = z.enum(["approve", "deny", "later", "throw", "hang", "late-approve"]);

export const scriptSchema: z.ZodType<Script> = z.strictObject({
  format: z.literal(1),
  world: worldSchema,
  turns: z.array(z.union([turnSchema, modelFailureSchema])),
  afterTurns: z.enum(["end", "repeat-last"]),
  handlers: z.record(z.string(), z.array(behaviourSchema)),
  decisions: z.array(decisionSchema),
  abort: z
    .strictObject({ during: z.enum(["model", "handler", "approval"]), at: z.int().nonnegative() })
    .exactOptional(),
  modelEditsInput: z.boolean().exactOptional(),
  before: z.lazy(() => z.array(scriptSchema)).exactOptional(),
  beside: z.lazy(() => z.array(scriptSchema)).exactOptional(),
  schedule: z.array(z.int().nonnegative()).exactOptional(),
});

/** The proposals written in a script's own turns, in order. */
export function proposalsOf(script: Script): readonly Proposal[] {
  return script.turns.flatMap((turn) => ("kind" in turn ? [] : turn.proposals));
}

/**
 * A script's size: the number of proposals written in it, of every kind, those of `beside` and `before` included.
 * A repeated last turn counts once.
 */
export function sizeOf(script: Script): number {
  const others = [...(script.before ?? []), ...(script.beside ?? [])];
  return others.reduce((size, other) => size + sizeOf(other), proposalsOf(script).length);
}

/** Whether other runs come before it, or go beside it. */
export function isAccompanied({ before = [], beside = [] }: Script): boolean {
  return before.length > 0 || beside.length > 0;
}

/** The same run alone: what is left of a script without the runs before and beside it. */
export function soloOf(script: Script): Script {
  const { before: _before, beside: _beside, schedule: _schedule, ...solo } = script;
  return solo;
}

/** The script, and those of the runs before and beside it, in the order in which a report numbers them. */
export function everyRunOf(script: Script): readonly Script[] {
  const others = [...(script.before ?? []), ...(script.beside ?? [])];
  return others.length === 0 ? [script] : [script, ...others.flatMap(everyRunOf)];
}
