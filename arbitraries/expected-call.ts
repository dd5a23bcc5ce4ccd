import type { Draft } from "../src/contract/script-class.ts";
import { satisfies } from "../src/world/input-schema.ts";
import { parseArguments } from "../src/world/json.ts";
import { decide, type Permission } from "../src/world/policy.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import { findTool, type World } from "../src/world/world.ts";
import { isOffered } from "./setting.ts";

type Call = Extract<Draft, { kind: "tool-call" }>;

/**
 * What a call is due to come to: "allow", it runs; "ask", a human is asked about it; `undefined`, neither.
 *
 * @example
 * expectedOf(world, { kind: "tool-call", name: "refund_order", args: "{" }, new Set()) // undefined
 */
export function expectedOf(world: World, call: Call, loaded: ReadonlySet<string>): "allow" | "ask" | undefined {
  const tool = findTool(world, call.name);
  if (tool === undefined || !isOffered(tool, { loaded })) return undefined;
  const permission = permissionOf(tool, call.args);
  return permission === "deny" ? undefined : permission;
}

const longest = 10_000;
const most = 2_000;
const byTool = new WeakMap<ToolSpec, Map<string, Permission>>();

/** The same few texts come again and again, and a text that can't be parsed costs an error each time. */
function permissionOf(tool: ToolSpec, text: string): Permission {
  // Whether anything this long runs is left to the harness, and reading it takes longer than all the rest.
  if (text.length > longest) return tool.permission === "allow" ? "allow" : "deny";
  const known = byTool.get(tool) ?? new Map<string, Permission>();
  if (known.size === 0) byTool.set(tool, known);
  let permission = known.get(text);
  if (permission === undefined) {
    if (known.size >= most) known.clear();
    permission = judge(tool, text);
    known.set(text, permission);
  }
  return permission;
}

function judge(tool: ToolSpec, text: string): Permission {
  if (!text.trimStart().startsWith("{")) return "deny";
  const args = parseArguments(text);
  return args !== undefined && isValid(tool, args) ? decide(tool.permission, args) : "deny";
}

function isValid({ inputSchema }: ToolSpec, args: unknown): boolean {
  try {
    return satisfies(inputSchema, args);
  } catch {
    return true;
  }
}
