import type { Evidence } from "../../src/contract/property.ts";
import type { Script } from "../../src/contract/script.ts";
import type { Permission } from "../../src/world/policy.ts";
import { findTool } from "../../src/world/world.ts";
import { licencesOf } from "../licences.ts";
import type { Credit } from "./credits.ts";
import { dependsOnArguments } from "./shut-gates.ts";
import { placeOf } from "./twin-difference.ts";

/** The effects that passed this gate though the policy, read on their arguments, kept it shut. */
function misread(evidence: Evidence, reason: "denied" | "not-approved"): readonly Credit[] {
  if (evidence.claims.argumentPolicies !== true) return [];
  return licencesOf(evidence).credits.filter(({ reason: why, effect }) => {
    const tool = why === reason ? findTool(evidence.world, effect.tool) : undefined;
    return tool !== undefined && dependsOnArguments(tool);
  });
}

/**
 * The script in which the policies that were broken say the same of all arguments. What runs there too was not misread: no
 * policy keeps it from running.
 */
export function withConstantPolicies(
  script: Script,
  evidence: Evidence,
  reason: "denied" | "not-approved",
): Script | undefined {
  const guilty = new Set(misread(evidence, reason).map(({ effect }) => effect.tool));
  if (guilty.size === 0) return undefined;
  const permission: Permission = reason === "denied" ? "deny" : "ask";
  const tools = script.world.tools.map((tool) => (guilty.has(tool.name) ? { ...tool, permission } : tool));
  return { ...script, world: { ...script.world, tools } };
}

/** Effects that passed this gate because it is not kept at all, and not because the arguments were misread. */
export function unguarded(evidence: Evidence, reason: "denied" | "not-approved", twin?: Evidence): readonly Credit[] {
  const { credits } = licencesOf(evidence);
  const misreadings = new Set(misread(evidence, reason));
  const ranInTwin = new Set(
    twin === undefined
      ? []
      : licencesOf(twin)
          .credits.filter((credit) => credit.reason === reason)
          .map(placeIn),
  );
  return credits.filter((credit) => {
    return credit.reason === reason && (!misreadings.has(credit) || ranInTwin.has(placeIn(credit)));
  });
}

function placeIn(credit: Credit): string {
  return `${placeOf(credit)} ${credit.effect.tool}`;
}
