import fc, { type Arbitrary } from "fast-check";
import type { Claims, Shape } from "../src/contract/harness.ts";
import type { MaxSteps } from "../src/world/budget.ts";
import type { JsonSchema } from "../src/world/input-schema.ts";
import type { Offered } from "../src/world/tool.ts";
import type { World } from "../src/world/world.ts";
import { at } from "./pick.ts";
import { policyFor } from "./small-policies.ts";
import { smallSchemas as schemas } from "./small-schemas.ts";
import { nameFamilies, toolNames } from "./tool-names.ts";
import { builderFor, isClaimed, type Row } from "./world-builder.ts";

const refunds: Offered = { afterSkill: "refunds" };
const shipping: Offered = { afterSkill: "shipping" };
const mailing: Offered = { afterSkill: "mailing" };

const full: readonly Row[] = [
  [0, "allow", "always", schemas.order],
  [3, "allow", "always", schemas.page],
  [1, "ask", "always", schemas.refund],
  [2, "deny", "always", schemas.account],
  [4, "allow", "never", schemas.nothing],
  [6, "ask", "never", schemas.refund],
  [7, "allow", refunds, schemas.optional],
  [8, "ask", refunds, schemas.account],
  [9, "deny", refunds, schemas.nothingElse],
  [5, "allow", shipping, schemas.order],
  [16, "by-command", "always", schemas.command],
  [17, "by-amount", "always", schemas.transfer],
  [18, "allow", "always", schemas.choice],
  [19, "allow", "always", schemas.lists],
  [20, "allow", "always", schemas.bounds],
  [15, "by-note", "always", schemas.optional],
  // The twin of the first one: what is told apart by the arguments alone mixes them up.
  [13, "allow", "always", schemas.order],
  // Behind a third skill: whoever remembers two has forgotten the first.
  [10, "allow", mailing, schemas.message],
];

const plans: readonly (readonly [maxSteps: MaxSteps, rows: readonly Row[]])[] = [
  [8, full],
  // It may be called without arguments: what can't be read must not come to that.
  [1, [[0, "allow", "always", schemas.optional]]],
  [
    2,
    [
      [13, "allow", "always", schemas.address],
      [10, "ask", "always", schemas.message],
    ],
  ],
  // One name begins with another, and a hidden tool stands first.
  [
    3,
    [
      [10, "ask", "never", schemas.message],
      [11, "allow", "always", schemas.message],
      [15, "deny", "always", schemas.nothing],
    ],
  ],
  [
    3,
    [
      [5, "allow", shipping, schemas.order],
      [14, "ask", shipping, schemas.address],
      [12, "allow", "always", schemas.address],
    ],
  ],
  [
    4,
    [
      [2, "deny", "always", schemas.account],
      [1, "ask", "always", schemas.refund],
      [4, "allow", "never", schemas.nothingElse],
    ],
  ],
];

/** Declared under the names of one family each. */
const related: readonly Row[] = [
  [0, "allow", "always", schemas.order],
  [1, "deny", "always", schemas.order],
  [2, "ask", "always", schemas.order],
  [3, "allow", "never", schemas.order],
  [4, "allow", "always", schemas.order],
];

const oddBudgets: readonly MaxSteps[] = [0, -1, 2.5, "NaN", "-Infinity"];
/** The last one differs from -1 only where somebody computes with it. */
const tellingBudgets = oddBudgets.slice(0, 4);

/**
 * The fixed worlds for harnesses that have none of their own, the fullest first, then small ones, worlds whose names are
 * odd or easily mistaken for each other, and worlds with odd budgets. They hold nothing that is not claimed.
 *
 * @example
 * canonicalWorlds({ approvals: "none", deny: false, hiddenTools: "none" }).every((world) => world.skills.length === 0) // true
 */
export function canonicalWorlds(claims: Claims, shape: Shape = {}): readonly World[] {
  const names = toolNames(shape.toolNames);
  const build = builderFor(claims);
  const odd = hasOddBudgets(claims, shape) ? tellingBudgets : [];
  const all = [
    ...plans.map(([maxSteps, rows]) => build(maxSteps, rows, names)),
    ...nameFamilies(shape.toolNames).map((family) => build(4, related.slice(0, family.length), family)),
    ...odd.map((maxSteps) => build(maxSteps, [[0, "allow", "always", schemas.order]], names)),
  ].filter(({ tools }) => tools.length > 0);
  return [...new Map(all.map((world) => [JSON.stringify(world), world])).values()];
}

function hasOddBudgets({ budget }: Claims, { loop }: Shape): boolean {
  return budget !== "none" && loop !== "none";
}

/** Generated worlds: one to six tools, up to three skills, budgets from 1 to 8, now and then an odd one. They hold nothing that is not claimed. */
export function worlds(claims: Claims, shape: Shape = {}): Arbitrary<World> {
  const plain = toolNames(shape.toolNames);
  const families = nameFamilies(shape.toolNames).map((family) => [
    ...family,
    ...plain.filter((name) => !family.includes(name)),
  ]);
  const build = builderFor(claims);
  const simple = (["allow", "ask", "deny"] as const).filter((permission) => isClaimed(permission, "always", claims));
  const byArguments = (["by-command", "by-amount", "by-note"] as const).filter(
    (name) => policyFor(name, claims) !== undefined,
  );
  const permissions: readonly Row[1][] = [...simple, ...simple, ...byArguments];
  const usual = ["always", "always", "never", refunds] as const;
  const offers = [...usual, shipping, ...usual, mailing] as const;
  const claimedOffers = offers.filter((offered) => isClaimed("allow", offered, claims));
  const inputs: readonly JsonSchema[] = Object.values(schemas);
  const odd = hasOddBudgets(claims, shape) ? oddBudgets : [];
  const place = fc.nat(59);
  const tool = fc.tuple(place, place, place, place);
  const rows = fc.array(tool, { minLength: 1, maxLength: Math.min(6, plain.length) });
  return fc.tuple(fc.nat(167), fc.nat(47), rows).map(([budget, kin, drawn]) => {
    // One in ten worlds has a family of names, one in thirty an odd budget: not at the ends, which are drawn more often.
    const names = families[kin - 20] ?? plain;
    const maxSteps = odd[budget - 80] ?? (budget % 8) + 1;
    const used = new Set<number>();
    const resolved = drawn.map(([name, permission, offered, input]): Row => {
      let free = (name % (names === plain ? names.length : 6)) % names.length;
      while (used.has(free)) free = (free + 1) % names.length;
      used.add(free);
      const chosen = at(permissions, permission)!;
      return [free, chosen, at(claimedOffers, offered)!, schemaFor(chosen) ?? at(inputs, input)!];
    });
    return build(maxSteps, resolved, names);
  });
}

/** What a policy reads has to be among the arguments. */
function schemaFor(permission: Row[1]): JsonSchema | undefined {
  if (permission === "by-command") return schemas.command;
  if (permission === "by-amount" || permission === "by-note") return schemas.transfer;
  return undefined;
}
