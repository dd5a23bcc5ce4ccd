import type { TestRun } from "../contract/harness.ts";
import type { Text, ToolCall, Turn } from "../contract/turn.ts";
import { ModelError } from "../errors.ts";
import { field, textField } from "../wire/message-content.ts";
import { fieldsBeside, type ModelReply, scriptedModel } from "../wire/model-double.ts";
import type { Sent } from "../wire/new-results.ts";
import { resultText } from "../wire/result-text.ts";
import { textPieces } from "../wire/text-pieces.ts";
import type { AiSdkMajor, AiSdkParts } from "./ai-sdk-types.ts";

/** A call of the model as every major makes it. */
interface Asked {
  readonly prompt: readonly object[];
  readonly tools?: readonly { readonly name: string }[];
  readonly abortSignal?: AbortSignal;
}

type Part = { readonly type: string } & { readonly [key: string]: unknown };

/**
 * The scripted model as the SDK's own model interface, plain and streamed. Argument text goes in as it is; streamed, it comes in
 * pieces first and whole at the end of each call, as the SDK's providers send it. A failing request rejects with an `APICallError` that
 * may be tried again at once.
 *
 * @example
 * await generateText({ model: aiSdkModel(run, sdk, 6), prompt: "Help the customer.", tools })
 */
export function aiSdkModel(run: TestRun, sdk: Pick<AiSdkParts, "APICallError">, major: AiSdkMajor): object {
  const ask = scriptedModel("aiSdkHarness", run);
  const answer = async ({ prompt, tools = [], abortSignal }: Asked): Promise<ModelReply> => {
    try {
      const request = { conversation: conversationOf(prompt), toolNames: tools.map(({ name }) => name) };
      return await ask(request, abortSignal);
    } catch (error) {
      throw error instanceof ModelError ? callError(sdk, error) : error;
    }
  };
  return {
    specificationVersion: `v${major - 3}`,
    provider: "gatecrash",
    modelId: "scripted",
    supportedUrls: {},
    async doGenerate(asked: Asked) {
      const { parts, stop } = await answer(asked);
      return { content: parts.map(contentOf), ...endOf(stop, major), warnings: [] };
    },
    async doStream(asked: Asked) {
      const { parts, stop } = await answer(asked);
      return { stream: streamOf([...parts.flatMap(chunksOf), { type: "finish", ...endOf(stop, major) }]) };
    },
  };
}

function contentOf(part: ToolCall | Text): Part {
  if (part.kind === "text") return { type: "text", text: part.text };
  const { callId, name, args } = part;
  return { ...fieldsBeside(part), type: "tool-call", toolCallId: callId, toolName: name, input: args };
}

function chunksOf(part: ToolCall | Text, index: number): Part[] {
  if (part.kind === "text") {
    const id = `text-${index}`;
    const deltas = textPieces(part.text).map((delta) => ({ type: "text-delta", id, delta }));
    return [{ type: "text-start", id }, ...deltas, { type: "text-end", id }];
  }
  const { callId: id, name: toolName, args } = part;
  const deltas = textPieces(args).map((delta) => ({ type: "tool-input-delta", id, delta }));
  return [{ type: "tool-input-start", id, toolName }, ...deltas, { type: "tool-input-end", id }, contentOf(part)];
}

function streamOf(parts: readonly Part[]): ReadableStream<Part> {
  let next = -1;
  return new ReadableStream<Part>({
    pull(controller) {
      const part = next < 0 ? { type: "stream-start", warnings: [] } : parts[next];
      next += 1;
      if (part === undefined) controller.close();
      else controller.enqueue(part);
    },
  });
}

/** Why the model stopped, and what it cost: nothing. */
function endOf(stop: Turn["stop"], major: AiSdkMajor): object {
  const reason = stop === "end" ? "stop" : stop;
  if (major === 5) return { finishReason: reason, usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } };
  return {
    finishReason: { unified: reason, raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
  };
}

const statusOf = { "rate-limit": 429, overloaded: 529, timeout: undefined, connection: undefined } as const;

/** As a provider of the SDK makes it, of a response or of a lost connection. The wait before a retry is nothing that a script speaks of. */
function callError({ APICallError }: Pick<AiSdkParts, "APICallError">, cause: ModelError): Error {
  const statusCode = statusOf[cause.failure];
  return new APICallError({
    message: statusCode === undefined ? `Cannot connect to API: ${cause.message}` : cause.message,
    url: "http://localhost/scripted",
    requestBodyValues: {},
    ...(statusCode !== undefined && { statusCode, responseBody: "{}" }),
    responseHeaders: { "retry-after-ms": "0" },
    isRetryable: true,
    cause,
  });
}

/** The prompt of a model call, as far as results go. */
function conversationOf(prompt: readonly object[]): Sent[] {
  return prompt.flatMap((message): Sent[] => {
    const role = field(message, "role");
    if (role === "assistant") return [{ kind: "reply" }];
    const content = field(message, "content");
    if (role !== "tool" || !Array.isArray(content)) return [];
    return content.flatMap((part): Sent[] =>
      field(part, "type") === "tool-result"
        ? [{ kind: "result", result: { callId: textField(part, "toolCallId"), ...resultOf(field(part, "output")) } }]
        : [],
    );
  });
}

function resultOf(output: unknown): { text: string; isError?: boolean } {
  const type = textField(output, "type");
  if (type === "execution-denied") return { text: textField(output, "reason"), isError: true };
  return { text: resultText(field(output, "value")), ...(type.startsWith("error") && { isError: true }) };
}
