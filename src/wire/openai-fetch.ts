import type { TestRun } from "../contract/harness.ts";
import { MintedIds } from "./minted-ids.ts";
import { type ModelDoubleOptions, scriptedModel } from "./model-double.ts";
import { type OpenaiChatRequest, openaiChunks, openaiFailures, openaiReply, readOpenaiRequest } from "./openai-wire.ts";
import { type Fetch, providerFetch } from "./provider-fetch.ts";

/**
 * The scripted model behind the official `openai` client itself: a `fetch` that answers `/chat/completions` as the service does, plain
 * and streamed. All that the client does runs as in production: its helpers (`stream`, `parse`, `runTools`), its retries, its errors.
 * What {@link openaiChat} says of results, `extra`, skills and cut pieces holds here too.
 *
 * - The client's helpers give a call that has no id one of their own. A result for it counts as one for the call without an id.
 * - A failing model request is a 429, a 503, a timeout or a lost connection, and the client makes its own error of it.
 * - The client tries a failed request again by itself, twice unless `maxRetries` says otherwise, and each try uses up one failure of the
 *   script. Give it `maxRetries: 0`, or what you have in production: it waits half a second or more after a lost connection.
 * - An error of the client that leaves `run` after an abort has to be named in `stopsWith`: `error instanceof OpenAI.APIUserAbortError`.
 *
 * @example
 * run: async (run) => {
 *   const client = new OpenAI({ apiKey: "none", fetch: openaiFetch(run), maxRetries: 0 });
 *   return { status: await supportBot({ client, tools: run.tools, maxSteps: run.maxSteps }) };
 * }
 */
export function openaiFetch(run: TestRun, options?: ModelDoubleOptions): Fetch {
  const ask = scriptedModel("openaiFetch", run, options);
  const mintedIds = new MintedIds();
  return providerFetch<OpenaiChatRequest>({
    name: "openaiFetch",
    path: "/chat/completions",
    async ask(request, signal) {
      const reply = await ask(request, signal);
      mintedIds.delivered(reply.parts.flatMap((part) => (part.kind === "tool-call" ? [part.callId] : [])));
      return reply;
    },
    read(body) {
      const request = readOpenaiRequest(body);
      return { ...request, conversation: mintedIds.undone(body, request.conversation) };
    },
    plain: (reply, { model }) => JSON.stringify(openaiReply(reply, model)),
    events: (reply, body) =>
      [...openaiChunks(reply, body).map((chunk) => JSON.stringify(chunk)), "[DONE]"].map(dataLine),
    failures: openaiFailures,
  });
}

function dataLine(data: string): string {
  return `data: ${data}\n\n`;
}
