import type { Text, ToolCall } from "../contract/turn.ts";
import { parseJson } from "../world/json.ts";
import type { FailedResponses } from "./client-errors.ts";
import { contentText, field, textField } from "./message-content.ts";
import { fieldsBeside, type ModelReply, type ModelRequest } from "./model-double.ts";
import type { Sent } from "./new-results.ts";
import { textPieces } from "./text-pieces.ts";
import { withToolChanges } from "./tool-changes.ts";

/** What is read of a request; the official client's parameters fit. */
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

export type AnthropicBlock = AnthropicTextBlock | AnthropicToolUseBlock;
export type AnthropicStopReason = "end_turn" | "max_tokens" | "tool_use";

/** A plain reply, as the official client's `Message`. */
export interface AnthropicReply {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: AnthropicBlock[];
  stop_reason: AnthropicStopReason;
  stop_sequence: null;
  stop_details: null;
  container: null;
  diagnostics: null;
  usage: typeof noUsage;
}

/** A reply of which nothing has come yet. */
export type AnthropicStart = Omit<AnthropicReply, "stop_reason"> & { stop_reason: null };

/** A piece of a streamed reply, as the official client's `RawMessageStreamEvent`. */
export type AnthropicEvent =
  | { type: "message_start"; message: AnthropicStart }
  | { type: "content_block_start"; index: number; content_block: AnthropicBlock }
  | {
      type: "content_block_delta";
      index: number;
      delta: { type: "text_delta"; text: string } | { type: "input_json_delta"; partial_json: string };
    }
  | { type: "content_block_stop"; index: number }
  | {
      type: "message_delta";
      delta: { stop_reason: AnthropicStopReason; stop_sequence: null; stop_details: null; container: null };
      usage: typeof noUsageYet;
    }
  | { type: "message_stop" };

const noUsageYet = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: null,
  cache_read_input_tokens: null,
  output_tokens_details: null,
  server_tool_use: null,
};

const noUsage = {
  ...noUsageYet,
  cache_creation: null,
  inference_geo: null,
  service_tier: null,
  speed: null,
};

/** @param before the menu before this request, where it names no tools because it goes on with a conversation kept by the service. */
export function readAnthropicRequest(body: unknown, before: readonly string[] = []): ModelRequest {
  const messages = field(body, "messages");
  const tools = field(body, "tools");
  return {
    conversation: Array.isArray(messages) ? messages.flatMap(sentIn) : [],
    toolNames: withToolChanges(Array.isArray(tools) ? tools.map((tool) => textField(tool, "name")) : before, messages),
  };
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

export function anthropicReply(reply: ModelReply, model: string): AnthropicReply {
  return { ...started(reply, model), content: reply.parts.map(block), stop_reason: stopReason(reply) };
}

function started({ number }: ModelReply, model: string): AnthropicStart {
  return {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: { ...noUsage },
  };
}

function stopReason({ parts, stop }: ModelReply): AnthropicStopReason {
  if (stop === "tool-calls" && parts.some((part) => part.kind === "tool-call")) return "tool_use";
  return stop === "length" ? "max_tokens" : "end_turn";
}

function block(part: ToolCall | Text): AnthropicBlock {
  if (part.kind === "text") return { type: "text", text: part.text, citations: null };
  const value = parseJson(part.args);
  return toolUse(part, value === undefined ? part.args : value);
}

function toolUse(call: ToolCall, input: unknown): AnthropicToolUseBlock {
  return {
    ...fieldsBeside(call),
    type: "tool_use",
    id: call.callId,
    name: call.name,
    input,
    caller: { type: "direct" },
  };
}

/** The plain reply as the body of a response. Argument text that is JSON stands in it as the model wrote it: a double key, `1e400`. */
export function anthropicReplyText(reply: ModelReply, model: string): string {
  const blocks = reply.parts.map((part) => {
    if (part.kind === "text" || parseJson(part.args) === undefined) return JSON.stringify(block(part));
    const { input: _, ...rest } = toolUse(part, undefined);
    return withMember(rest, "input", part.args);
  });
  const { content: _, ...rest } = anthropicReply({ ...reply, parts: [] }, model);
  return withMember({ ...rest, stop_reason: stopReason(reply) }, "content", `[${blocks.join(",")}]`);
}

function withMember(object: object, key: string, json: string): string {
  return `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(key)}:${json}}`;
}

/** The same reply in pieces, as the service streams it: block after block, a call's id and name first, then its argument text cut anywhere. */
export function anthropicEvents(reply: ModelReply, model: string): readonly AnthropicEvent[] {
  return [
    { type: "message_start", message: started(reply, model) },
    ...reply.parts.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason(reply), stop_sequence: null, stop_details: null, container: null },
      usage: { ...noUsageYet },
    },
    { type: "message_stop" },
  ];
}

function blockEvents(part: ToolCall | Text, index: number): readonly AnthropicEvent[] {
  const isText = part.kind === "text";
  const pieces = isText ? textPieces(part.text) : ["", ...textPieces(part.args)];
  return [
    {
      type: "content_block_start",
      index,
      content_block: isText ? { type: "text", text: "", citations: null } : toolUse(part, {}),
    },
    ...pieces.map(
      (piece): AnthropicEvent => ({
        type: "content_block_delta",
        index,
        delta: isText ? { type: "text_delta", text: piece } : { type: "input_json_delta", partial_json: piece },
      }),
    ),
    { type: "content_block_stop", index },
  ];
}

export const anthropicFailures: FailedResponses = {
  "rate-limit": {
    status: 429,
    body: { type: "error", error: { type: "rate_limit_error", message: "Rate limit reached" }, request_id: null },
  },
  overloaded: {
    status: 529,
    body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" }, request_id: null },
  },
};
