import { Agent, OpenAIChatCompletionsModel, setTraceProcessors, setTracingDisabled, withTrace } from "@openai/agents";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  defineWorld,
  type Harness,
  openaiChat,
  openStage,
  type Proposal,
  type Script,
  type TraceEvent,
  type Turn,
  UsageError,
  type World,
} from "../index.ts";
import { type OpenaiAgentsOptions, openaiAgentsHarness } from "./openai-agents.ts";

const agent: OpenaiAgentsOptions["agent"] = ({ model, tools }) => new Agent({ name: "bot", model, tools });

const schemas = {
  look_up: z.object({ order: z.string(), note: z.string().optional() }),
  pay: z.object({ cents: z.int().positive() }),
  wipe: z.object({}),
  read_ledger: z.object({}),
  secret: z.object({}),
};

const { world, normalise } = defineWorld(
  {
    look_up: { schema: schemas.look_up },
    pay: { schema: schemas.pay, permission: "ask" },
    wipe: { schema: schemas.wipe, permission: "deny" },
    read_ledger: { schema: schemas.read_ledger, offered: { afterSkill: "accounting" } },
    secret: { schema: schemas.secret, offered: "never" },
  },
  { skills: ["accounting"], maxSteps: 6 },
);

const parameters: OpenaiAgentsOptions["parameters"] & {} = ({ name }) => schemas[name as keyof typeof schemas];

function harnessOf(options: Partial<OpenaiAgentsOptions> = {}): Harness {
  return openaiAgentsHarness({ name: "bot", agent, world, normalise, parameters, ...options });
}

const chatAgent: OpenaiAgentsOptions["agent"] = ({ run, tools }) =>
  new Agent({ name: "bot", model: new OpenAIChatCompletionsModel(openaiChat(run), "gpt-5"), tools });

/** Every way to play the same agent. */
const ways: readonly (readonly [string, Partial<OpenaiAgentsOptions>])[] = [
  ["plain", {}],
  ["streamed", { stream: true }],
  ["serialised", { resume: "serialised" }],
  ["streamed and serialised", { stream: true, resume: "serialised" }],
  ["Chat Completions in pieces", { stream: true, agent: chatAgent }],
];

const call = (name: string, args: object | string = {}, callId = "call-1", more: object = {}): Proposal => ({
  kind: "tool-call",
  callId,
  name,
  args: typeof args === "string" ? args : JSON.stringify(args),
  ...more,
});

const turn = (...proposals: Proposal[]): Turn => ({ proposals, stop: "tool-calls" });

async function play(harness: Harness, script: Partial<Script>): Promise<readonly TraceEvent[]> {
  const stage = await openStage(harness, { runTimeoutMs: 2_000 });
  try {
    return await stage.play({
      format: 1,
      world: world as World,
      turns: [],
      afterTurns: "end",
      handlers: {},
      decisions: [],
      ...script,
    });
  } finally {
    await stage.close();
  }
}

/** The trace in a few words: what ran with what, what was asked, what the model was told, how it ended. */
function told(trace: readonly TraceEvent[]): readonly string[] {
  return trace.flatMap((event): string[] => {
    if (event.type === "asked") return (event.results ?? []).map(({ callId, text }) => `${callId} said: ${text}`);
    if (event.type === "approval-asked") return [`${event.tool}?`];
    if (event.type === "handler-started") return [`${event.tool} ran with ${JSON.stringify(event.args)}`];
    if (event.type === "ended") return [event.status];
    if (event.type === "crashed") return [`crashed: ${event.name}: ${event.message}`];
    return event.type === "hung" || event.type === "unhandled-rejection" ? [event.type] : [];
  });
}

const requestsIn = (trace: readonly TraceEvent[]) => trace.filter(({ type }) => type === "asked").length;

