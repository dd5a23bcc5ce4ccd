import type { ApprovalRequest, TestRun, Tool } from "../contract/harness.ts";
import type { ModelInput } from "../contract/run-record.ts";
import type { Proposal, Turn } from "../contract/turn.ts";

/** A tool that takes an order and says that it is done. */
export function toolOf(name: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `${name}.`,
    inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    permission: "allow",
    offered: "always",
    execute: async () => `${name} done`,
    ...more,
  };
}

export const lookup = toolOf("lookup");

export function call(callId: string, name = "lookup", args = '{"order":"A-1"}', more: object = {}): Proposal {
  return { kind: "tool-call", callId, name, args, ...more };
}

export function turnOf(...proposals: Proposal[]): Turn {
  return { proposals, stop: "tool-calls" };
}

export const done: Turn = { proposals: [{ kind: "text", text: "Done." }], stop: "end" };

export interface RunSetting {
  /** What each request is answered with; an error is thrown. Then the model is done. */
  readonly turns: readonly (Turn | Error)[];
  readonly tools?: readonly Tool[];
  readonly skills?: readonly string[];
  readonly maxSteps?: number;
  readonly decide?: (call: ApprovalRequest) => boolean | Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** A run that plays these turns and nothing else, with lists of what the harness did: each grows as the run goes on. */
export function runOf(setting: RunSetting) {
  const { turns, tools = [lookup], skills = [], maxSteps = 8, decide = () => true } = setting;
  const { signal = new AbortController().signal } = setting;
  const inputs: ModelInput[] = [];
  const ran: unknown[] = [];
  const asked: ApprovalRequest[] = [];
  const reported: unknown[] = [];
  const run: TestRun = {
    tools: tools.map((tool) => ({
      ...tool,
      execute(args, context) {
        ran.push([tool.name, args, context?.callId]);
        return tool.execute(args, context);
      },
    })),
    skills,
    maxSteps,
    signal,
    async nextTurn(input = {}) {
      signal.throwIfAborted();
      const turn = turns[inputs.push(input) - 1] ?? done;
      if (turn instanceof Error) throw turn;
      return turn;
    },
    async requestApproval(request) {
      asked.push(request);
      return decide(request);
    },
    async toolCalled(...call) {
      reported.push(call);
      return "reported";
    },
  };
  return { run, inputs, ran, asked, reported };
}
