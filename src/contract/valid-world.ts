import { turnsAllowed } from "../world/budget.ts";
import { type JsonSchema, satisfies } from "../world/input-schema.ts";
import type { Json } from "../world/json.ts";
import { type Permission, permissionsOf } from "../world/policy.ts";
import type { ToolSpec } from "../world/tool.ts";
import { type World, worldSchema } from "../world/world.ts";
import { describedValue } from "./described-value.ts";
import { type Expectation, expectation } from "./expectation.ts";
import type { Claims, Shape } from "./harness.ts";
import { plainSentence } from "./plain-sentence.ts";
import type { Owner } from "./valid-members.ts";

/** Refuses a fixed world that can't be played, or that holds something the harness does not claim. */
export function validWorld(world: World, claims: Claims, shape: Shape, owner: Owner): void {
  validTools(world, owner);
  const fail = failing(owner);
  if (world.tools.length === 0)
    throw fail("tools", "a list of one tool or more", world.tools, "add the tools of the harness");
  if (turnsAllowed(world.maxSteps) < 1)
    throw fail("maxSteps", "at least 1", world.maxSteps, "give the steps that one run may take");
  for (const [index, tool] of world.tools.entries()) {
    const unclaimed = unclaimedOf(tool, claims);
    if (unclaimed !== undefined) {
      throw fail(`tools[${index}].${unclaimed.member}`, unclaimed.toBe, unclaimed.got, unclaimed.please);
    }
    if (shape.toolNames !== undefined && !shape.toolNames.test(tool.name)) {
      throw fail(
        `tools[${index}].name`,
        "a name that `shape.toolNames` allows",
        tool.name,
        "correct the pattern or the name",
      );
    }
  }
}

/** Refuses a world of another form: unknown members, duplicate names, skills that are not listed, schemas that are none. */
export function validTools(world: World, owner: Owner): void {
  const parsed = worldSchema.safeParse(world);
  if (!parsed.success) {
    throw plainSentence(parsed.error, world, { code: "bad-world", ...owner, root: "world", please: "correct it" });
  }
  const fail = failing(owner);
  for (const [index, tool] of world.tools.entries()) {
    const path = `tools[${index}]`;
    if (world.tools.findIndex((other) => other.name === tool.name) !== index) {
      throw fail(`${path}.name`, "a name of its own", tool.name, "give every tool another name");
    }
    if (typeof tool.offered === "object" && !world.skills.includes(tool.offered.afterSkill)) {
      throw fail(
        `${path}.offered.afterSkill`,
        "a skill listed in `world.skills`",
        tool.offered.afterSkill,
        "list that skill",
      );
    }
    const fault = schemaFault(tool.inputSchema);
    if (fault !== undefined) {
      throw fail(
        `${path}.inputSchema`,
        "a JSON Schema of an object",
        undefined,
        "give JSON Schema 2020-12, or make the world with `defineWorld`",
        fault,
      );
    }
    const rules = typeof tool.permission === "object" ? tool.permission.rules : [];
    for (const [at, rule] of rules.entries()) {
      const whenFault = compileFault(rule.when);
      if (whenFault === undefined) continue;
      throw fail(
        `${path}.permission.rules[${at}].when`,
        "a JSON Schema",
        undefined,
        "give JSON Schema 2020-12",
        whenFault,
      );
    }
  }
}

function failing(owner: Owner) {
  return (member: string, toBe: string, got: unknown, please: string, gotWords?: string) => {
    const fault: Expectation = { code: "bad-world", member: `world.${member}`, ...owner, toBe, got, please };
    return expectation(gotWords === undefined ? fault : { ...fault, gotWords });
  };
}

interface Unclaimed extends Pick<Expectation, "member" | "toBe" | "got" | "please"> {}

/** What a tool relies on that the harness does not claim: its rules would be reported as not judged. */
function unclaimedOf({ permission, offered }: ToolSpec, claims: Claims): Unclaimed | undefined {
  const permissions: readonly Permission[] = permissionsOf(permission);
  if (permissions.includes("ask") && claims.approvals === "none") {
    const please = 'claim `approvals` ("ends-run" or "asked"), or change the tool';
    return { member: "permission", toBe: 'other than "ask", since `claims.approvals` is "none"', got: "ask", please };
  }
  if (permissions.includes("deny") && !claims.deny) {
    return {
      member: "permission",
      toBe: 'other than "deny", since `claims.deny` is false',
      got: "deny",
      please: "claim `deny`, or change the tool",
    };
  }
  if (typeof permission === "object" && permission.rules.length > 0 && claims.argumentPolicies !== true) {
    const please = "claim `argumentPolicies`, or change the tool";
    return {
      member: "permission",
      toBe: "one word, since `claims.argumentPolicies` is not true",
      got: permission,
      please,
    };
  }
  if (typeof offered === "object" && claims.hiddenTools !== "by-skill") {
    const please = 'claim `hiddenTools: "by-skill"`, or change the tool';
    return {
      member: "offered",
      toBe: `"always" or "never", since \`claims.hiddenTools\` is "${claims.hiddenTools}"`,
      got: offered,
      please,
    };
  }
  if (offered === "never" && claims.hiddenTools === "none") {
    const please = "claim `hiddenTools`, or change the tool";
    return { member: "offered", toBe: '"always", since `claims.hiddenTools` is "none"', got: offered, please };
  }
  return undefined;
}

function schemaFault(schema: JsonSchema): string | undefined {
  if ("_zod" in schema || "_def" in schema || "~standard" in schema) return "a schema object of a validation library";
  const type: Json | undefined = schema.type;
  if (type !== undefined && type !== "object") return `a schema of the type ${describedValue(type)}`;
  return compileFault(schema);
}

function compileFault(schema: JsonSchema): string | undefined {
  try {
    satisfies(schema, {});
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return `one that does not compile (${message.replaceAll(/\s+/g, " ").slice(0, 160)})`;
  }
}
