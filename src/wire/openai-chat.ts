import type { TestRun } from "../contract/harness.ts";
import { asClientError } from "./client-errors.ts";
import { type EventStream, eventStream } from "./event-stream.ts";
import { type ClientDoubleOptions, scriptedModel } from "./model-double.ts";
import { onlyMembers } from "./only-members.ts";
import {
  type OpenaiChatChunk,
  type OpenaiChatReply,
  type OpenaiChatRequest,
  openaiChunks,
  openaiFailures,
  openaiReply,
  readOpenaiRequest,
} from "./openai-wire.ts";

interface RequestSettings {
  readonly signal?: AbortSignal | null | undefined;
}

/** The part of the official client that the double plays. */
export interface OpenaiChat {
  chat: { completions: { create: OpenaiCreate } };
}

export interface OpenaiCreate {
  (
    request: OpenaiChatRequest & { readonly stream: true },
    options?: RequestSettings,
  ): Promise<EventStream<OpenaiChatChunk>>;
  (
    request: OpenaiChatRequest & { readonly stream?: false | null | undefined },
    options?: RequestSettings,
  ): Promise<OpenaiChatReply>;
  (request: OpenaiChatRequest, options?: RequestSettings): Promise<OpenaiChatReply | EventStream<OpenaiChatChunk>>;
}

const instead = "give the loop the official client itself, made with `fetch: openaiFetch(run)`";

/**
 * The scripted model behind the `create` method of the official `openai` client, for loops built on `client.chat.completions`.
 * Where the loop's parameter is typed as the real client, that type is inferred: no cast is needed.
 *
 * - Reads the results from the `tool` messages that are new since the last reply, and the menu from `tools`.
 * - Hands over ids, names and argument text as the model wrote them. `extra` stands beside `function` and beside the
 *   `arguments` in it, and never overrides a field.
 * - With `stream: true` the same reply comes in pieces: a call's id and name first, then its argument text cut anywhere, inside escapes
 *   and characters too, the same turn always in the same places. A stream that is aborted ends without an error, as the real one does.
 * - Results on this wire have no error flag: set `shape.errorFlag` to false.
 * - Skills are loaded by a tool call, see {@link ModelDoubleOptions}.
 * - A failing model request rejects with `ModelError`, or, where `errors` is given, with the official client's own error. There is no
 *   retry, so a double costs one request where the real client may make three.
 *
 * The client's helpers (`stream`, `parse`, `runTools`) are code of the client: it is not imitated here, but runs over {@link openaiFetch}.
 *
 * @example
 * run: async (run) => {
 *   await supportBot({ client: openaiChat(run), tools: run.tools, maxSteps: run.maxSteps });
 *   return { status: "answered" };
 * }
 * @throws UsageError `not-in-the-double` where another member of the client is used.
 */
export function openaiChat<Client extends { readonly chat: { readonly completions: object } } = OpenaiChat>(
  run: TestRun,
  options?: ClientDoubleOptions,
): Client;
// The last overload is the one that `ReturnType` reads.
export function openaiChat(run: TestRun, options?: ClientDoubleOptions): OpenaiChat;
export function openaiChat(run: TestRun, options?: ClientDoubleOptions): unknown {
  const ask = scriptedModel("openaiChat", run, options);
  const create = async (request: OpenaiChatRequest, { signal }: RequestSettings = {}) => {
    const reply = await ask(readOpenaiRequest(request), signal).catch((error: unknown) => {
      throw asClientError(error, options?.errors, openaiFailures, signal);
    });
    if (request.stream !== true) return openaiReply(reply, request.model);
    return eventStream("the stream of openaiChat(run)", openaiChunks(reply, request), { signal, instead });
  };
  const completions = onlyMembers("openaiChat(run).chat.completions", { create }, instead);
  return onlyMembers(
    "openaiChat(run)",
    { chat: onlyMembers("openaiChat(run).chat", { completions }, instead) },
    instead,
  );
}
