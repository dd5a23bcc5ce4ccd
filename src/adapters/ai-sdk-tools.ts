import type { Tool } from "../contract/harness.ts";
import { type JsonSchema, satisfies } from "../world/input-schema.ts";
import { decide } from "../world/policy.ts";
import type { ToolSpec } from "../world/tool.ts";
import type { AiSdkMajor, AiSdkParts } from "./ai-sdk-types.ts";
import { type SkillRoom, skillLoader } from "./skill-room.ts";

interface Setting {
  readonly sdk: Pick<AiSdkParts, "jsonSchema">;
  readonly major: AiSdkMajor;
  /** What the SDK is given as a tool's `inputSchema`. Default: its JSON Schema. */
  inputSchema?(tool: ToolSpec): unknown;
}

interface CallOptions {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal;
}

/** The tools of a run as the SDK declares them, by name. A name that every object inherits is an own one here. */
export function aiSdkTools(room: SkillRoom, setting: Setting): { readonly [name: string]: object } {
  const { name, description, inputSchema } = skillLoader;
  const loader = {
    description,
    inputSchema: jsonSchema(setting.sdk, inputSchema),
    execute: async (input: unknown) => room.load((input as { readonly skill?: unknown }).skill),
  };
  return Object.fromEntries([...room.tools.map((tool) => [tool.name, toolOf(tool, setting)]), [name, loader]]);
}

/** The policy as the call option `toolApproval` of 7 takes it. */
export function aiSdkApproval(room: SkillRoom): object {
  const statusOf = { allow: "not-applicable", ask: "user-approval", deny: "denied" } as const;
  return Object.fromEntries(
    room.tools.map((tool) => [tool.name, (input: unknown) => statusOf[decide(tool.permission, input)]]),
  );
}

function toolOf(tool: Tool, { sdk, major, inputSchema }: Setting): object {
  const { description, permission } = tool;
  return {
    description,
    inputSchema: inputSchema?.(tool) ?? jsonSchema(sdk, tool.inputSchema),
    ...(major > 5 && { needsApproval: (input: unknown) => decide(permission, input) === "ask" }),
    execute: (input: unknown, { toolCallId, abortSignal }: CallOptions) =>
      tool.execute(input, { callId: toolCallId, ...(abortSignal && { signal: abortSignal }) }),
  };
}

/** The SDK shows a JSON Schema to the model; it validates where it is given a function for that. */
function jsonSchema(sdk: Setting["sdk"], schema: JsonSchema): unknown {
  return sdk.jsonSchema(schema, {
    validate: (value) =>
      satisfies(schema, value)
        ? { success: true, value }
        : { success: false, error: new Error("The input does not fit the schema.") },
  });
}
