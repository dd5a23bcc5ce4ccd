import { weave } from "../../arbitraries/index.ts";
import type { Script } from "../contract/script.ts";
import type { Move } from "../contract/script-class.ts";
import type { World } from "../world/world.ts";

/** A script of the enumeration before it is woven: thousands of finished ones would lie in memory for the whole campaign. */
export interface Plan {
  readonly world: World;
  readonly moves: readonly Move[];
  readonly together: boolean;
  readonly repeated: boolean;
  /** The runs before it and beside it, and how these take turns with it. */
  readonly before?: readonly Plan[];
  readonly beside?: readonly Plan[];
  readonly schedule?: readonly number[];
}

export function scriptOf(plan: Plan): Script {
  const { world, moves, together, repeated, before, beside, schedule } = plan;
  const woven = weave(world, moves, { together });
  const script: Script = repeated ? { ...woven, afterTurns: "repeat-last" } : woven;
  if (before === undefined && beside === undefined) return script;
  return {
    ...script,
    ...(before && { before: before.map(scriptOf) }),
    ...(beside && { beside: beside.map(scriptOf) }),
    ...(schedule && { schedule }),
  };
}

/** Smallest first: by the proposals of the script that it will be. */
export function bySize(plans: readonly Plan[]): readonly Plan[] {
  const sized = plans.map((plan) => ({ plan, size: plan.moves.reduce((sum, move) => sum + proposalsIn(move), 0) }));
  return sized.sort((left, right) => left.size - right.size).map(({ plan }) => plan);
}

function proposalsIn({ turns }: Move): number {
  return turns.reduce((sum, turn) => sum + turn.proposals.length, 0);
}
