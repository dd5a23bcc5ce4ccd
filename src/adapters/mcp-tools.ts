import type { RegisteredTool, ToolCallback } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import type { TestRun, Tool } from "../contract/harness.ts";
import { resultText } from "../wire/result-text.ts";
import type { JsonSchema } from "../world/input-schema.ts";
import { skillLoader, skillRoom } from "./skill-room.ts";

/** One tool of the run, as `registerTool` takes it. */
export interface McpTool {
  readonly name: string;
  readonly config: { readonly description: string; readonly inputSchema: z.ZodType };
  readonly handler: ToolCallback<z.ZodType>;
  /**
   * Takes what `registerTool` gives back, and gives it back. The tool is disabled for as long as it is not offered, and enabled once
   * its skill was loaded: a tool whose handle is never handed over stays as your server has it.
   */
  registered(handle: RegisteredTool): RegisteredTool;
}

/** Compiled once for each distinct schema, as a server compiles its own once. */
const byText = new Map<string, z.ZodType>();
const byObject = new WeakMap<object, z.ZodType>();

function zodOf(schema: JsonSchema): z.ZodType {
  const known = byObject.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema);
  const compiled = byText.get(text) ?? z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  byText.set(text, compiled);
  byObject.set(schema, compiled);
  return compiled;
}

/**
 * The tools of one run, and the one that loads skills, where there are any.
 *
 * @param callIdOf the model's id of the call that came with a request.
 */
export function mcpTools(run: TestRun, callIdOf: (requestId: unknown) => string | undefined): readonly McpTool[] {
  const room = skillRoom(run);
  const handles: { readonly tool: Tool; readonly handle: RegisteredTool }[] = [];
  const tools = room.tools.map((tool): McpTool => {
    const { name, description, inputSchema, execute } = tool;
    return {
      name,
      config: { description, inputSchema: zodOf(inputSchema) },
      handler: async (args, { requestId, signal }) => {
        const callId = callIdOf(requestId);
        const value = await execute(args, { signal, ...(callId !== undefined && { callId }) });
        return { content: [{ type: "text", text: resultText(value) }] };
      },
      registered(handle) {
        handles.push({ tool, handle });
        if (!room.isOffered(tool)) handle.disable();
        return handle;
      },
    };
  });
  if (run.skills.length === 0) return tools;
  const { name, description, inputSchema } = skillLoader;
  const loader: McpTool = {
    name,
    config: { description, inputSchema: zodOf(inputSchema) },
    handler: async (args) => {
      const text = room.load((args as { readonly skill: unknown }).skill);
      for (const { tool, handle } of handles) if (!handle.enabled && room.isOffered(tool)) handle.enable();
      return { content: [{ type: "text", text }] };
    },
    registered: (handle) => handle,
  };
  return [...tools, loader];
}