describe.each(ways)("openai-agents, %s", (_way, options) => {
  const harness = harnessOf(options);
  const conversation = async (script: Partial<Script>) => told(await play(harness, script));

  it("runs an honest call once, with its arguments and its result", async () => {
    const trace = await play(harness, {
      turns: [turn(call("look_up", { order: 'A-"é😀' }))],
      handlers: { look_up: [{ kind: "return", value: { state: "paid" } }] },
    });
    expect(told(trace)).toEqual(['look_up ran with {"order":"A-\\"é😀"}', 'call-1 said: {"state":"paid"}', "answered"]);
    expect(requestsIn(trace)).toBe(2);
  });

  it("shows what is offered, and loads a skill", async () => {
    const trace = await play(harness, {
      turns: [
        turn({ kind: "load-skill", callId: "call-1", skill: "accounting" }),
        turn(call("read_ledger", {}, "call-2")),
      ],
    });
    const menus = trace.flatMap((event) => (event.type === "asked" ? [event.menu] : []));
    const before = ["look_up", "pay", "wipe"];
    expect(menus).toEqual([before, [...before, "read_ledger"], [...before, "read_ledger"]]);
    expect(told(trace)).toContain("read_ledger ran with {}");
  });

  it("runs what was approved, and nothing of what was not", async () => {
    const two = { turns: [turn(call("pay", { cents: 1 }, "a"), call("pay", { cents: 2 }, "b"))] };
    expect(await conversation({ ...two, decisions: ["approve", "deny"] })).toEqual([
      "pay?",
      "pay?",
      'pay ran with {"cents":1}',
      expect.stringContaining("a said: "),
      "b said: Tool execution was not approved.",
      "answered",
    ]);
  });

  it("stops where the human has not decided, after what was decided has run", async () => {
    const two = { turns: [turn(call("pay", { cents: 1 }, "a"), call("pay", { cents: 2 }, "b"))] };
    expect(await conversation({ ...two, decisions: ["approve", "later"] })).toEqual([
      "pay?",
      "pay?",
      'pay ran with {"cents":1}',
      "needs-approval",
    ]);
    expect(await conversation({ ...two, decisions: ["later"] })).toEqual(["pay?", "pay?", "needs-approval"]);
  });

  it("takes a human who can't be reached for a no", async () => {
    const events = await conversation({ turns: [turn(call("pay", { cents: 1 }))], decisions: ["throw"] });
    expect(events).toEqual(["pay?", "call-1 said: Tool execution was not approved.", "answered"]);
  });

  it("refuses what is denied, invalid or no JSON, and goes on", async () => {
    const events = await conversation({
      turns: [
        turn(call("wipe", {}, "a"), call("look_up", { order: 7 }, "b"), call("look_up", '{"order":', "c")),
        turn(call("look_up", { order: "A-1" }, "d")),
      ],
    });
    expect(events).toEqual([
      "a said: This is not allowed.",
      expect.stringContaining("b said: An error occurred"),
      expect.stringContaining("c said: An error occurred while parsing tool arguments."),
      'look_up ran with {"order":"A-1"}',
      expect.stringContaining("d said: "),
      "answered",
    ]);
  });

  it("stops at a name that no tool has, or tells the model where the SDK is asked to", async () => {
    const unknown = { turns: [turn(call("nothing")), turn(call("look_up", { order: "A-1" }, "b"))] };
    expect(await conversation(unknown)).toEqual(["blocked"]);
    const lenient = harnessOf({ ...options, runOptions: { toolNotFoundBehavior: "return_error_to_model" } });
    const events = told(await play(lenient, unknown));
    expect(events[0]).toBe("call-1 said: Tool 'nothing' not found.");
    expect(events.at(-1)).toBe("answered");
    expect(await conversation({ turns: [turn(call("secret"))] })).toEqual(["blocked"]);
  });

  it("runs the handlers of the last step, and stops there", async () => {
    const trace = await play(harness, {
      world: { ...(world as World), maxSteps: 2 },
      turns: [turn(call("look_up", { order: "A-1" }))],
      afterTurns: "repeat-last",
    });
    expect(requestsIn(trace)).toBe(2);
    expect(told(trace).at(-1)).toBe("out-of-steps");
  });

  it("counts the steps before a pause too", async () => {
    const trace = await play(harness, {
      world: { ...(world as World), maxSteps: 2 },
      turns: [turn(call("pay", { cents: 1 }))],
      afterTurns: "repeat-last",
      decisions: ["approve"],
    });
    expect(requestsIn(trace)).toBe(2);
    expect(told(trace).at(-1)).toBe("out-of-steps");
  });

  it("ends as aborted, whatever is going on", async () => {
    const turns = [turn(call("pay", { cents: 1 }, "a"), call("look_up", { order: "A-1" }, "b"))];
    const slow = { pay: [{ kind: "slow", value: 1 } as const], look_up: [{ kind: "slow", value: 1 } as const] };
    for (const during of ["model", "handler", "approval"] as const) {
      const trace = await play(harness, { turns, handlers: slow, decisions: ["approve"], abort: { during, at: 0 } });
      expect(trace.some(({ type }) => type === "aborted")).toBe(true);
      expect(told(trace).at(-1)).toBe("aborted");
      expect(requestsIn(trace)).toBe(1);
    }
  });

  it("ends where the model's request fails", async () => {
    const failed = { turns: [{ kind: "failure", failure: "overloaded" } as const] };
    expect(await conversation(failed)).toEqual(["failed"]);
  });

  it("gives the model an error where a handler throws", async () => {
    const events = await conversation({
      turns: [turn(call("look_up", { order: "A-1" }))],
      handlers: { look_up: [{ kind: "throw", message: "disk full" }] },
    });
    expect(events).toEqual([
      'look_up ran with {"order":"A-1"}',
      "call-1 said: An error occurred while running the tool. Please try again.",
      "answered",
    ]);
  });
});

