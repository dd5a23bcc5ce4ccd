import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { DynamicStructuredTool } from "@langchain/core/tools";
import type { MemorySaver } from "@langchain/langgraph";
import type { AgentMiddleware, InterruptOnConfig } from "langchain";
import type { TestRun } from "../contract/harness.ts";
import { documentedMiddleware, interruptOn, isHidden } from "./langchain-middleware.ts";
import type { LangchainSdk } from "./langchain-sdk.ts";
import { langchainTools, type SchemaOf } from "./langchain-tools.ts";
import { skillRoom } from "./skill-room.ts";

/** What an agent is built from, in LangChain's own types. */
export interface LangchainParts {
  /** The scripted model. Take it as it is: `createAgent` and `createReactAgent` bind the tools. */
  readonly model: BaseChatModel;
  /** The run's tools, and `load_skill` where there are skills. */
  readonly tools: DynamicStructuredTool[];
  /**
   * What LangChain documents for the rest: a `wrapModelCall` that shows the offered tools only, `humanInTheLoopMiddleware`, and
   * `modelCallLimitMiddleware` with `threadLimit: maxSteps`. Or write your own, from the parts below.
   */
  readonly middleware: AgentMiddleware[];
  /** Keeps a run while it waits for a human. A new one for each run. */
  readonly checkpointer: MemorySaver;
  readonly maxSteps: number;
  /** Which calls wait for a human, as `humanInTheLoopMiddleware` takes it. */
  readonly interruptOn: Record<string, InterruptOnConfig>;
  /** The tools offered at this moment: for a `wrapModelCall` or a dynamic model of your own. */
  offeredTools(): DynamicStructuredTool[];
  /** The run itself, for tools of your own: `toolCalled` gives the scripted outcome, `requestApproval` asks the human. */
  readonly run: TestRun;
}

export function langchainParts(
  run: TestRun,
  sdk: LangchainSdk,
  model: BaseChatModel,
  schema: SchemaOf | undefined,
): LangchainParts {
  const { maxSteps, skills } = run;
  const room = skillRoom(run);
  const tools = langchainTools(sdk, room, skills, schema);
  return {
    model,
    tools,
    // LangGraph alone has none: it is made where it is asked for.
    get middleware() {
      return documentedMiddleware(sdk, room, maxSteps);
    },
    checkpointer: new sdk.langgraph.MemorySaver(),
    maxSteps,
    interruptOn: interruptOn(room.tools),
    offeredTools: () => tools.filter(({ name }) => !isHidden(room, name)),
    run,
  };
}
