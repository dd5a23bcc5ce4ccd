import type Anthropic from "@anthropic-ai/sdk";
import type { Harness, Outcome } from "../contract/harness.ts";
import type { ModelDoubleOptions } from "../wire/model-double.ts";
import { type AgentOptions, agentHarness } from "./agent-harness.ts";
import { type AnthropicAgent, outcomeOf } from "./anthropic-outcome.ts";
import { type AnthropicParts, partsOf } from "./anthropic-parts.ts";
import { RunnableTools, type ZodSchemaOf } from "./anthropic-tools.ts";
import { loadSdk } from "./sdk-package.ts";
import { usualToolNames } from "./skill-room.ts";

export type { AnthropicAgent } from "./anthropic-outcome.ts";
export type { AnthropicParts, AnthropicSkill } from "./anthropic-parts.ts";
export type { RunnableTool, ZodSchemaOf } from "./anthropic-tools.ts";

export interface AnthropicOptions extends AgentOptions, ModelDoubleOptions {
  /** Builds your agent around what a run gives it. Called once for each run. */
  agent(parts: AnthropicParts): AnthropicAgent;
  /**
   * The zod schemas of your tools: those that have one are made by `betaZodTool`, which validates. The others are made by `betaTool`, from
   * the JSON Schema of the world, and nothing validates them.
   */
  readonly zodSchema?: ZodSchemaOf;
}

/**
 * A harness around the tool runner of `@anthropic-ai/sdk`, `client.beta.messages.toolRunner`: plain, streamed (`stream: true`) and eager
 * (`runToolsEagerly: true`), on the official client, whose requests are answered by the script.
 *
 * - What `agent` returns is driven: a tool runner is iterated to its end, its streams are read. Where you drive it yourself (`await runner`,
 *   a loop of your own that asks a human between two turns), return the last message, or `{ status }`, or a promise of either.
 * - Claimed is what the SDK documents: results, menu, validation, the abort signal, the reason why a turn stopped. It has no notion of
 *   approval, denial or hidden tools: wire what you have (a guard in `run`, `addTools`, `removeTools`), and claim that.
 * - With `runToolsEagerly` a call may run although its turn is cut off behind it, as documented: `claims: { stopReason: false }`.
 * - Arguments are values, and the service checks that they are JSON. It does not where your tools say `eager_input_streaming`: then set
 *   `shape: { argumentText: "raw" }`.
 * - The client does not try a failed request again (`maxRetries: 0`). Give it what you have by `client.withOptions({ maxRetries: 2 })`; each
 *   try uses up one failure of the script, and waits half a second or more after a lost connection.
 *
 * @example
 * export const harness = anthropicHarness({
 *   name: "support-bot",
 *   agent: ({ client, tools, maxSteps, signal }) =>
 *     client.beta.messages.toolRunner(
 *       { model: "claude-opus-5", max_tokens: 1_024, messages, tools, max_iterations: maxSteps },
 *       { signal },
 *     ),
 * });
 * @throws UsageError `bad-argument` where the options can't be used; `missing-sdk` or `untested-sdk` once the first run begins.
 */
export function anthropicHarness(options: AnthropicOptions): Harness {
  let loading: Promise<Loaded> | undefined;
  let client: typeof Anthropic | undefined;
  const open = async (): Promise<Loaded> => {
    loading ??= load(options);
    const loaded = await loading;
    client = loaded.client;
    return loaded;
  };
  return agentHarness(options, "agent", {
    of: "anthropicHarness",
    claims: {
      approvals: "none",
      deny: false,
      hiddenTools: "none",
      argumentSchemas: true,
      results: true,
      menu: true,
      abort: true,
      stopReason: true,
    },
    shape: { argumentText: "parsed", emptyArguments: "empty-object", toolNames: usualToolNames },
    async run(run) {
      const { client, tools } = await open();
      return outcomeOf(options.agent(partsOf(run, { client, tools, options })));
    },
    stopsWith: (error) => client && documentedStop(error, client),
    open: async () => {
      await open();
    },
  });
}

interface Loaded {
  readonly client: typeof Anthropic;
  readonly tools: RunnableTools;
}

async function load({ zodSchema, anyVersion }: AnthropicOptions): Promise<Loaded> {
  const { sdk } = await loadSdk(
    { name: "@anthropic-ai/sdk", majors: [1], load: () => import("@anthropic-ai/sdk") },
    anyVersion,
  );
  const { betaTool } = await import("@anthropic-ai/sdk/helpers/beta/json-schema");
  if (zodSchema === undefined) return { client: sdk.default, tools: new RunnableTools({ betaTool }) };
  const { betaZodTool } = await import("@anthropic-ai/sdk/helpers/beta/zod");
  return { client: sdk.default, tools: new RunnableTools({ betaTool, zod: { betaZodTool, zodSchema } }) };
}

/** The errors by which the client and the runner tell, as documented, that a run is over. */
function documentedStop(error: unknown, client: typeof Anthropic): Outcome["status"] | undefined {
  if (!(error instanceof client.AnthropicError)) return undefined;
  if (error instanceof client.APIUserAbortError) return "aborted";
  const isModelDown =
    error instanceof client.APIConnectionError ||
    error instanceof client.RateLimitError ||
    error instanceof client.InternalServerError;
  if (isModelDown) return "failed";
  if (error.message === "ToolRunner concluded without a message from the server") return "out-of-steps";
  return error.message.startsWith("Unable to parse tool parameter JSON from model.") ? "failed" : undefined;
}
