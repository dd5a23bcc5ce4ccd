import type Anthropic from "@anthropic-ai/sdk";
import type { BetaMessageStream } from "@anthropic-ai/sdk/lib/BetaMessageStream";
import type { BetaToolRunner } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";
import type { Outcome } from "../contract/harness.ts";
import { validArgument } from "../contract/valid-argument.ts";

type Message = Anthropic.Beta.BetaMessage;
type Runner = BetaToolRunner<boolean> | BetaToolRunner<true> | BetaToolRunner<false>;

/** What an agent may be: a tool runner to drive, or what came of driving it. */
export type AnthropicAgent = Runner | Message | Outcome | PromiseLike<Message | Outcome>;

/** Drives what the user's function returned to its end. */
export async function outcomeOf(agent: AnthropicAgent): Promise<Outcome> {
  const result = isRunner(agent) ? await lastMessage(agent) : await agent;
  const please = "return what `client.beta.messages.toolRunner(...)` gives, its last message, or `{ status }`";
  validArgument(result, { of: "anthropicHarness", is: "what `agent` returns", please });
  return "status" in result ? result : { status: statusOf(result) };
}

/** As the SDK's documentation drives it: turn by turn, each stream read to its end. */
async function lastMessage(runner: Runner): Promise<Message> {
  const items: AsyncIterable<Message | BetaMessageStream> = runner;
  for await (const item of items) {
    if (!(Symbol.asyncIterator in item)) continue;
    for await (const _event of item);
  }
  return runner.done();
}

/** The runner ends without a word: what it did not do with the calls of its last message tells why. */
function statusOf({ content, stop_reason: stop }: Message): Outcome["status"] {
  if (!content.some((block) => block.type === "tool_use") || stop === "end_turn") return "answered";
  return stop === "tool_use" ? "out-of-steps" : "blocked";
}

function isRunner(agent: AnthropicAgent): agent is Runner {
  return typeof agent === "object" && agent !== null && Symbol.asyncIterator in agent;
}
