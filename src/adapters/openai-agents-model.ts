import type {
  AgentInputItem,
  AssistantMessageItem,
  FunctionCallItem,
  Model,
  ModelRequest,
  StreamEvent,
  Usage,
} from "@openai/agents";
import type { TestRun } from "../contract/harness.ts";
import type { ToolCall } from "../contract/turn.ts";
import { ModelError } from "../errors.ts";
import { contentText } from "../wire/message-content.ts";
import { fieldsBeside, type ModelReply, scriptedModel } from "../wire/model-double.ts";
import type { Sent } from "../wire/new-results.ts";
import { textPieces } from "../wire/text-pieces.ts";

/** A failed model request, with the fields that the SDK's retry policies read from errors of the official client. */
export class ModelRequestError extends Error {
  override readonly name = "APIError";
  readonly status: number | undefined;
  readonly code: string | undefined;

  constructor(failed: ModelError) {
    super(failed.message, { cause: failed });
    const { status, code } = clientFields[failed.failure];
    this.status = status;
    this.code = code;
  }
}

const clientFields: {
  readonly [failure in ModelError["failure"]]: {
    readonly status: number | undefined;
    readonly code: string | undefined;
  };
} = {
  "rate-limit": { status: 429, code: "rate_limit_exceeded" },
  overloaded: { status: 503, code: undefined },
  timeout: { status: undefined, code: "ETIMEDOUT" },
  connection: { status: undefined, code: "ECONNRESET" },
};

/** The scripted model in the SDK's own terms: argument text goes in as it was written, `extra` as a service's unknown fields do. */
export function agentsModel(run: TestRun, UsageClass: new () => Usage): Model {
  const askModel = scriptedModel("openaiAgentsHarness", run);
  const ask = async (request: ModelRequest): Promise<ModelReply> => {
    try {
      return await askModel(
        { conversation: conversationIn(request.input), toolNames: namesIn(request) },
        request.signal,
      );
    } catch (error) {
      throw error instanceof ModelError ? new ModelRequestError(error) : error;
    }
  };
  return {
    async getResponse(request) {
      const reply = await ask(request);
      return { usage: new UsageClass(), output: itemsOf(reply), responseId: responseId(reply) };
    },
    async *getStreamedResponse(request) {
      yield* eventsOf(await ask(request));
    },
  };
}

function namesIn({ tools, handoffs }: ModelRequest): readonly string[] {
  return [...tools.map(({ name }) => name), ...handoffs.map(({ toolName }) => toolName)];
}

function conversationIn(input: string | readonly AgentInputItem[]): readonly Sent[] {
  return typeof input === "string" ? [] : input.flatMap(sentIn);
}

function sentIn(item: AgentInputItem): readonly Sent[] {
  if (item.type === "function_call" || ("role" in item && item.role === "assistant")) return [{ kind: "reply" }];
  if (item.type !== "function_call_result") return [];
  const { callId, output } = item;
  const text = typeof output === "object" && "text" in output ? output.text : contentText(output);
  return [{ kind: "result", result: { callId, text } }];
}

function responseId({ number }: ModelReply): string {
  return `resp_${number}`;
}

function itemsOf(reply: ModelReply): (AssistantMessageItem | FunctionCallItem)[] {
  return reply.parts.map((part, place) =>
    part.kind === "text" ? messageOf(part.text, itemId(reply, place)) : callOf(part, itemId(reply, place), reply.stop),
  );
}

function itemId({ number }: ModelReply, place: number): string {
  return `item_${number}_${place}`;
}

function messageOf(text: string, id: string): AssistantMessageItem {
  return { type: "message", id, role: "assistant", status: "completed", content: [{ type: "output_text", text }] };
}

function callOf(call: ToolCall, id: string, stop: ModelReply["stop"]): FunctionCallItem {
  const beside = fieldsBeside(call);
  return {
    type: "function_call",
    id,
    callId: call.callId,
    name: call.name,
    arguments: call.args,
    status: stop === "length" ? "incomplete" : "completed",
    ...(Object.keys(beside).length > 0 && { providerData: beside }),
  };
}

/** The reply as a service streams it: texts and argument texts cut anywhere, then the whole. */
function* eventsOf(reply: ModelReply): Generator<StreamEvent> {
  yield { type: "response_started" };
  for (const [place, part] of reply.parts.entries()) {
    const itemIdOfPart = itemId(reply, place);
    for (const delta of textPieces(part.kind === "text" ? part.text : part.args)) {
      if (part.kind === "text") yield { type: "output_text_delta", itemId: itemIdOfPart, delta };
      else yield argumentPiece(itemIdOfPart, delta);
    }
  }
  const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  yield { type: "response_done", response: { id: responseId(reply), usage, output: itemsOf(reply) } };
}

function argumentPiece(itemId: string, delta: string): StreamEvent {
  return { type: "model", event: { type: "response.function_call_arguments.delta", item_id: itemId, delta } };
}
