import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessageChunk, BaseMessage } from "@langchain/core/messages";
import type { TestRun } from "../contract/harness.ts";
import type { ToolCall } from "../contract/turn.ts";
import { ModelError } from "../errors.ts";
import { contentText, textField } from "../wire/message-content.ts";
import { fieldsBeside, type ModelReply, scriptedModel } from "../wire/model-double.ts";
import type { Sent } from "../wire/new-results.ts";
import { textPieces } from "../wire/text-pieces.ts";
import type { LangchainSdk } from "./langchain-sdk.ts";

/**
 * The scripted model as LangChain's chat models are: argument text is read by the parser that LangChain's integrations use, so text that
 * is not JSON becomes an `invalid_tool_call`. Where LangChain asks for chunks, the same text comes as `tool_call_chunks`, cut anywhere.
 */
export type ScriptedChatModel = new (run: TestRun) => BaseChatModel;

type Parsers = LangchainSdk["parsers"];

export function scriptedChatModel({ chatModels, messages, outputs, parsers }: LangchainSdk): ScriptedChatModel {
  const { AIMessage, AIMessageChunk } = messages;
  const { ChatGenerationChunk } = outputs;

  return class ScriptedModel extends chatModels.BaseChatModel {
    readonly #ask: ReturnType<typeof scriptedModel>;

    constructor(run: TestRun) {
      super({});
      this.#ask = scriptedModel("langchainHarness", run);
    }

    override _llmType(): string {
      return "scripted";
    }

    override bindTools(tools: readonly unknown[], settings?: object) {
      return this.withConfig({ tools, ...settings } as object);
    }

    override async _generate(conversation: BaseMessage[], options: this["ParsedCallOptions"]) {
      const reply = await this.#reply(conversation, options);
      const content = textOf(reply);
      const message = new AIMessage({ content, ...callsOf(reply, parsers), response_metadata: metadataOf(reply) });
      return { generations: [{ text: content, message }] };
    }

    override async *_streamResponseChunks(
      conversation: BaseMessage[],
      options: this["ParsedCallOptions"],
      manager?: { handleLLMNewToken(...token: unknown[]): Promise<void> },
    ) {
      const reply = await this.#reply(conversation, options);
      for (const fields of chunksOf(reply)) {
        const message = new AIMessageChunk(fields);
        const chunk = new ChatGenerationChunk({ text: message.text, message });
        yield chunk;
        await manager?.handleLLMNewToken(message.text, undefined, undefined, undefined, undefined, { chunk });
      }
    }

    async #reply(conversation: readonly BaseMessage[], options: this["ParsedCallOptions"]): Promise<ModelReply> {
      const { tools } = options as { tools?: readonly unknown[] };
      const request = { conversation: conversation.flatMap(sentIn), toolNames: (tools ?? []).map(toolName) };
      try {
        return await this.#ask(request, options.signal);
      } catch (error) {
        throw error instanceof ModelError ? asIntegrationError(error) : error;
      }
    }
  };
}

function sentIn(message: BaseMessage): readonly Sent[] {
  if (message.type === "ai") return [{ kind: "reply" }];
  if (message.type !== "tool") return [];
  const { tool_call_id: callId, content, status } = message as BaseMessage & { tool_call_id: string; status?: string };
  return [{ kind: "result", result: { callId, text: contentText(content), isError: status === "error" } }];
}

/** Tools of LangChain's own, or as a service declares them. */
function toolName(tool: unknown): string {
  const { name, function: declared } = tool as { name?: unknown; function?: unknown };
  return typeof name === "string" ? name : textField(declared, "name");
}

function textOf({ parts }: ModelReply): string {
  return parts.flatMap((part) => (part.kind === "text" ? [part.text] : [])).join("\n");
}

function callsIn({ parts }: ModelReply): readonly ToolCall[] {
  return parts.filter((part) => part.kind === "tool-call");
}

function callsOf(reply: ModelReply, { parseToolCall, makeInvalidToolCall }: Parsers) {
  const tool_calls: object[] = [];
  const invalid_tool_calls: object[] = [];
  for (const call of callsIn(reply)) {
    const raw = { id: call.callId, type: "function", function: { name: call.name, arguments: call.args } };
    try {
      tool_calls.push({ ...fieldsBeside(call), ...parseToolCall(raw, { returnId: true }) });
    } catch (error) {
      invalid_tool_calls.push({ ...fieldsBeside(call), ...makeInvalidToolCall(raw, (error as Error).message) });
    }
  }
  return { tool_calls, invalid_tool_calls } as Pick<AIMessageChunk, "tool_calls" | "invalid_tool_calls">;
}

/** As an integration streams them: the text, then one call after another, its id and name first, and why it stopped. */
function chunksOf(reply: ModelReply) {
  const text = textPieces(textOf(reply)).map((content) => ({ content }));
  const calls = callsIn(reply).flatMap((call, index) => {
    const type = "tool_call_chunk" as const;
    const first = { ...fieldsBeside(call), id: call.callId, name: call.name, args: "", index, type };
    return [first, ...textPieces(call.args).map((args) => ({ args, index, type }))].map((chunk) => ({
      content: "",
      tool_call_chunks: [chunk],
    }));
  });
  return [...text, ...calls, { content: "", response_metadata: metadataOf(reply) }];
}

function metadataOf({ stop }: ModelReply) {
  return { finish_reason: stop === "tool-calls" ? "tool_calls" : stop === "length" ? "length" : "stop" };
}

/** A message that the scripted model said, and nobody else. */
export function isScripted(message: BaseMessage): boolean {
  return message.type === "ai" && "finish_reason" in message.response_metadata;
}

const failures = {
  "rate-limit": { name: "RateLimitError", status: 429, lc_error_code: "MODEL_RATE_LIMIT" },
  overloaded: { name: "InternalServerError", status: 503 },
  timeout: { name: "TimeoutError" },
  connection: { name: "APIConnectionError" },
} as const;

/** The error as LangChain's integrations throw it: the client's own, with the fields that LangChain adds. */
function asIntegrationError(error: ModelError): Error {
  return Object.assign(new Error(error.message, { cause: error }), failures[error.failure]);
}
