import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { InteropZodType } from "@langchain/core/utils/types";
import type { Tool } from "../contract/harness.ts";
import type { ToolSpec } from "../world/tool.ts";
import type { LangchainSdk } from "./langchain-sdk.ts";
import { type SkillRoom, skillLoader } from "./skill-room.ts";

/** The zod schema of a tool, where it has one. */
export type SchemaOf = (tool: ToolSpec) => InteropZodType | undefined;

/** The run's tools as LangChain's own, and the one that loads skills where there are any. */
export function langchainTools(
  { tools: { tool } }: LangchainSdk,
  room: SkillRoom,
  skills: readonly string[],
  schemaOf: SchemaOf | undefined,
): DynamicStructuredTool[] {
  const declared = room.tools.map(({ execute, ...spec }) => {
    const { name, description, inputSchema } = spec;
    const schema = (schemaOf?.(spec) ?? inputSchema) as typeof inputSchema;
    return tool((args: unknown, runtime) => execute(args, contextOf(runtime)), { name, description, schema });
  });
  if (skills.length === 0) return declared as DynamicStructuredTool[];
  const { name, description, inputSchema: schema } = skillLoader;
  const loader = tool((args: unknown) => room.load((args as { skill: unknown }).skill), { name, description, schema });
  return [...declared, loader] as DynamicStructuredTool[];
}

function contextOf(runtime: unknown): Parameters<Tool["execute"]>[1] & {} {
  const { toolCallId, signal } = runtime as { toolCallId?: string; signal?: AbortSignal };
  return { ...(toolCallId !== undefined && { callId: toolCallId }), ...(signal && { signal }) };
}
