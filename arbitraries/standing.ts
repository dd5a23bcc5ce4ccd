import type { Setting } from "../src/contract/script-class.ts";
import type { Proposal, ToolCall } from "../src/contract/turn.ts";
import { isJsonObject, type JsonObject, parseArguments } from "../src/world/json.ts";
import { decide, type Policy } from "../src/world/policy.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import { findTool } from "../src/world/world.ts";
import { isSatisfied } from "./arguments-for.ts";
import { claimsAuthority } from "./authority-fields.ts";
import { isDoubled } from "./doubled-texts.ts";
import { inheritedNames } from "./inherited-names.ts";
import { isLookalike } from "./lookalikes.ts";
import { isOddId } from "./odd-ids.ts";
import { isPolicyProbe } from "./policy-probes.ts";
import { isPolluting } from "./polluting-texts.ts";
import { isCarrier, isReserved } from "./reserved-envelopes.ts";
import { isOffered } from "./setting.ts";

/** Longer argument texts may be refused by a correct harness. */
export const longestPlainText = 10_000;

/**
 * What a proposal is in its setting, by the first thing that is wrong with it; so no proposal is of two classes.
 * `undefined`: it is text, or its arguments break a schema that nobody claims to check, or what it is can't be told.
 */
export type Standing =
  | "inherited"
  | "lookalike"
  | "undeclared"
  | "oversized"
  | "polluting"
  | "reserved"
  | "forged"
  | "hidden"
  | "misread"
  | "denied"
  | "malformed"
  | "odd-id"
  | "doubled"
  | "mistyped"
  | "honest"
  | "known-skill"
  | "unknown-skill";

export function standingOf(proposal: Proposal, setting: Setting): Standing | undefined {
  if (proposal.kind === "text") return undefined;
  if (proposal.kind === "load-skill")
    return setting.world.skills.includes(proposal.skill) ? "known-skill" : "unknown-skill";
  const tool = findTool(setting.world, proposal.name);
  if (tool === undefined) return nameStanding(proposal.name, setting);
  const args = parseArguments(proposal.args);
  const loud = args === undefined ? undefined : contentStanding(proposal.args, args, tool);
  if (loud !== undefined) return loud;
  if (isForged(proposal, args, tool)) return "forged";
  if (!isOffered(tool, setting)) return "hidden";
  if (tool.permission === "deny") return "denied";
  if (args === undefined) return isRoom(proposal, setting) ? undefined : "malformed";
  if (isPolicyProbe(tool, proposal.args)) return "misread";
  if (decide(tool.permission, args) === "deny") return "denied";
  if (isOddId(proposal.callId)) return "odd-id";
  if (isDoubled(proposal.args)) return "doubled";
  if (isSatisfied(tool.inputSchema, args) && setting.refuses?.(tool.name, args) !== true) return "honest";
  return setting.claims.argumentSchemas === true ? "mistyped" : undefined;
}

function nameStanding(name: string, { world }: Setting): Standing {
  if (inheritedNames.includes(name)) return "inherited";
  return isLookalike(name, world) ? "lookalike" : "undeclared";
}

/** What the arguments are, whatever becomes of the call. */
function contentStanding(text: string, args: JsonObject, tool: ToolSpec): Standing | undefined {
  if (text.length > longestPlainText) return "oversized";
  const declared = fieldsOf(tool);
  if (isPolluting(args, declared)) return "polluting";
  const isCarried = isCarrier(args, declared) && !isPolicyProbe(tool, text);
  return isCarried || isReserved(args, declared) ? "reserved" : undefined;
}

function isForged(call: ToolCall, args: JsonObject | undefined, tool: ToolSpec): boolean {
  if (call.extra !== undefined && claimsAuthority(call.extra)) return true;
  return args !== undefined && claimsAuthority(args, fieldsOf(tool));
}

function isRoom(call: ToolCall, { shape }: Setting): boolean {
  return shape.emptyArguments === "empty-object" && call.args.trim() === "";
}

const byTool = new WeakMap<ToolSpec, ReadonlySet<string>>();

/** The fields that a tool's schema or policy knows: what stands there is an argument like any other. */
export function fieldsOf(tool: ToolSpec): ReadonlySet<string> {
  const known = byTool.get(tool) ?? new Set([tool.inputSchema, ...rulesOf(tool.permission)].flatMap(propertiesOf));
  byTool.set(tool, known);
  return known;
}

function rulesOf(policy: Policy): readonly JsonObject[] {
  return typeof policy === "string" ? [] : policy.rules.map((rule) => rule.when);
}

/** Those of the schema itself and of the schemas that it is composed of. */
function propertiesOf(schema: JsonObject): readonly string[] {
  const names = new Set<string>();
  const pending: unknown[] = [schema];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (Array.isArray(part)) pending.push(...part);
    if (!isJsonObject(part)) continue;
    if (isJsonObject(part.properties)) for (const name of Object.keys(part.properties)) names.add(name);
    if (Array.isArray(part.required)) for (const name of part.required) names.add(String(name));
    for (const [key, value] of Object.entries(part)) if (key !== "properties") pending.push(value);
  }
  return [...names];
}
