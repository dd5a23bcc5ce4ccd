import type { AgentMiddleware, InterruptOnConfig } from "langchain";
import type { Tool } from "../contract/harness.ts";
import { UsageError } from "../errors.ts";
import { decide } from "../world/policy.ts";
import type { LangchainSdk } from "./langchain-sdk.ts";
import type { SkillRoom } from "./skill-room.ts";

/** LangChain's own types of these options are `never` under `exactOptionalPropertyTypes`. */
interface Documented {
  humanInTheLoopMiddleware(options: { readonly interruptOn: Record<string, InterruptOnConfig> }): AgentMiddleware;
  modelCallLimitMiddleware(options: { readonly threadLimit: number }): AgentMiddleware;
}

/** What LangChain documents for approval, budget and tools that are not always offered, in the order in which they hold together. */
export function documentedMiddleware(
  { langchain }: LangchainSdk,
  room: SkillRoom,
  maxSteps: number,
): AgentMiddleware[] {
  if (langchain === undefined) {
    throw new UsageError(
      "missing-sdk",
      "Expected the package `langchain` to be installed, got none. Do run `npm install langchain@1`, or leave `middleware` alone.",
      { name: "langchain" },
    );
  }
  const { createMiddleware } = langchain;
  const { humanInTheLoopMiddleware, modelCallLimitMiddleware } = langchain as unknown as Documented;
  return [
    createMiddleware({
      name: "OfferedTools",
      wrapModelCall: (request, next) =>
        next({ ...request, tools: request.tools.filter(({ name }) => !isHidden(room, name)) }),
    }),
    humanInTheLoopMiddleware({ interruptOn: interruptOn(room.tools) }),
    modelCallLimitMiddleware({ threadLimit: maxSteps }),
  ] as AgentMiddleware[];
}

/** The loader of skills is never hidden, and neither is a tool that somebody added. */
export function isHidden(room: SkillRoom, name: unknown): boolean {
  const tool = room.tools.find((declared) => declared.name === name);
  return tool !== undefined && !room.isOffered(tool);
}

/** Which calls wait for a human, as `humanInTheLoopMiddleware` takes it. */
export function interruptOn(tools: readonly Tool[]): Record<string, InterruptOnConfig> {
  return Object.fromEntries(
    tools
      .filter(({ permission }) => permission !== "allow" && permission !== "deny")
      .map(({ name, permission }) => [
        name,
        {
          allowedDecisions: ["approve", "reject"],
          ...(typeof permission === "object" && {
            when: ({ toolCall }) => decide(permission, toolCall.args) === "ask",
          }),
        } satisfies InterruptOnConfig,
      ]),
  );
}
