import type Anthropic from "@anthropic-ai/sdk";
import type { ApprovalRequest, TestRun } from "../contract/harness.ts";
import { anthropicFetch } from "../wire/anthropic-fetch.ts";
import type { ModelDoubleOptions } from "../wire/model-double.ts";
import { decide, type Permission } from "../world/policy.ts";
import type { RunnableTool, RunnableTools } from "./anthropic-tools.ts";

/** A skill, and the tools that it adds. */
export interface AnthropicSkill {
  readonly name: string;
  readonly tools: RunnableTool[];
}

/** What a run gives to the function that builds your agent. The first four are all that most agents need. */
export interface AnthropicParts {
  /** The official client. All that it does is real, but for the service, which answers as the script says. */
  readonly client: Anthropic;
  /** The tools that are offered from the start: for `tools`. */
  readonly tools: RunnableTool[];
  /** The budget: for `max_iterations`. */
  readonly maxSteps: number;
  /** For the runner's request options: `toolRunner({ ... }, { signal })`. */
  readonly signal: AbortSignal;
  /**
   * Where you claim `hiddenTools: "by-skill"`: the tools that the model may call once it has loaded a skill, by a call of
   * `load_skill` with `{ "skill": name }`. That tool, and what it does (`runner.addTools`), is your own.
   */
  readonly skills: readonly AnthropicSkill[];
  /** Where you claim hidden tools: those that are never offered, and yet stand in your registry. */
  readonly hidden: RunnableTool[];
  /** Where you claim approvals or denials: what your policy says of a call. */
  permission(tool: string, input: unknown): Permission;
  /** Where you claim `approvals: "asked"`: asks the human, from a tool's `run` or between two turns. Rejects where nobody decides. */
  requestApproval(call: ApprovalRequest): Promise<boolean>;
  /** The whole run, for tools that you bring yourself (`run.toolCalled`). */
  readonly run: TestRun;
}

export interface PartsSetting {
  readonly client: typeof Anthropic;
  readonly tools: RunnableTools;
  readonly options: ModelDoubleOptions;
}

export function partsOf(run: TestRun, { client: Client, tools: runnable, options }: PartsSetting): AnthropicParts {
  const declared = run.tools.map((tool) => ({ ...tool }));
  const made = declared.map((tool) => ({ offered: tool.offered, tool: runnable.of(tool) }));
  const { loadSkill } = options;
  return {
    // The key is said, so that none is looked for in the environment; nothing is sent anywhere.
    client: new Client({
      apiKey: "none",
      baseURL: "http://model.invalid",
      fetch: anthropicFetch(run, loadSkill && { loadSkill }),
      maxRetries: 0,
      logLevel: "off",
    }),
    tools: made.flatMap(({ offered, tool }) => (offered === "always" ? [tool] : [])),
    maxSteps: run.maxSteps,
    signal: run.signal,
    skills: run.skills.map((name) => ({
      name,
      tools: made.flatMap(({ offered, tool }) =>
        typeof offered === "object" && offered.afterSkill === name ? [tool] : [],
      ),
    })),
    hidden: made.flatMap(({ offered, tool }) => (offered === "never" ? [tool] : [])),
    permission(name, input) {
      const tool = declared.find((candidate) => candidate.name === name);
      return tool === undefined ? "deny" : decide(tool.permission, input);
    },
    requestApproval: (call) => run.requestApproval(call),
    run,
  };
}
