import type { TestRun } from "../contract/harness.ts";
import {
  googleGenaiChunks,
  googleGenaiFailures,
  googleGenaiReplyText,
  readGoogleGenaiRequest,
} from "./google-genai-wire.ts";
import { type ModelDoubleOptions, scriptedModel } from "./model-double.ts";
import { type Fetch, providerFetch } from "./provider-fetch.ts";

/**
 * The scripted model behind the official `@google/genai` client itself: a `fetch` that answers `:generateContent` and
 * `:streamGenerateContent` as the Gemini service does. All that the client does runs as in production: automatic function calling, chats,
 * its errors.
 *
 * - Reads the results from the `functionResponse` parts that are new since the last reply, and the menu from `functionDeclarations`. A
 *   result with an `error` in its `response` is an error. One without an id is for the first call of its name that has no result yet.
 * - `args` is the JSON value of the argument text, left out where that text is empty. This wire can't carry text that is not JSON: set
 *   `shape.argumentText` to `"parsed"`. Where such text comes all the same, `args` is that text, a string, and never an object.
 * - A call whose id is empty comes without one, as the service may send it.
 * - Streamed text comes in pieces, a call always whole; the bytes are cut anywhere, the same turn always in the same places.
 * - `extra` stands beside `args` in the call, and never overrides a field.
 * - Skills are loaded by a tool call, see {@link ModelDoubleOptions}.
 * - A failing model request is a 429, a 503, or, for a timeout or a lost connection, the kit's `ModelError`. The client makes an `ApiError`
 *   of the first two, to be named in `stopsWith` where it leaves `run`. It tries nothing again unless `retryOptions` says so.
 *
 * @example
 * run: async (run) => {
 *   const ai = new GoogleGenAI({ apiKey: "none", httpOptions: { fetch: googleGenaiFetch(run) } });
 *   return { status: await supportBot({ ai, tools: run.tools, maxSteps: run.maxSteps }) };
 * }
 */
export function googleGenaiFetch(run: TestRun, options?: ModelDoubleOptions): Fetch {
  return providerFetch<{ readonly stream?: undefined }>({
    name: "googleGenaiFetch",
    path: ":generateContent",
    streamedPath: ":streamGenerateContent",
    ask: scriptedModel("googleGenaiFetch", run, options),
    read: readGoogleGenaiRequest,
    plain: googleGenaiReplyText,
    events: (reply) => googleGenaiChunks(reply).map((chunk) => `data: ${chunk}\n\n`),
    failures: googleGenaiFailures,
  });
}
