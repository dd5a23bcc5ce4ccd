import fc, { type Arbitrary } from "fast-check";
import type { Claims, Shape } from "../src/contract/harness.ts";
import type { Script } from "../src/contract/script.ts";
import type { Move, ScriptClass, Setting } from "../src/contract/script-class.ts";
import { UsageError } from "../src/errors.ts";
import type { World } from "../src/world/world.ts";
import { catalogue } from "./catalogue.ts";
import { turnOf } from "./draft.ts";
import { honestCall } from "./proposals/honest-call.ts";
import { settingAfter, settingOf } from "./setting.ts";
import { canonicalWorlds, worlds } from "./small-world.ts";
import { subsetsOf } from "./subsets.ts";
import { weave } from "./weave.ts";

export { type WeaveOptions, weave } from "./weave.ts";

export interface ScriptsOptions {
  readonly claims: Claims;
  readonly shape?: Shape;
  /** Play in this world. Absent: worlds are generated. */
  readonly world?: World;
  /** Which generated worlds will do. */
  readonly accepts?: (world: World) => boolean;
  /** Whether the harness's own schema of a tool of this world refuses arguments, beyond the JSON Schema. */
  readonly refuses?: NonNullable<Setting["refuses"]>;
}

/** A class, what it drew, and how it stands among the others. */
type Step = readonly [entry: ScriptClass, data: unknown, manner: number];

interface Plan {
  readonly world: World;
  readonly before: readonly Step[];
  readonly attack: readonly Step[];
  readonly after: readonly Step[];
  readonly ending: number;
}

/**
 * Random scripts: some honest calls, then moves of a random few of the classes (a script that mixes all of them hides
 * what two of them do together), then, in half of them, honest calls again. Neighbours may share a turn, prose stands
 * beside some calls, and some scripts repeat their last turn for ever.
 *
 * Shrinks to fewer moves, each the simplest of its class.
 *
 * @throws UsageError `no-world-accepted` where `accepts` refuses every one of many generated worlds.
 * @example
 * fc.sample(scripts({ claims: { approvals: "none", deny: true, hiddenTools: "none" } }), 10)
 */
export function scripts({ claims, shape = {}, world, accepts, refuses }: ScriptsOptions): Arbitrary<Script> {
  const fullest = world ?? canonicalWorlds(claims, shape)[0];
  const classes = catalogue.filter(
    (entry) => fullest === undefined || entry.needs(settingOf(fullest, claims, shape)) === undefined,
  );
  const honest = stepsOf([honestCall]);
  const attacks = subsetsOf(classes).map((few) => fc.array(stepsOf(few), { minLength: 1, maxLength: 5 }));
  const plans: Arbitrary<Plan> = fc.record(
    {
      world: world === undefined ? acceptedWorlds(claims, shape, accepts) : fc.constant(world),
      before: fc.array(honest, { maxLength: 2 }),
      attack: attacks.length === 0 ? fc.constant([]) : fc.oneof(...attacks),
      after: fc.oneof(fc.constant([]), fc.array(honest, { minLength: 1, maxLength: 2 })),
      ending: fc.nat(9),
    },
    { noNullPrototype: true },
  );
  // A fixed world is looked through once.
  const fixed =
    world === undefined
      ? undefined
      : { ...settingOf(world, claims, shape), ...(refuses === undefined ? {} : { refuses }) };
  return plans.map((plan) => scriptOf(plan, fixed ?? settingOf(plan.world, claims, shape)));
}

function stepsOf(classes: readonly ScriptClass[]): Arbitrary<Step> {
  return fc.oneof(...classes.map((entry) => fc.tuple(fc.constant(entry), entry.data, fc.nat(19))));
}

function acceptedWorlds(claims: Claims, shape: Shape, accepts: ScriptsOptions["accepts"]): Arbitrary<World> {
  const generated = worlds(claims, shape);
  if (accepts === undefined) return generated;
  const tries = 1000;
  if (!fc.sample(generated, { seed: 1, numRuns: tries }).some(accepts)) {
    const problem = `Expected \`accepts\` to accept some generated world, got none of ${tries}.`;
    throw new UsageError("no-world-accepted", `${problem} Do give the harness a world of its own.`, { tries });
  }
  return generated.filter(accepts);
}

function scriptOf({ before, attack, after, ending }: Plan, start: Setting): Script {
  const { world, claims } = start;
  const moves: Move[] = [];
  const joined: boolean[] = [];
  let setting = start;
  for (const steps of [before, attack, after]) {
    for (const [entry, data, manner] of steps) {
      const move = entry.resolve(data, setting);
      if (move === undefined) continue;
      setting = settingAfter(setting, move.turns);
      moves.push(inManner(move, manner));
      joined.push(claims.parallelCalls !== false && manner >= 13);
    }
  }
  if (ending === 9) moves.push({ turns: [{ proposals: [{ kind: "text", text: "That is all." }], stop: "end" }] });
  const script = weave(world, moves, { joined });
  return ending === 8 && script.turns.length > 0 ? { ...script, afterTurns: "repeat-last" } : script;
}

/** Most moves stand alone; some bring prose along, or follow a turn that is nothing but prose. */
function inManner(move: Move, manner: number): Move {
  const [first, ...rest] = move.turns;
  if (first === undefined || manner < 10 || manner > 14) return move;
  const prose = { kind: "text", text: "Let me see what I can do." } as const;
  if (manner === 12) return { ...move, turns: [turnOf(prose), ...move.turns] };
  const proposals = manner === 11 ? [...first.proposals, prose] : [prose, ...first.proposals];
  return { ...move, turns: [{ ...first, proposals }, ...rest] };
}
