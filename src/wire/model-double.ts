import type { TestRun } from "../contract/harness.ts";
import { madeByHelper } from "../contract/helper-input.ts";
import type { Proposal, Text, ToolCall, Turn } from "../contract/turn.ts";
import { validArgument } from "../contract/valid-argument.ts";
import type { JsonObject } from "../world/json.ts";
import type { ClientErrors } from "./client-errors.ts";
import { resultReader, type Sent } from "./new-results.ts";

export interface ModelDoubleOptions {
  /**
   * The tool call that loads a skill in this loop: provider clients have no other word for it. Default: a call of `load_skill` with
   * `{ "skill": … }`. Called with unknown skills too.
   */
  readonly loadSkill?: (skill: string) => { readonly name: string; readonly arguments: JsonObject };
}

export interface ClientDoubleOptions extends ModelDoubleOptions {
  /**
   * The official client's class, `OpenAI` or `Anthropic`: where the script lets a model request fail, or the request's own signal aborts,
   * the double rejects with that client's errors (`RateLimitError`, `APIUserAbortError`), as loops that retry look for. Without it, with
   * the kit's `ModelError` and the platform's `AbortError`. One that leaves `run` has to be named in `stopsWith`, as any other stop.
   */
  readonly errors?: ClientErrors;
}

/** A request as any provider's client makes it. */
export interface ModelRequest {
  readonly conversation: readonly Sent[];
  /** The names of the tools in it. */
  readonly toolNames: readonly string[];
}

/** A reply as any provider's client gives it: texts and tool calls only. */
export interface ModelReply {
  /** Counts the replies of the run from 1. */
  readonly number: number;
  readonly parts: readonly (ToolCall | Text)[];
  readonly stop: Turn["stop"];
}

/**
 * The scripted model of a run, behind the requests of one provider's client.
 *
 * @param of how errors name the double.
 */
export function scriptedModel(of: string, run: TestRun, options: ModelDoubleOptions = {}) {
  const please = `write \`run: async (run) => { ... ${of}(run) ... }\``;
  validArgument(run, { of, is: "the run", please }, { nextTurn: "function", tools: "list", skills: "list" });
  validArgument(options, { of, is: "the options", please: "give an object, or leave them out" });
  const { loadSkill = defaultLoad } = options;
  const reader = resultReader();
  const declared = new Set(run.tools.map((tool) => tool.name));
  const loaders = new Set(["", ...run.skills].map((skill) => loadSkill(skill).name));
  let replies = 0;

  return async (request: ModelRequest, signal?: AbortSignal | null): Promise<ModelReply> => {
    signal?.throwIfAborted();
    const menu = request.toolNames.filter((name) => declared.has(name) || !loaders.has(name));
    const turn = await run.nextTurn(madeByHelper({ results: reader.read(request.conversation), menu }));
    const parts = turn.proposals.map((proposal) => spoken(proposal, loadSkill));
    reader.delivered(
      request.conversation,
      parts.flatMap((part) => (part.kind === "text" ? [] : [part.callId])),
    );
    replies += 1;
    return { number: replies, parts, stop: turn.stop };
  };
}

function defaultLoad(skill: string): { readonly name: string; readonly arguments: JsonObject } {
  return { name: "load_skill", arguments: { skill } };
}

function spoken(proposal: Proposal, loadSkill: ModelDoubleOptions["loadSkill"] & {}): ToolCall | Text {
  if (proposal.kind !== "load-skill") return proposal;
  const { name, arguments: args } = loadSkill(proposal.skill);
  return { kind: "tool-call", callId: proposal.callId, name, args: JSON.stringify(args) };
}

/** A call's extra fields, without those that the call object itself is read by: they override nothing. */
export function fieldsBeside(call: ToolCall): JsonObject {
  return Object.fromEntries(Object.entries(call.extra ?? {}).filter(([key]) => !callFields.has(key)));
}

const callFields: ReadonlySet<string> = new Set(
  ["type", "id", "index", "call_id", "callId", "tool_call_id", "tool_use_id", "name", "tool", "toolset_name"].concat([
    "args",
    "arguments",
    "input",
    "function",
    "custom",
    "caller",
  ]),
);
