import { setMaxListeners } from "node:events";
import type { FunctionDeclaration, GenerateContentResponse, GoogleGenAI } from "@google/genai";
import type { Harness, Outcome, TestRun, Tool } from "../contract/harness.ts";
import { badArgument } from "../contract/valid-argument.ts";
import { UndecidedError } from "../errors.ts";
import { googleGenaiFetch } from "../wire/google-genai-fetch.ts";
import type { ModelDoubleOptions } from "../wire/model-double.ts";
import { type AgentOptions, agentHarness } from "./agent-harness.ts";
import { hushSdk, unhushSdk } from "./google-genai-warnings.ts";
import { loadSdk } from "./sdk-package.ts";

/** One tool of a run: a plain function for your dispatcher, and how the model is told of it. */
export interface GoogleGenaiTool extends Tool {
  readonly declaration: FunctionDeclaration;
}

/** What your agent is built from. */
export interface GoogleGenaiParts {
  /** A real client, whose `httpOptions.fetch` plays the script. */
  readonly ai: GoogleGenAI;
  /** The tools as they were when the run began. What finds and calls them is yours: a callable tool, or a server behind `mcpToTool`. */
  readonly tools: readonly GoogleGenaiTool[];
  /** For `automaticFunctionCalling.maximumRemoteCalls`. */
  readonly maxSteps: number;
  /** For `config.abortSignal`, where `abort` is claimed. */
  readonly signal: AbortSignal;
  /** The scripted human, for a dispatcher that asks one. Rejects where nobody can be reached; what you let through ends the run. */
  readonly requestApproval: TestRun["requestApproval"];
  /** The skills that can be loaded, where your dispatcher has such a notion: the model loads one by a call, see `loadSkill`. */
  readonly skills: readonly string[];
}

/** What the client gave; or, where your wiring stopped the run by itself, how it ended. */
export type GoogleGenaiAnswer = GenerateContentResponse | AsyncIterable<GenerateContentResponse> | Outcome;

export interface GoogleGenaiOptions extends AgentOptions, ModelDoubleOptions {
  /** Asks the model, and returns what `generateContent`, `generateContentStream` or a chat's `sendMessage` gave. A stream is read to its end. */
  agent(parts: GoogleGenaiParts): GoogleGenaiAnswer | Promise<GoogleGenaiAnswer>;
}

/** Names that every version of the service takes, apart from the loader of skills. */
const toolNames = /^(?!load_skill$)[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/**
 * A harness around automatic function calling of `@google/genai`, plain and streamed, in a chat too, by a callable tool or by `mcpToTool`.
 *
 * The SDK hands a turn's calls over and sends back what it is given; names, schemas, permissions and failures are the business of your
 * `callTool`. So none of these is claimed here: say in `claims` what yours promises (`argumentSchemas`, `deny`, `approvals: "asked"`).
 *
 * - `abort` is claimed, as the SDK documents `abortSignal`; hand it `signal`.
 * - The run is `out-of-steps` where the last reply has calls that nobody answered, else `answered`; `failed` at an `ApiError` that the
 *   script asked for; `needs-approval` where `requestApproval` was left open and your dispatcher let that through.
 * - The SDK takes only a positive whole number for `maximumRemoteCalls`; it is given whatever the script says.
 *
 * @example
 * export const harness = googleGenaiHarness({
 *   name: "gemini-bot",
 *   agent: ({ ai, tools, maxSteps, signal }) =>
 *     ai.models.generateContent({
 *       model: "gemini-flash-latest",
 *       contents: "Help the customer.",
 *       config: { tools: [toolbox(tools)], abortSignal: signal, automaticFunctionCalling: { maximumRemoteCalls: maxSteps } },
 *     }),
 * });
 * @throws UsageError `bad-argument`; in `open`, `missing-sdk` or `untested-sdk`.
 */
export function googleGenaiHarness(options: GoogleGenaiOptions): Harness {
  let loading: ReturnType<typeof load> | undefined;
  const load = () =>
    loadSdk({ name: "@google/genai", majors: [2, 3], load: () => import("@google/genai") }, options.anyVersion);
  const sdk = async () => {
    loading ??= load();
    return (await loading).sdk;
  };
  return agentHarness(options, "agent", {
    of: "googleGenaiHarness",
    claims: { approvals: "none", deny: false, hiddenTools: "none", results: true, menu: true, abort: true },
    shape: { argumentText: "parsed", emptyArguments: "empty-object", toolNames },
    async run(run) {
      const { GoogleGenAI } = await sdk();
      const ai = new GoogleGenAI({
        apiKey: "none",
        vertexai: false,
        // Nothing listens there: the requests end in `fetch`.
        httpOptions: { baseUrl: "http://127.0.0.1:9", fetch: googleGenaiFetch(run, options) },
      });
      try {
        return await outcomeOf(await options.agent(partsOf(run, ai)));
      } catch (error) {
        if (error instanceof UndecidedError) return { status: "needs-approval" };
        throw error;
      }
    },
    stopsWith: (error) => (isFailedRequest(error) ? "failed" : undefined),
    async open() {
      await sdk();
      hushSdk();
    },
    async close() {
      unhushSdk();
    },
  });
}

function partsOf(run: TestRun, ai: GoogleGenAI): GoogleGenaiParts {
  const tools = run.tools.map((tool) => {
    const { name, description, inputSchema } = tool;
    return { ...tool, declaration: { name, description, parametersJsonSchema: inputSchema } };
  });
  return {
    ai,
    tools,
    maxSteps: run.maxSteps,
    // Read only where it is wanted: reading it says that it is obeyed.
    get signal() {
      // The SDK adds a listener for each request, and Node would warn of that.
      setMaxListeners(0, run.signal);
      return run.signal;
    },
    requestApproval: (call) => run.requestApproval(call),
    skills: [...run.skills],
  };
}

async function outcomeOf(answer: GoogleGenaiAnswer): Promise<Outcome> {
  if (typeof answer !== "object" || answer === null) throw badAnswer(answer);
  if (Symbol.asyncIterator in answer) return { status: (await leavesCalls(answer)) ? "out-of-steps" : "answered" };
  if ("status" in answer) return answer;
  if (!("functionCalls" in answer)) throw badAnswer(answer);
  return { status: hasCalls(answer) ? "out-of-steps" : "answered" };
}

/** A stream gives the results of a turn's calls, as the user's content, after the chunks of that turn. */
async function leavesCalls(stream: AsyncIterable<GenerateContentResponse>): Promise<boolean> {
  let left = false;
  for await (const chunk of stream) {
    if (chunk.candidates?.[0]?.content?.role === "user") left = false;
    else if (hasCalls(chunk)) left = true;
  }
  return left;
}

function hasCalls({ functionCalls }: GenerateContentResponse): boolean {
  return functionCalls !== undefined && functionCalls.length > 0;
}

function badAnswer(got: unknown) {
  const please = "return what `generateContent` or `generateContentStream` gave";
  return badArgument(
    { of: "googleGenaiHarness", is: "the answer of the `agent`", please },
    "a response or a stream",
    got,
  );
}

/** Known by its name, as the SDK documents: its class is one for each copy of the package. */
function isFailedRequest(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== "ApiError") return false;
  const { status } = error as Error & { readonly status?: unknown };
  return status === 429 || status === 503;
}
