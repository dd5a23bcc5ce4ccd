import { loadSdk, type SdkPackage } from "./sdk-package.ts";

/** What the adapter needs of LangChain's packages. */
export interface LangchainSdk {
  readonly chatModels: typeof import("@langchain/core/language_models/chat_models");
  readonly messages: typeof import("@langchain/core/messages");
  readonly outputs: typeof import("@langchain/core/outputs");
  readonly parsers: typeof import("@langchain/core/output_parsers/openai_tools");
  readonly tools: typeof import("@langchain/core/tools");
  readonly langgraph: typeof import("@langchain/langgraph");
  /** Undefined where only LangGraph is installed: `createReactAgent` has no middleware. */
  readonly langchain: typeof import("langchain") | undefined;
}

const core: SdkPackage<Pick<LangchainSdk, "chatModels" | "messages" | "outputs" | "parsers" | "tools">> = {
  name: "@langchain/core",
  majors: [1],
  async load() {
    const [chatModels, messages, outputs, parsers, tools] = await Promise.all([
      import("@langchain/core/language_models/chat_models"),
      import("@langchain/core/messages"),
      import("@langchain/core/outputs"),
      import("@langchain/core/output_parsers/openai_tools"),
      import("@langchain/core/tools"),
    ]);
    return { chatModels, messages, outputs, parsers, tools };
  },
};

const langgraph = { name: "@langchain/langgraph", majors: [1], load: () => import("@langchain/langgraph") };

const langchain = { name: "langchain", majors: [1], load: () => import("langchain") };

/** Takes a second or two, so it is done once, before the first run. */
export async function loadLangchain(anyVersion: boolean | undefined): Promise<LangchainSdk> {
  return {
    ...(await loadSdk(core, anyVersion)).sdk,
    langgraph: (await loadSdk(langgraph, anyVersion)).sdk,
    langchain: await loadSdk(langchain, anyVersion).then(
      ({ sdk }) => sdk,
      (error: unknown) => {
        if ((error as { code?: unknown }).code === "missing-sdk") return undefined;
        throw error;
      },
    ),
  };
}
