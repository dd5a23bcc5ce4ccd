import type { Script } from "../../src/contract/script.ts";
import { isModelFailure, type Proposal, type ToolCall } from "../../src/contract/turn.ts";
import type { JsonObject } from "../../src/world/json.ts";
import { findTool, type World } from "../../src/world/world.ts";
import { holdsAuthority, withoutAuthority } from "../authority-words.ts";
import { argumentsIn } from "./argument-text.ts";

/** Where a call claims authority that it can't have. */
export type Forgery = "beside" | "inside";

export function forgeryOf(call: ToolCall, world: World): Forgery | undefined {
  if (call.extra !== undefined && Object.keys(call.extra).length > 0) return "beside";
  return honestText(call, world) === call.args ? undefined : "inside";
}

/** The script without the fields that claim authority; `undefined` where it has none. */
export function withoutForgedFields(script: Script): Script | undefined {
  let forged = false;
  const strip = (proposal: Proposal): Proposal => {
    if (proposal.kind !== "tool-call" || forgeryOf(proposal, script.world) === undefined) return proposal;
    forged = true;
    const { extra: _extra, ...call } = proposal;
    return { ...call, args: honestText(call, script.world) };
  };
  const turns = script.turns.map((turn) =>
    isModelFailure(turn) ? turn : { ...turn, proposals: turn.proposals.map(strip) },
  );
  return forged ? { ...script, turns } : undefined;
}

/** The argument text without such fields; as it stands where it has none, or is malformed. */
function honestText(call: ToolCall, world: World): string {
  const args = argumentsIn(call.args);
  if (args === undefined || !holdsAuthority(args)) return call.args;
  const honest = withoutAuthority(args, knownFields(call.name, world));
  if (honest === args) return call.args;
  try {
    return JSON.stringify(honest);
  } catch {
    // Too deep to be written again.
    return call.args;
  }
}

/** What the tool's schema or its policy knows is an argument like any other. */
function knownFields(name: string, world: World): JsonObject {
  const tool = findTool(world, name);
  if (tool === undefined) return {};
  const rules = typeof tool.permission === "string" ? [] : tool.permission.rules.map((rule) => rule.when);
  return { ...tool.inputSchema, allOf: [tool.inputSchema, ...rules] };
}
