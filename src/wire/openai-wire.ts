import type { Text, ToolCall } from "../contract/turn.ts";
import type { FailedResponses } from "./client-errors.ts";
import { contentText, field, textField } from "./message-content.ts";
import { fieldsBeside, type ModelReply, type ModelRequest } from "./model-double.ts";
import type { Sent } from "./new-results.ts";
import { textPieces } from "./text-pieces.ts";

/** What is read of a request; the official client's parameters fit. */
export interface OpenaiChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string }[];
  readonly tools?: readonly { readonly type: string }[];
  readonly stream?: boolean | null | undefined;
  readonly stream_options?: { readonly include_usage?: boolean } | null;
}

export interface OpenaiToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export type OpenaiFinishReason = "stop" | "length" | "tool_calls";

/** A plain reply, as the official client's `ChatCompletion`. */
export interface OpenaiChatReply {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: {
    index: number;
    finish_reason: OpenaiFinishReason;
    logprobs: null;
    message: { role: "assistant"; content: string | null; refusal: null; tool_calls?: OpenaiToolCall[] };
  }[];
  usage: OpenaiUsage;
}

export interface OpenaiUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
}

export interface OpenaiDelta {
  role?: "assistant";
  content?: string | null;
  refusal?: null;
  tool_calls?: ({ index: number } & (OpenaiToolCall | { function: { arguments: string } }))[];
}

/** A piece of a streamed reply, as the official client's `ChatCompletionChunk`. */
export interface OpenaiChatChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: { index: number; delta: OpenaiDelta; logprobs: null; finish_reason: OpenaiFinishReason | null }[];
  usage?: OpenaiUsage | null;
}

export function readOpenaiRequest(body: unknown): ModelRequest {
  return {
    conversation: listIn(body, "messages").flatMap(sentIn),
    toolNames: listIn(body, "tools").map(toolName),
  };
}

function listIn(body: unknown, key: string): readonly unknown[] {
  const list = field(body, key);
  return Array.isArray(list) ? list : [];
}

function sentIn(message: unknown): readonly Sent[] {
  const role = field(message, "role");
  if (role === "assistant") return [{ kind: "reply" }];
  if (role !== "tool") return [];
  const text = contentText(field(message, "content"));
  return [{ kind: "result", result: { callId: textField(message, "tool_call_id"), text } }];
}

function toolName(tool: unknown): string {
  return textField(field(tool, "function") ?? field(tool, "custom"), "name");
}

export function openaiReply({ number, parts, stop }: ModelReply, model: string): OpenaiChatReply {
  const texts = parts.filter((part): part is Text => part.kind === "text").map((part) => part.text);
  const calls = parts.filter((part): part is ToolCall => part.kind === "tool-call").map(toolCall);
  const asked = stop === "tool-calls" && calls.length > 0;
  return {
    id: `chatcmpl-${number}`,
    object: "chat.completion",
    created: 0,
    model,
    choices: [
      {
        index: 0,
        finish_reason: asked ? "tool_calls" : stop === "length" ? "length" : "stop",
        logprobs: null,
        message: {
          role: "assistant",
          content: texts.length > 0 ? texts.join("\n") : null,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: calls }),
        },
      },
    ],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  };
}

function toolCall(call: ToolCall): OpenaiToolCall {
  const beside = fieldsBeside(call);
  return {
    ...beside,
    id: call.callId,
    type: "function",
    function: { ...beside, name: call.name, arguments: call.args },
  };
}

/**
 * The same reply in pieces, as the service streams it: who speaks, then the text, then one call after another (id and name first, then the
 * argument text cut anywhere), then why it stopped, and the usage where it was asked for.
 */
export function openaiChunks(reply: ModelReply, request: OpenaiChatRequest): readonly OpenaiChatChunk[] {
  const { id, created, model, choices, usage } = openaiReply(reply, request.model);
  const withUsage = request.stream_options?.include_usage === true;
  const { message, finish_reason: finish } = choices[0]!;
  const chunk = (delta: OpenaiDelta, finish_reason: OpenaiFinishReason | null = null): OpenaiChatChunk => ({
    id,
    object: "chat.completion.chunk",
    created,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(withUsage && { usage: null }),
  });
  const { role, content, refusal, tool_calls = [] } = message;
  return [
    chunk({ role, content: content === null ? null : "", refusal }),
    ...textPieces(content ?? "").map((piece) => chunk({ content: piece })),
    ...tool_calls.flatMap((call, index) => [
      chunk({ tool_calls: [{ index, ...call, function: { ...call.function, arguments: "" } }] }),
      ...textPieces(call.function.arguments).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    chunk({}, finish),
    ...(withUsage ? [{ ...chunk({}), choices: [], usage }] : []),
  ];
}

export const openaiFailures: FailedResponses = {
  "rate-limit": {
    status: 429,
    body: { error: { message: "Rate limit reached", type: "requests", param: null, code: "rate_limit_exceeded" } },
  },
  overloaded: {
    status: 503,
    body: { error: { message: "The engine is overloaded", type: "server_error", param: null, code: null } },
  },
};
