import type { TestRun } from "../contract/harness.ts";
import type { Text, ToolCall } from "../contract/turn.ts";
import { contentText, field, textField } from "./message-content.ts";
import { fieldsBeside, type ModelDoubleOptions, type ModelReply, scriptedModel } from "./model-double.ts";
import type { Sent } from "./new-results.ts";
import { onlyMembers } from "./only-members.ts";

/** What the double reads of a request; the official client's parameters fit. */
export interface OpenaiChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: string }[];
  readonly tools?: readonly { readonly type: string }[];
  readonly stream?: boolean | null | undefined;
}

export interface OpenaiToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** A plain reply, as the official client's `ChatCompletion`. */
export interface OpenaiChatReply {
  id: string;
  object: "chat.completion";
  created: number;
  model: string;
  choices: {
    index: number;
    finish_reason: "stop" | "length" | "tool_calls";
    logprobs: null;
    message: { role: "assistant"; content: string | null; refusal: null; tool_calls?: OpenaiToolCall[] };
  }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** The part of the official client that the double plays. */
export interface OpenaiChat {
  chat: {
    completions: {
      create(
        request: OpenaiChatRequest,
        options?: { readonly signal?: AbortSignal | null | undefined },
      ): Promise<OpenaiChatReply>;
    };
  };
}

/**
 * The scripted model behind the `create` method of the official `openai` client, for loops built on `client.chat.completions`.
 * Where the loop's parameter is typed as the real client, that type is inferred: no cast is needed.
 *
 * - Reads the results from the `tool` messages that are new since the last reply, and the menu from `tools`.
 * - Hands over ids, names and argument text as the model wrote them. `extra` stands beside `function` and beside the
 *   `arguments` in it, and never overrides a field.
 * - Results on this wire have no error flag: set `shape.errorFlag` to false.
 * - Skills are loaded by a tool call, see {@link ModelDoubleOptions}.
 * - A failing model request rejects with `ModelError`. There is no retry, so a double costs one step where the real client may try three times.
 *
 * @example
 * run: async (run) => {
 *   await supportBot({ client: openaiChat(run), tools: run.tools, maxSteps: run.maxSteps });
 *   return { status: "answered" };
 * }
 * @throws UsageError `streaming-not-supported` out of `create` where `stream` is true, `not-in-the-double` where another member of the client is used.
 */
export function openaiChat<Client extends { readonly chat: { readonly completions: object } } = OpenaiChat>(
  run: TestRun,
  options?: ModelDoubleOptions,
): Client;
// The last overload is the one that `ReturnType` reads.
export function openaiChat(run: TestRun, options?: ModelDoubleOptions): OpenaiChat;
export function openaiChat(run: TestRun, options?: ModelDoubleOptions): OpenaiChat {
  const ask = scriptedModel(run, "openaiChat", options);
  const double: OpenaiChat = onlyMembers("openaiChat(run)", {
    chat: onlyMembers("openaiChat(run).chat", {
      completions: onlyMembers("openaiChat(run).chat.completions", {
        create: async (request, settings) => {
          const { messages, tools, stream } = request;
          const conversation = messages.flatMap(sentIn);
          const toolNames = (tools ?? []).map(toolName);
          return replyOf(await ask({ conversation, toolNames, stream, signal: settings?.signal }), request.model);
        },
      } satisfies OpenaiChat["chat"]["completions"]),
    }),
  });
  return double;
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

function replyOf({ number, parts, stop }: ModelReply, model: string): OpenaiChatReply {
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
