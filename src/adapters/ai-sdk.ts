import type { Claims, Harness, Outcome, Shape, TestRun } from "../contract/harness.ts";
import type { ToolSpec } from "../world/tool.ts";
import { type AgentOptions, agentHarness } from "./agent-harness.ts";
import { decisions, openRequests } from "./ai-sdk-approvals.ts";
import { aiSdkModel } from "./ai-sdk-model.ts";
import { aiSdkMajor, aiSdkParts, isFailedCall, Silence } from "./ai-sdk-package.ts";
import { endOfLoop, statusOf } from "./ai-sdk-result.ts";
import { aiSdkApproval, aiSdkTools } from "./ai-sdk-tools.ts";
import type { AgentParts, AiSdkMajor, AiSdkModule, AiSdkParts, LoopAgent, LoopResult } from "./ai-sdk-types.ts";
import { skillLoader, skillRoom, usualToolNames } from "./skill-room.ts";

export type { AgentParts, AiSdkModule, LoopAgent, LoopResult };

export interface AiSdkOptions<Sdk extends AiSdkModule = typeof import("ai")> extends AgentOptions {
  /**
   * Builds your agent from the parts and runs it: what `generateText` or `streamText` gives, or a `ToolLoopAgent` (in 5 an
   * `Experimental_Agent`), which is then called. Called once for a run and, each time that humans have decided, once more with the
   * conversation so far.
   */
  agent(parts: AgentParts<Sdk>): LoopResult | LoopAgent | PromiseLike<LoopResult | LoopAgent>;
  /** An agent is called by `stream` instead of `generate`. Default false. */
  readonly stream?: boolean;
  /**
   * The schema by which the SDK validates the input of a tool, such as your own of zod. Default: the JSON Schema of the tool, with a
   * validator. Where yours says something else of an input than the world's does, give `world` and `normalise` as `defineWorld` makes them.
   */
  inputSchema?(tool: ToolSpec): unknown;
  /** The module, `import * as ai from "ai"`, where it is not the one that is found from here. */
  readonly sdk?: Sdk;
}

/**
 * An agent of the Vercel AI SDK 5, 6 or 7 as a harness: `generateText`, `streamText` or `ToolLoopAgent`, with your own `prepareStep`,
 * `stopWhen`, middleware and guards around the scripted model and tools.
 *
 * - Skills are loaded by a tool `load_skill`; tools are hidden by `activeTools`.
 * - A human is asked about what `needsApproval` (6, 7) or `toolApproval` (7) stops at, and the run is taken up again with the answer.
 *   Where one is left open the run ends as `needs-approval`.
 * - `maxSteps` starts again where a human says yes, since `stepCountIs` counts the steps of one call: `claims.budget` is `"resume"`.
 *   After a no your function gets what is left of it.
 * - Streamed argument text comes in pieces cut anywhere. Give `streamText` an `onError`, or it prints each error.
 * - Retries (`maxRetries`, twice by default) come at once, and each uses up one failure of the script.
 *
 * @example
 * export const harness = aiSdkHarness({
 *   name: "support-bot",
 *   agent: ({ model, tools, activeTools, messages, maxSteps, signal }) =>
 *     generateText({
 *       model,
 *       tools,
 *       messages,
 *       stopWhen: stepCountIs(maxSteps),
 *       prepareStep: () => ({ activeTools: activeTools() }),
 *       abortSignal: signal,
 *     }),
 * });
 * @throws UsageError `bad-argument`; when it is opened, `missing-sdk` or `untested-sdk`.
 */
export function aiSdkHarness<Sdk extends AiSdkModule = typeof import("ai")>(options: AiSdkOptions<Sdk>): Harness {
  const major = aiSdkMajor(options?.sdk);
  let opening: Promise<AiSdkParts> | undefined;
  const opened = (): Promise<AiSdkParts> => {
    opening ??= aiSdkParts(options.sdk, options.anyVersion);
    return opening;
  };
  const silence = new Silence();
  return agentHarness(options, "agent", {
    of: "aiSdkHarness",
    claims: claimsOf(major),
    shape,
    run: async (run) => ({ status: await play(run, await opened(), major, options) }),
    stopsWith: (error) => (isFailedCall(error) ? "failed" : undefined),
    async open() {
      await opened();
      silence.begin();
    },
    close: async () => silence.end(),
  });
}

/** As the SDK's documentation promises them. */
function claimsOf(major: AiSdkMajor): Claims {
  return {
    approvals: major === 5 ? "none" : "asked",
    deny: major === 7,
    hiddenTools: "by-skill",
    argumentSchemas: true,
    argumentPolicies: major !== 5,
    results: true,
    menu: true,
    abort: true,
    stopReason: true,
    budget: major === 5 ? "run" : "resume",
  };
}

const shape: Shape = { emptyArguments: "empty-object", toolNames: usualToolNames };

async function play<Sdk extends AiSdkModule>(
  run: TestRun,
  sdk: AiSdkParts,
  major: AiSdkMajor,
  { agent, inputSchema, stream = false }: AiSdkOptions<Sdk>,
): Promise<Outcome["status"]> {
  const { maxSteps, signal } = run;
  const room = skillRoom(run);
  const parts = {
    model: aiSdkModel(run, sdk, major),
    tools: aiSdkTools(room, { sdk, major, ...(inputSchema && { inputSchema }) }),
    activeTools: () => [skillLoader.name, ...room.tools.filter(room.isOffered).map(({ name }) => name)],
    signal,
    toolApproval: major === 7 ? aiSdkApproval(room) : undefined,
    run,
  };
  let messages: readonly object[] = [{ role: "user", content: "Help the customer." }];
  let left = maxSteps;
  for (;;) {
    const given = await agent({ ...parts, messages, maxSteps: left } as object as AgentParts<Sdk>);
    const end = await endOfLoop(given, { messages, abortSignal: signal }, stream);
    if (end === "aborted") return end;
    const requests = openRequests(end.last);
    if (requests.length === 0) return statusOf(end, left);
    const answer = await decisions(run, requests);
    if (answer === undefined) return "needs-approval";
    // A yes needs a model that hears of it, so the budget starts again; a no does not.
    left = answer.approved ? maxSteps : left - end.steps;
    if (left <= 0 && !answer.approved) return "out-of-steps";
    messages = [...messages, ...end.messages, answer.message];
  }
}