describe("openai-agents", () => {
  it("plays the same plain and streamed", async () => {
    const [first, ...others] = ways.map(([, options]) => harnessOf(options));
    const scripts: Partial<Script>[] = [
      { turns: [turn({ kind: "text", text: "Let me see." }, call("look_up", { order: "A-1" }))] },
      { turns: [turn(call("pay", { cents: 5 }, "a"), call("look_up", { order: "\\" }, "b"))], decisions: ["approve"] },
      { turns: [turn(call("look_up", '{"order":"A-1"} '), call("pay", { cents: -5 }, "b"))], decisions: ["approve"] },
    ];
    for (const script of scripts) {
      const expected = told(await play(first!, script));
      for (const other of others) expect(told(await play(other, script))).toEqual(expected);
    }
  });

  it("carries extra fields where a service's unknown ones go", async () => {
    const seen: unknown[] = [];
    const harness = harnessOf({
      agent: (parts) => {
        const bot = agent(parts) as Agent;
        bot.on("agent_tool_start", (_context, _tool, { toolCall }) => seen.push(toolCall.providerData));
        return bot;
      },
    });
    await play(harness, {
      turns: [turn(call("look_up", { order: "A-1" }, "a", { extra: { approved: true, name: "x" } }))],
    });
    expect(seen).toEqual([{ approved: true }]);
  });

  it("fails a request with what the SDK's retry policies read", async () => {
    const errors: unknown[] = [];
    const harness = harnessOf({
      runner: {
        modelSettings: {
          retry: {
            maxRetries: 1,
            backoff: { initialDelayMs: 0 },
            policy: ({ normalized }) => {
              errors.push(normalized.statusCode ?? normalized.errorCode);
              return false;
            },
          },
        },
      },
    });
    for (const failure of ["rate-limit", "timeout"] as const)
      await play(harness, { turns: [{ kind: "failure", failure }] });
    expect(errors).toEqual([429, "ETIMEDOUT"]);
  });

  it("knows that a strict tool drops null where a field is optional", async () => {
    const trace = await play(harnessOf(), { turns: [turn(call("look_up", { order: "A-1", note: null }))] });
    expect(told(trace)[0]).toBe('look_up ran with {"order":"A-1"}');
    expect(trace).toContainEqual(expect.objectContaining({ type: "proposed", normalised: { order: "A-1" } }));
  });

  it("denies by the arguments, and outlives those that the schema refuses", async () => {
    const rules = [{ when: { type: "object", properties: { cents: { maximum: 9 } } }, then: "allow" as const }];
    const harness = harnessOf({
      ...defineWorld({ pay: { schema: schemas.pay, permission: { rules, otherwise: "deny" } } }),
      claims: { deny: true },
    });
    const turns = [turn(call("pay", { cents: 99 }, "a"), call("pay", {}, "b"), call("pay", { cents: 9 }, "c"))];
    expect(told(await play(harness, { world: harness.world as World, turns }))).toEqual([
      'pay ran with {"cents":9}',
      "a said: This is not allowed.",
      "b said: Tool execution failed. Error details are redacted.",
      expect.stringContaining("c said: "),
      "answered",
    ]);
  });

  it("sends a JSON Schema as it is, and promises no validation of it", async () => {
    const harness = openaiAgentsHarness({ name: "bot", agent, world });
    expect(harness.claims.argumentSchemas).toBe(false);
    expect(harnessOf().claims.argumentSchemas).toBe(true);
    const events = told(await play(harness, { turns: [turn(call("look_up", { order: 7 }))] }));
    expect(events[0]).toBe('look_up ran with {"order":7}');
  });

  it("lets the user claim more, or less", () => {
    const harness = harnessOf({ claims: { abort: false }, shape: { idsAcrossTurns: true } });
    expect(harness.claims).toMatchObject({ abort: false, approvals: "asked" });
    expect(harness.shape).toMatchObject({ idsAcrossTurns: true, errorFlag: false });
  });

  it("traces nothing and prints nothing, and leaves tracing as it was", async () => {
    const traced: string[] = [];
    const nothing = async () => {};
    setTraceProcessors([
      {
        onTraceStart: async ({ name }) => {
          traced.push(name);
        },
        onTraceEnd: nothing,
        onSpanStart: async ({ spanData }) => {
          traced.push(spanData.type);
        },
        onSpanEnd: nothing,
        shutdown: nothing,
        forceFlush: nothing,
      },
    ]);
    setTracingDisabled(false);
    const prints = (["log", "warn", "error"] as const).map((level) => vi.spyOn(console, level));
    const harness = harnessOf({
      agent: (parts) => withTrace("of the agent", async () => agent(parts)),
      runner: { tracingDisabled: false },
    });
    await play(harness, { turns: [turn(call("pay", { cents: 1 }))], decisions: ["approve"] });
    expect(traced).toEqual([]);
    for (const print of prints) {
      expect(print).not.toHaveBeenCalled();
      print.mockRestore();
    }
    await withTrace("afterwards", nothing);
    expect(traced).toEqual(["afterwards"]);
    setTracingDisabled(true);
  });

  it("says in a sentence what it was given and can't use", () => {
    const make = (options: unknown) => () => openaiAgentsHarness(options as OpenaiAgentsOptions);
    expect(make(undefined)).toThrow(UsageError);
    expect(make(null)).toThrow("Expected the options of `openaiAgentsHarness` to be an object, got null.");
    expect(make({ name: "bot" })).toThrow("to be a function, got nothing. Do give `name` and `agent`.");
  });

  it("passes on that the SDK is missing", async () => {
    vi.resetModules();
    const loadSdk = vi.fn().mockRejectedValue(new UsageError("missing-sdk", "Expected it to be installed."));
    vi.doMock("./sdk-package.ts", () => ({ loadSdk }));
    const adapter = await import("./openai-agents.ts");
    await expect(adapter.openaiAgentsHarness({ name: "bot", agent, anyVersion: true }).open?.()).rejects.toThrow(
      UsageError,
    );
    expect(loadSdk).toHaveBeenCalledWith(expect.objectContaining({ name: "@openai/agents", majors: ["0.20"] }), true);
    vi.doUnmock("./sdk-package.ts");
  });
});
