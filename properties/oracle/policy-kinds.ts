import type { Evidence } from "../../src/contract/property.ts";
import type { Script } from "../../src/contract/script.ts";
import type { Permission } from "../../src/world/policy.ts";
import { findTool } from "../../src/world/world.ts";
import { licencesOf } from "../licences.ts";
import { approvalRequests } from "./approval-requests.ts";
import type { Credit } from "./credits.ts";
import { hasArguments } from "./deliveries.ts";
import { dependsOnArguments } from "./shut-gates.ts";
import { placeOf } from "./twin-difference.ts";

/** The effects that passed this gate though the policy, read on their arguments, kept it shut. */
function misread(evidence: Evidence, reason: "denied" | "not-approved"): readonly Credit[] {
  if (evidence.claims.argumentPolicies !== true) return [];
  return licencesOf(evidence).credits.filter((credit) => {
    const tool = credit.reason === reason ? findTool(evidence.world, credit.effect.tool) : undefined;
    return tool !== undefined && dependsOnArguments(tool) && !wasAsked(evidence, credit);
  });
}

/** Whoever put such a call to the human has read the policy on its arguments: what went wrong came after that. */
export function wasAsked(evidence: Evidence, { reason, call, effect, at }: Credit): boolean {
  if (reason !== "not-approved" || call === undefined) return false;
  // Of equal calls nobody can tell which one ran.
  return [...approvalRequests(evidence, licencesOf(evidence)).asked].some(
    ([asked, askedAt]) =>
      askedAt < at && asked.step === call.step && asked.call.name === effect.tool && hasArguments(asked, effect.args),
  );
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
