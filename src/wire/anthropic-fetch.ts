import type { TestRun } from "../contract/harness.ts";
import {
  type AnthropicMessagesRequest,
  anthropicEvents,
  anthropicFailures,
  anthropicReplyText,
  readAnthropicRequest,
} from "./anthropic-wire.ts";
import { field } from "./message-content.ts";
import { type ModelDoubleOptions, type ModelRequest, scriptedModel } from "./model-double.ts";
import { type Fetch, providerFetch } from "./provider-fetch.ts";

/**
 * The scripted model behind the official `@anthropic-ai/sdk` client itself: a `fetch` that answers `/messages` as the service does, plain
 * and streamed. All that the client does runs as in production: its helpers (`stream`, `parse`, `toolRunner`), its retries, its errors.
 * What {@link anthropicMessages} says of results, `input`, `extra`, skills and cut pieces holds here too.
 *
 * - The client's `stream` helper makes a value even of argument text that was cut off, and fails at a bare number. A harness built on it
 *   says that text which is not JSON does not reach it, `shape.argumentText: "parsed"`, and handles the `AnthropicError`, or names it in
 *   `stopsWith`.
 * - A failing model request is a 429, a 529, a timeout or a lost connection, and the client makes its own error of it.
 * - The client tries a failed request again by itself, twice unless `maxRetries` says otherwise, and each try uses up one failure of the
 *   script. Give it `maxRetries: 0`, or what you have in production: it waits half a second or more after a lost connection.
 * - An error of the client that leaves `run` after an abort has to be named in `stopsWith`: `error instanceof Anthropic.APIUserAbortError`.
 *
 * @example
 * run: async (run) => {
 *   const client = new Anthropic({ apiKey: "none", fetch: anthropicFetch(run), maxRetries: 0 });
 *   return { status: await supportBot({ client, tools: run.tools, maxSteps: run.maxSteps }) };
 * }
 */
export function anthropicFetch(run: TestRun, options?: ModelDoubleOptions): Fetch {
  let lastTools: readonly string[] = [];
  return providerFetch<AnthropicMessagesRequest>({
    name: "anthropicFetch",
    path: "/messages",
    ask: scriptedModel("anthropicFetch", run, options),
    read(body): ModelRequest {
      // A request that goes on with a conversation kept by the service sends what is new alone: no tools, only changes of them.
      const request = readAnthropicRequest(body, field(field(body, "thread"), "type") === "continue" ? lastTools : []);
      lastTools = request.toolNames;
      return request;
    },
    plain: (reply, { model }) => anthropicReplyText(reply, model),
    events: (reply, { model }) =>
      anthropicEvents(reply, model).flatMap((event, index) => {
        const text = eventText(event);
        return index === 0 ? [text, eventText({ type: "ping" })] : [text];
      }),
    failures: anthropicFailures,
  });
}

function eventText(event: { readonly type: string }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
