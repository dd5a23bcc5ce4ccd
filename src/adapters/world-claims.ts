import type { Claims } from "../contract/harness.ts";
import type { Permission } from "../world/policy.ts";
import type { ToolSpec } from "../world/tool.ts";
import type { World } from "../world/world.ts";

/**
 * What is left of an SDK's claims in a world of the user's own: a claim needs a tool that it is about. Without a world, all of it.
 *
 * @example
 * claimsIn(world, { approvals: "asked", deny: true, hiddenTools: "by-skill" }); // { approvals: "asked", deny: false, hiddenTools: "none" }
 */
export function claimsIn(world: World | undefined, claims: Claims): Claims {
  const tools: unknown = world?.tools;
  // One that can't be used is refused, with a sentence, when it is played.
  if (!isList(tools)) return claims;
  const some = (permission: Permission) => tools.some((tool) => mayBe(tool, permission));
  const dependsOnArguments = tools.some((tool) => typeof tool.permission === "object");
  return {
    ...claims,
    approvals: some("ask") ? claims.approvals : "none",
    deny: claims.deny && some("deny"),
    hiddenTools: claims.hiddenTools === "none" ? "none" : hiddenIn(tools),
    ...(claims.argumentPolicies === true && { argumentPolicies: dependsOnArguments }),
  };
}

function isList(tools: unknown): tools is readonly ToolSpec[] {
  return Array.isArray(tools) && tools.every((tool) => typeof tool === "object" && tool !== null);
}

export function mayBe({ permission: policy }: Pick<ToolSpec, "permission">, permission: Permission): boolean {
  if (typeof policy !== "object" || policy === null) return policy === permission;
  return policy.otherwise === permission || policy.rules.some((rule) => rule.then === permission);
}

function hiddenIn(tools: readonly ToolSpec[]): Claims["hiddenTools"] {
  if (tools.some(({ offered }) => typeof offered === "object")) return "by-skill";
  return tools.some(({ offered }) => offered === "never") ? "fixed" : "none";
}
