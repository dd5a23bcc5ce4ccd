import fc, { type Arbitrary } from "fast-check";
import type { Claims, Shape } from "../src/contract/harness.ts";
import type { JsonSchema } from "../src/world/input-schema.ts";
import type { Permission } from "../src/world/policy.ts";
import type { Offered, ToolSpec } from "../src/world/tool.ts";
import type { World } from "../src/world/world.ts";
import { at } from "./pick.ts";
import { smallSchemas as schemas } from "./small-schemas.ts";
import { toolNames } from "./tool-names.ts";

type Row = readonly [name: number, permission: Permission, offered: Offered, schema: JsonSchema];

const refunds: Offered = { afterSkill: "refunds" };
const shipping: Offered = { afterSkill: "shipping" };

// Names by their place in the list of names, so that a world reads the same however a harness spells them.
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
];

const plans: readonly (readonly [maxSteps: number, rows: readonly Row[]])[] = [
  [8, full],
  [1, [[0, "allow", "always", schemas.order]]],
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

/**
 * The fixed worlds for harnesses that have none of their own, the fullest first. They hold nothing that is not claimed.
 *
 * @example
 * canonicalWorlds({ approvals: "none", deny: false, hiddenTools: "none" }).every((world) => world.skills.length === 0) // true
 */
export function canonicalWorlds(claims: Claims, shape: Shape = {}): readonly World[] {
  const names = toolNames(shape.toolNames);
  const claimed = plans.map(([maxSteps, rows]) =>
    worldOf(
      maxSteps,
      rows.filter((row) => isClaimed(row, claims)),
      names,
    ),
  );
  const worlds = claimed.filter(({ tools }) => tools.length > 0);
  return [...new Map(worlds.map((world) => [JSON.stringify(world), world])).values()];
}

function isClaimed([, permission, offered]: Row, claims: Claims): boolean {
  if (permission === "ask" && claims.approvals === "none") return false;
  if (permission === "deny" && !claims.deny) return false;
  if (offered === "always") return true;
  return offered === "never" ? claims.hiddenTools !== "none" : claims.hiddenTools === "by-skill";
}

/** Generated worlds: one to six tools, one or two skills, budgets from 1 to 8. They hold nothing that is not claimed. */
export function worlds(claims: Claims, shape: Shape = {}): Arbitrary<World> {
  const names = toolNames(shape.toolNames);
  const permissions = (["allow", "ask", "deny"] as const).filter((permission) =>
    isClaimed([0, permission, "always", {}], claims),
  );
  const offers = ["always", "always", "never", refunds, shipping] as const;
  const claimedOffers = offers.filter((offered) => isClaimed([0, "allow", offered, {}], claims));
  const inputs: readonly JsonSchema[] = Object.values(schemas);
  const place = fc.nat(59);
  const tool = fc.tuple(place, place, place, place);
  const rows = fc.array(tool, { minLength: 1, maxLength: Math.min(6, names.length) });
  return fc.tuple(fc.integer({ min: 1, max: 8 }), rows).map(([maxSteps, drawn]) => {
    const used = new Set<number>();
    const resolved = drawn.map(([name, permission, offered, input]): Row => {
      let free = name % names.length;
      while (used.has(free)) free = (free + 1) % names.length;
      used.add(free);
      return [free, at(permissions, permission)!, at(claimedOffers, offered)!, at(inputs, input)!];
    });
    return worldOf(maxSteps, resolved, names);
  });
}

function worldOf(maxSteps: number, rows: readonly Row[], names: readonly string[]): World {
  const tools = rows.flatMap(([name, permission, offered, inputSchema]): ToolSpec[] => {
    const spelled = names[name % names.length];
    return spelled === undefined
      ? []
      : [{ name: spelled, description: describe(spelled), inputSchema, permission, offered }];
  });
  const distinct = tools.filter((tool, index) => tools.findIndex(({ name }) => name === tool.name) === index);
  const skills = new Set(distinct.flatMap(({ offered }) => (typeof offered === "string" ? [] : [offered.afterSkill])));
  return { tools: distinct, skills: [...skills], maxSteps };
}

function describe(name: string): string {
  return `${name.replaceAll(/[^a-zA-Z0-9]+/g, " ").trim()}.`;
}
