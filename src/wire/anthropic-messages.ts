import type { TestRun } from "../contract/harness.ts";
import type { Text, ToolCall } from "../contract/turn.ts";
import { parseJson } from "../world/json.ts";
import { contentText, field, textField } from "./message-content.ts";
import { fieldsBeside, type ModelDoubleOptions, type ModelReply, scriptedModel } from "./model-double.ts";
import type { Sent } from "./new-results.ts";
import { onlyMembers } from "./only-members.ts";

/** What the double reads of a request; the official client's parameters fit. */
export interface AnthropicMessagesRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly object[];
  readonly stream?: boolean | undefined;
}

export interface AnthropicTextBlock {
  type: "text";
  text: string;
  citations: null;
}

export interface AnthropicToolUseBlock {
  type: "tool_use";
  id: string;
  name: string;
  input: unknown;
  caller: { type: "direct" };
}

/** A plain reply, as the official client's `Message`. */
export interface AnthropicReply {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: (AnthropicTextBlock | AnthropicToolUseBlock)[];
  stop_reason: "end_turn" | "max_tokens" | "tool_use";
  stop_sequence: null;
  stop_details: null;
  container: null;
  diagnostics: null;
  usage: typeof noUsage;
}

/** The part of the official client that the double plays. */
export interface AnthropicMessages {
  messages: {
    create(
      request: AnthropicMessagesRequest,
      options?: { readonly signal?: AbortSignal | null | undefined },
    ): Promise<AnthropicReply>;
  };
}

const noUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation: null,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  inference_geo: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
};

/**
 * The scripted model behind the `create` method of the official `@anthropic-ai/sdk` client, for loops built on `client.messages`.
 * Where the loop's parameter is typed as the real client, that type is inferred: no cast is needed.
 *
 * - Reads the results from the `tool_result` blocks that are new since the last reply, `is_error` too, and the menu from `tools`.
 * - `input` is the JSON value of the argument text; an own `__proto__` key stays one. A plain reply of this wire can't carry text
 *   that is not JSON: set `shape.argumentText` to `"parsed"`. Where such text comes all the same, `input` is that text, a string,
 *   and never an object.
 * - `extra` stands beside `input` in the block, and never overrides a field.
 * - Skills are loaded by a tool call, see {@link ModelDoubleOptions}.
 * - A failing model request rejects with `ModelError`. There is no retry, so a double costs one step where the real client may try three times.
 *
 * @example
 * run: async (run) => {
 *   await supportBot({ client: anthropicMessages(run), tools: run.tools, maxSteps: run.maxSteps });
 *   return { status: "answered" };
 * }
 * @throws UsageError `streaming-not-supported` out of `create` where `stream` is true, `not-in-the-double` where another member of the client is used.
 */
export function anthropicMessages<Client extends { readonly messages: object } = AnthropicMessages>(
  run: TestRun,
  options?: ModelDoubleOptions,
): Client;
// The last overload is the one that `ReturnType` reads.
export function anthropicMessages(run: TestRun, options?: ModelDoubleOptions): AnthropicMessages;
export function anthropicMessages(run: TestRun, options?: ModelDoubleOptions): AnthropicMessages {
  const ask = scriptedModel(run, "anthropicMessages", options);
  const double: AnthropicMessages = onlyMembers("anthropicMessages(run)", {
    messages: onlyMembers("anthropicMessages(run).messages", {
      create: async (request, settings) => {
        const { messages, tools, stream } = request;
        const conversation = messages.flatMap(sentIn);
        const toolNames = (tools ?? []).map((tool) => textField(tool, "name"));
        return replyOf(await ask({ conversation, toolNames, stream, signal: settings?.signal }), request.model);
      },
    } satisfies AnthropicMessages["messages"]),
  });
  return double;
}

function sentIn(message: unknown): readonly Sent[] {
  if (field(message, "role") === "assistant") return [{ kind: "reply" }];
  const content = field(message, "content");
  if (!Array.isArray(content)) return [];
  return content.flatMap((block): readonly Sent[] => {
    if (field(block, "type") !== "tool_result") return [];
    const failed = field(block, "is_error") === true ? { isError: true } : {};
    const text = contentText(field(block, "content"));
    return [{ kind: "result", result: { callId: textField(block, "tool_use_id"), text, ...failed } }];
  });
}

function replyOf({ number, parts, stop }: ModelReply, model: string): AnthropicReply {
  const asked = stop === "tool-calls" && parts.some((part) => part.kind === "tool-call");
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: parts.map(block),
    stop_reason: asked ? "tool_use" : stop === "length" ? "max_tokens" : "end_turn",
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: { ...noUsage },
  };
}

function block(part: ToolCall | Text): AnthropicTextBlock | AnthropicToolUseBlock {
  if (part.kind === "text") return { type: "text", text: part.text, citations: null };
  const value = parseJson(part.args);
  return {
    ...fieldsBeside(part),
    type: "tool_use",
    id: part.callId,
    name: part.name,
    input: value === undefined ? part.args : value,
    caller: { type: "direct" },
  };
}
