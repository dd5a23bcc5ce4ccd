import type { Claims } from "../src/contract/harness.ts";
import type { MaxSteps } from "../src/world/budget.ts";
import type { JsonSchema } from "../src/world/input-schema.ts";
import type { Permission, Policy } from "../src/world/policy.ts";
import type { Offered, ToolSpec } from "../src/world/tool.ts";
import type { World } from "../src/world/world.ts";
import { type PolicyName, policyFor } from "./small-policies.ts";

/** A name by its place in the list of names, so that a world reads the same however a harness spells them. */
export type Row = readonly [name: number, permission: Permission | PolicyName, offered: Offered, schema: JsonSchema];

/** Whether the claims leave room for such a tool. */
export function isClaimed(permission: Permission, offered: Offered, claims: Claims): boolean {
  if (permission === "ask" && claims.approvals === "none") return false;
  if (permission === "deny" && !claims.deny) return false;
  if (offered === "always") return true;
  return offered === "never" ? claims.hiddenTools !== "none" : claims.hiddenTools === "by-skill";
}

type Build = (maxSteps: MaxSteps, rows: readonly Row[], names: readonly string[]) => World;

/** Worlds of these claims. The same tool is the same object in each of them, since what is known of it is kept by it. */
export function builderFor(claims: Claims): Build {
  const specs = new Map<string, Map<number, ToolSpec>>();
  const numbers = new Map<unknown, number>();
  const numberOf = (part: unknown): number => {
    let number = numbers.get(part);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(part, number);
    }
    return number;
  };
  const specOf = (name: string, permission: Policy, offered: Offered, inputSchema: JsonSchema): ToolSpec => {
    const alike = specs.get(name) ?? new Map<number, ToolSpec>();
    if (alike.size === 0) specs.set(name, alike);
    const key = (numberOf(permission) * most + numberOf(offered)) * most + numberOf(inputSchema);
    let spec = alike.get(key);
    if (spec === undefined) {
      spec = { name, description: describe(name), inputSchema, permission, offered };
      alike.set(key, spec);
    }
    return spec;
  };
  return (maxSteps, rows, names) => {
    const tools = new Map<string, ToolSpec>();
    const skills = new Set<string>();
    for (const [place, permission, offered, inputSchema] of rows) {
      const name = names[place % names.length];
      const policy = policyOf(permission, claims);
      if (name === undefined || policy === undefined || tools.has(name)) continue;
      if (!isClaimed(typeof policy === "string" ? policy : "allow", offered, claims)) continue;
      tools.set(name, specOf(name, policy, offered, inputSchema));
      if (typeof offered !== "string") skills.add(offered.afterSkill);
    }
    return { tools: [...tools.values()], skills: [...skills], maxSteps };
  };
}

/** More than there are schemas, policies and ways to be offered. */
const most = 1024;

function policyOf(permission: Row[1], claims: Claims): Policy | undefined {
  return permission === "allow" || permission === "ask" || permission === "deny"
    ? permission
    : policyFor(permission, claims);
}

function describe(name: string): string {
  return `${name.replaceAll(/[^a-zA-Z0-9]+/g, " ").trim()}.`;
}
