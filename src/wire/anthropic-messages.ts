import type { TestRun } from "../contract/harness.ts";
import {
  type AnthropicEvent,
  type AnthropicMessagesRequest,
  type AnthropicReply,
  anthropicEvents,
  anthropicFailures,
  anthropicReply,
  readAnthropicRequest,
} from "./anthropic-wire.ts";
import { asClientError } from "./client-errors.ts";
import { type EventStream, eventStream } from "./event-stream.ts";
import { type ClientDoubleOptions, scriptedModel } from "./model-double.ts";
import { onlyMembers } from "./only-members.ts";

interface RequestSettings {
  readonly signal?: AbortSignal | null | undefined;
}

/** The part of the official client that the double plays. */
export interface AnthropicMessages {
  messages: { create: AnthropicCreate };
}

export interface AnthropicCreate {
  (
    request: AnthropicMessagesRequest & { readonly stream: true },
    options?: RequestSettings,
  ): Promise<EventStream<AnthropicEvent>>;
  (
    request: AnthropicMessagesRequest & { readonly stream?: false | undefined },
    options?: RequestSettings,
  ): Promise<AnthropicReply>;
  (request: AnthropicMessagesRequest, options?: RequestSettings): Promise<AnthropicReply | EventStream<AnthropicEvent>>;
}

const instead = "give the loop the official client itself, made with `fetch: anthropicFetch(run)`";

/**
 * The scripted model behind the `create` method of the official `@anthropic-ai/sdk` client, for loops built on `client.messages`.
 * Where the loop's parameter is typed as the real client, that type is inferred: no cast is needed.
 *
 * - Reads the results from the `tool_result` blocks that are new since the last reply, `is_error` too, and the menu from `tools`.
 * - `input` is the JSON value of the argument text; an own `__proto__` key stays one. A plain reply of this wire can't carry text
 *   that is not JSON: set `shape.argumentText` to `"parsed"`. Where such text comes all the same, `input` is that text, a string,
 *   and never an object.
 * - With `stream: true` the same reply comes in events: a call's id and name first, then its argument text cut anywhere, inside escapes
 *   and characters too, the same turn always in the same places. There any text can come, so a loop that joins the pieces itself leaves
 *   `argumentText` alone. A stream that is aborted ends without an error, as the real one does.
 * - `extra` stands beside `input` in the block, and never overrides a field.
 * - Skills are loaded by a tool call, see {@link ModelDoubleOptions}.
 * - A failing model request rejects with `ModelError`, or, where `errors` is given, with the official client's own error. There is no
 *   retry, so a double costs one request where the real client may make three.
 *
 * The client's helpers (`stream`, `parse`, `toolRunner`) are code of the client: it is not imitated here, but runs over {@link anthropicFetch}.
 *
 * @example
 * run: async (run) => {
 *   await supportBot({ client: anthropicMessages(run), tools: run.tools, maxSteps: run.maxSteps });
 *   return { status: "answered" };
 * }
 * @throws UsageError `not-in-the-double` where another member of the client is used.
 */
export function anthropicMessages<Client extends { readonly messages: object } = AnthropicMessages>(
  run: TestRun,
  options?: ClientDoubleOptions,
): Client;
// The last overload is the one that `ReturnType` reads.
export function anthropicMessages(run: TestRun, options?: ClientDoubleOptions): AnthropicMessages;
export function anthropicMessages(run: TestRun, options?: ClientDoubleOptions): unknown {
  const ask = scriptedModel("anthropicMessages", run, options);
  const create = async (request: AnthropicMessagesRequest, { signal }: RequestSettings = {}) => {
    const reply = await ask(readAnthropicRequest(request), signal).catch((error: unknown) => {
      throw asClientError(error, options?.errors, anthropicFailures, signal);
    });
    if (request.stream !== true) return anthropicReply(reply, request.model);
    const events = anthropicEvents(reply, request.model);
    return eventStream("the stream of anthropicMessages(run)", events, { signal, instead });
  };
  const messages = onlyMembers("anthropicMessages(run).messages", { create }, instead);
  return onlyMembers("anthropicMessages(run)", { messages }, instead);
}
