import type { FunctionTool, ToolInputGuardrailDefinition } from "@openai/agents";
import type { Tool } from "../contract/harness.ts";
import { parseJson } from "../world/json.ts";
import { decide, type Policy } from "../world/policy.ts";
import { type SkillRoom, skillLoader } from "./skill-room.ts";
import { mayBe } from "./world-claims.ts";

type Sdk = typeof import("@openai/agents");

/** Any function tool of the SDK, whatever its parameters. */
// biome-ignore lint/suspicious/noExplicitAny: the SDK's own types ask for it
export type AgentsTool = FunctionTool<any, any, any>;

/** What `parameters` gives for a tool: a zod object, another Standard Schema, or a JSON Schema. */
export type AgentsParameters = object;

export interface ToolWiring {
  parameters(tool: Tool): AgentsParameters | undefined;
  readonly strict: boolean;
}

/** The tools of a run as the SDK's own: a gate is `needsApproval`, a ban a tool input guardrail, hiding is `isEnabled`. */
export function agentsTools(sdk: Sdk, room: SkillRoom, wiring: ToolWiring): AgentsTool[] {
  return [loaderTool(sdk, room), ...room.tools.map((tool) => agentsTool(sdk, tool, room, wiring))];
}

function loaderTool(sdk: Sdk, room: SkillRoom): AgentsTool {
  const { name, description, inputSchema: parameters } = skillLoader;
  return sdk.tool({
    name,
    description,
    parameters: parameters as never,
    strict: false,
    execute: async (input) => room.load((input as { skill?: unknown } | null)?.skill),
  }) as AgentsTool;
}

function agentsTool(sdk: Sdk, tool: Tool, room: SkillRoom, wiring: ToolWiring): AgentsTool {
  const { name, description, permission, offered } = tool;
  const own = wiring.parameters(tool);
  return sdk.tool({
    name,
    description,
    parameters: (own ?? tool.inputSchema) as never,
    strict: (own !== undefined || wiring.strict) as true,
    needsApproval: mayBe(tool, "ask") && approvalFor(permission),
    isEnabled: typeof offered === "object" ? () => room.isOffered(tool) : offered === "always",
    ...(mayBe(tool, "deny") && { inputGuardrails: [denialOf(permission)] }),
    execute: (args: unknown, _context: unknown, details: CallDetails) => tool.execute(args, contextOf(details)),
  }) as AgentsTool;
}

function approvalFor(policy: Policy): true | ((context: unknown, args: unknown) => Promise<boolean>) {
  return typeof policy === "string" || (async (_context, args) => decide(policy, args) === "ask");
}

/**
 * A guardrail is given the text of the arguments, and reads it as the SDK does. The SDK asks it about arguments that the tool's schema has
 * refused as well, and then gives an empty text.
 */
function denialOf(policy: Policy): ToolInputGuardrailDefinition {
  return {
    type: "tool_input",
    name: "policy",
    run: async ({ toolCall }) => {
      const args = parseJson(toolCall.arguments);
      const denied = args === undefined || decide(policy, args) === "deny";
      return { behavior: denied ? { type: "rejectContent", message: "This is not allowed." } : { type: "allow" } };
    },
  };
}

type CallDetails = Parameters<AgentsTool["invoke"]>[2];

function contextOf(details: CallDetails) {
  const { toolCall, signal } = details ?? {};
  return { ...(toolCall && { callId: toolCall.callId }), ...(signal && { signal }) };
}
