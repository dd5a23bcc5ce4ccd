import type { Claims } from "../../src/contract/harness.ts";
import { satisfies } from "../../src/world/input-schema.ts";
import { isJsonObject, type Json } from "../../src/world/json.ts";
import { decide, type Permission, permissionsOf } from "../../src/world/policy.ts";
import type { ToolSpec } from "../../src/world/tool.ts";
import { normalForms } from "./normal-forms.ts";

/** Whether a tool was offered when it was called. `loaded`: true where no correct harness can have left the load out. */
export function offeredTo(
  tool: ToolSpec,
  loaded: ReadonlyMap<string, boolean>,
  loadedHere: ReadonlySet<string>,
): "yes" | "no" | "maybe" {
  if (tool.offered === "always") return "yes";
  if (tool.offered === "never") return "no";
  const surely = loaded.get(tool.offered.afterSkill);
  if (surely) return "yes";
  return surely === false || loadedHere.has(tool.offered.afterSkill) ? "maybe" : "no";
}

/** What the policy says; `open` where the claims, or the arguments, leave it to the harness. */
export function permissionOf(claims: Claims, tool: ToolSpec, values: readonly Json[]): Permission | "open" {
  const only = typeof tool.permission === "string" ? tool.permission : onlyVerdict(claims, tool, values);
  if (only === undefined) return "open";
  if (only === "deny" && !claims.deny) return "open";
  return only === "ask" && claims.approvals === "none" ? "open" : only;
}

/** What a policy says of a call, whichever of its values, or of what they may be normalised to, it is asked about. */
function onlyVerdict(claims: Claims, tool: ToolSpec, values: readonly Json[]): Permission | undefined {
  const every = new Set(permissionsOf(tool.permission));
  const readable = claims.argumentPolicies === true && values.length > 0 && every.size > 1;
  const possible = readable ? (attempt(() => verdictsOn(tool, values)) ?? every) : every;
  const [only] = possible;
  return possible.size === 1 ? only : undefined;
}

function verdictsOn({ permission, inputSchema }: ToolSpec, values: readonly Json[]): ReadonlySet<Permission> {
  const forms = values.flatMap((value) => (isJsonObject(value) ? normalForms(inputSchema, value) : []));
  return new Set([...values, ...forms].map((value) => decide(permission, value)));
}

/** Whether the tool's schema allows the arguments. */
export function validityOf(
  tool: ToolSpec | undefined,
  values: readonly Json[],
  normalised: Json | undefined,
  refused: true | undefined,
): "yes" | "no" | "open" {
  if (refused) return "no";
  if (normalised !== undefined) return "yes";
  if (tool === undefined) return "open";
  let valid = 0;
  try {
    for (const value of values) if (satisfies(tool.inputSchema, value)) valid += 1;
  } catch {
    // A schema that can't be compiled, or arguments too deep for a recursive one.
    return "open";
  }
  if (valid === 0) return values.length === 0 ? "open" : "no";
  return valid === values.length ? "yes" : "open";
}

/** A schema that can't be compiled, or arguments too deep for a recursive one, settle nothing. */
function attempt<Value>(compute: () => Value): Value | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}
