import type { CallableTool, GenerateContentResponse } from "@google/genai";
import { describe, expect, it, vi } from "vitest";
import { googleGenaiLoops } from "../../fixtures/loops/google-genai-loops.ts";
import {
  enumeration,
  type Harness,
  openStage,
  type Proposal,
  type Script,
  type Trace,
  type TraceEvent,
  type World,
} from "../index.ts";
import { type GoogleGenaiOptions, type GoogleGenaiParts, googleGenaiHarness } from "./google-genai.ts";

const world: World = {
  tools: [
    {
      name: "lookup",
      description: "Looks an order up.",
      inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
      permission: "allow",
      offered: "always",
    },
  ],
  skills: [],
  maxSteps: 3,
};

const call = (callId: string, args = '{"order":"A-1"}', name = "lookup"): Proposal => ({
  kind: "tool-call",
  callId,
  name,
  args,
});

function scriptOf(proposals: readonly Proposal[], more: Partial<Script> = {}): Script {
  const turns: Script["turns"] = [{ proposals: [...proposals], stop: "tool-calls" }];
  return { format: 1, world, turns, afterTurns: "end", handlers: {}, decisions: [], ...more };
}

async function played(harness: Harness, script: Script): Promise<Trace> {
  const stage = await openStage(harness, { runTimeoutMs: 5_000 });
  try {
    return await stage.play(script);
  } finally {
    await stage.close();
  }
}

function eventsOf<Type extends TraceEvent["type"]>(trace: Trace, type: Type) {
  return trace.filter((event): event is Extract<TraceEvent, { type: Type }> => event.type === type);
}

const ranIn = (trace: Trace) => eventsOf(trace, "handler-started").map(({ tool, args }) => ({ tool, args }));
const resultsIn = (trace: Trace) => eventsOf(trace, "asked").map(({ results }) => results ?? []);
const endOf = (trace: Trace) => eventsOf(trace, "ended").map(({ status }) => status);
const harnessOf = (id: string) => googleGenaiLoops.find((loop) => loop.id === `google-genai/${id}`)!.harness;
const ways = ["generate-content", "generate-content-stream", "mcp-to-tool", "mcp-to-tool-stream"];

describe.each(ways)("google-genai, %s", (way) => {
  const harness = harnessOf(way);

  it("runs honest calls, sends their results back, and ends at an answer", async () => {
    const trace = await played(
      harness,
      scriptOf([call("a"), { kind: "text", text: "Looking." }, call("b", '{"order":"B"}')]),
    );
    expect(ranIn(trace)).toEqual([
      { tool: "lookup", args: { order: "A-1" } },
      { tool: "lookup", args: { order: "B" } },
    ]);
    expect(resultsIn(trace)[1]).toEqual([
      { callId: "a", text: "done" },
      { callId: "b", text: "done" },
    ]);
    expect(endOf(trace)).toEqual(["answered"]);
  });

  it("shows the tools to the model", async () => {
    const trace = await played(harness, scriptOf([call("a")]));
    expect(eventsOf(trace, "asked").map(({ menu }) => menu)).toEqual([["lookup"], ["lookup"]]);
  });

  it("tells refused arguments and failures as errors", async () => {
    const handlers: Script["handlers"] = { lookup: [{ kind: "throw", message: "no connection" }] };
    const trace = await played(harness, scriptOf([call("a", '{"order":1}'), call("b")], { handlers }));
    expect(resultsIn(trace)[1]).toEqual([
      { callId: "a", text: "The arguments do not fit the schema.", isError: true },
      { callId: "b", text: "no connection", isError: true },
    ]);
  });

  it("ends out of steps at the SDK's limit, which leaves the streamed loop one request more", async () => {
    const trace = await played(harness, scriptOf([call("a")], { afterTurns: "repeat-last" }));
    expect(endOf(trace)).toEqual(["out-of-steps"]);
    expect(eventsOf(trace, "asked").length).toBe(way.endsWith("stream") ? 4 : 3);
    expect(ranIn(trace).length).toBe(3);
  });

  it("ends with the SDK's own error where a request fails", async () => {
    const failing = (failure: "rate-limit" | "overloaded" | "connection") =>
      played(harness, scriptOf([], { turns: [{ kind: "failure", failure }] }));
    expect(endOf(await failing("rate-limit"))).toEqual(["failed"]);
    expect(endOf(await failing("overloaded"))).toEqual(["failed"]);
    expect(eventsOf(await failing("connection"), "crashed")).toMatchObject([{ name: "ModelError" }]);
  });

  it("ends by an AbortError where the signal aborts before the next request", async () => {
    const handlers: Script["handlers"] = { lookup: [{ kind: "slow", value: "done" }] };
    const abort = { during: "handler", at: 0 } as const;
    const trace = await played(harness, scriptOf([call("a")], { handlers, abort }));
    expect(eventsOf(trace, "ended")).toMatchObject([{ status: "aborted", thrown: "AbortError" }]);
    expect(eventsOf(trace, "asked").length).toBe(1);
  });
});

describe("google-genai", () => {
  it("answers a call of an unknown name by the callable tool, and by nothing where the dispatcher is the SDK's", async () => {
    const script = scriptOf([call("a", "{}", "no_such_tool")]);
    const byHand = await played(harnessOf("generate-content"), script);
    expect(resultsIn(byHand)[1]).toEqual([{ callId: "a", text: "There is no such function.", isError: true }]);
    expect(resultsIn(await played(harnessOf("mcp-to-tool"), script))[1]).toEqual([]);
    const streamed = await played(harnessOf("generate-content-stream"), script);
    expect(eventsOf(streamed, "crashed")[0]?.message).toMatch(/missing tool: no_such_tool/);
  });

  it.each(["generate-content", "mcp-to-tool"])(
    "%s runs the same, plain and streamed",
    { timeout: 60_000 },
    async (way) => {
      const [plain, streamed] = [harnessOf(way), harnessOf(`${way}-stream`)];
      const stages = await Promise.all([plain, streamed].map((each) => openStage(each, { runTimeoutMs: 5_000 })));
      const scripts = enumeration(plain).filter(isPlayedBothWays);
      const some = scripts.filter((_, index) => index % Math.ceil(scripts.length / 150) === 0);
      expect(some.length).toBeGreaterThan(100);
      for (const script of some) {
        const traces = await Promise.all(stages.map((stage) => stage.play(script)));
        const [one, other] = traces.map((trace) => ({ ran: ranIn(trace), results: resultsIn(trace) }));
        const asked = one?.results.length ?? 0;
        expect(other?.ran).toEqual(one?.ran);
        expect(other?.results.slice(0, asked)).toEqual(one?.results);
      }
      await Promise.all(stages.map((stage) => stage.close()));
    },
  );

  it("plays a chat too, plain and streamed", async () => {
    const chatOf = ({ ai, tools, maxSteps }: GoogleGenaiParts) => {
      const config = { tools: [callableOf(tools)], automaticFunctionCalling: { maximumRemoteCalls: maxSteps } };
      return ai.chats.create({ model: "gemini-flash-latest", config });
    };
    const message = "Help the customer.";
    const plain = harness((parts) => chatOf(parts).sendMessage({ message }));
    const streamed = harness((parts) => chatOf(parts).sendMessageStream({ message }));
    for (const each of [plain, streamed]) {
      const trace = await played(each, scriptOf([call("a")]));
      expect(ranIn(trace).length).toBe(1);
      expect(resultsIn(trace)[1]).toEqual([{ callId: "a", text: "done" }]);
      expect(endOf(trace)).toEqual(["answered"]);
    }
  });

  it("lets a dispatcher ask the human, and ends as needs-approval where nobody decides", async () => {
    const asking = harness(
      (parts) =>
        parts.ai.models.generateContent({
          model: "gemini-flash-latest",
          contents: "Help the customer.",
          config: { tools: [callableOf(parts.tools, parts.requestApproval)] },
        }),
      { claims: { approvals: "asked", abort: false } },
    );
    const asked: World = { ...world, tools: world.tools.map((tool) => ({ ...tool, permission: "ask" })) };
    const deciding = (decision: "approve" | "deny" | "later") =>
      played(asking, { ...scriptOf([call("a")], { decisions: [decision] }), world: asked });
    expect(ranIn(await deciding("approve")).length).toBe(1);
    expect(resultsIn(await deciding("deny"))[1]).toMatchObject([{ callId: "a", isError: true }]);
    const left = await deciding("later");
    expect([ranIn(left), endOf(left)]).toEqual([[], ["needs-approval"]]);
  });

  it("takes an outcome for an answer, and says what else it needs", async () => {
    expect(
      endOf(
        await played(
          harness(() => ({ status: "blocked" })),
          scriptOf([]),
        ),
      ),
    ).toEqual(["blocked"]);
    const wrong = played(
      harness(() => undefined as unknown as GenerateContentResponse),
      scriptOf([]),
    );
    await expect(wrong).rejects.toThrow(
      "Expected the answer of the `agent` of `googleGenaiHarness` to be a response or a stream, got nothing. Do return what `generateContent` or `generateContentStream` gave.",
    );
  });

  it("says which option is wrong", () => {
    expect(() => googleGenaiHarness({ name: "bot" } as unknown as GoogleGenaiOptions)).toThrow(
      "Expected `agent` of the options of `googleGenaiHarness` to be a function",
    );
  });

  it("keeps the SDK's warnings of odd budgets off the console while it is open, and no others", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const spied = console.warn;
    const odd = harnessOf("generate-content");
    await odd.open?.();
    console.warn("Invalid maximumRemoteCalls value provided for automatic function calling. Disabled.", 0);
    console.warn("mine");
    await odd.close?.();
    expect(console.warn).toBe(spied);
    expect(warn.mock.calls).toEqual([["mine"]]);
    warn.mockRestore();
  });

  it.each([
    ["missing", { load: () => Promise.reject(notFound) }, "npm install @google/genai@3"],
    ["untested", { majors: [7] }, "Expected `@google/genai` to be of version 7, got 2."],
  ])("says in a sentence that the SDK is %s", async (_, changes, says) => {
    vi.resetModules();
    vi.doMock("./sdk-package.ts", async (original) => {
      const real = await original<typeof import("./sdk-package.ts")>();
      return { ...real, loadSdk: (sdk: Parameters<typeof real.loadSdk>[0]) => real.loadSdk({ ...sdk, ...changes }) };
    });
    const fresh = await import("./google-genai.ts");
    const opened = fresh.googleGenaiHarness({ name: "x", agent: () => ({ status: "answered" }) }).open?.();
    await expect(opened).rejects.toThrow(says);
    vi.doUnmock("./sdk-package.ts");
  });
});

const notFound = Object.assign(new Error("Cannot find package '@google/genai' imported from here"), {
  code: "ERR_MODULE_NOT_FOUND",
});

function harness(agent: GoogleGenaiOptions["agent"], more: Partial<GoogleGenaiOptions> = {}): Harness {
  return googleGenaiHarness({ name: "bot", agent, ...more });
}

function callableOf(
  tools: GoogleGenaiParts["tools"],
  approve: GoogleGenaiParts["requestApproval"] = async () => true,
): CallableTool {
  return {
    tool: async () => ({ functionDeclarations: tools.map(({ declaration }) => declaration) }),
    callTool: (calls) =>
      Promise.all(
        calls.map(async ({ id = "", name = "", args = {} }) => {
          const tool = tools.find((candidate) => candidate.name === name);
          const mayRun = tool !== undefined && (await approve({ callId: id, tool: name, args }));
          const response = mayRun ? { output: await tool.execute(args, { callId: id }) } : { error: "refused" };
          return { functionResponse: { id, name, response } };
        }),
      ),
  };
}

/** The streamed loop stops at names that no tool has; odd budgets and aborts are judged by rules of their own. */
function isPlayedBothWays({ world: { tools, maxSteps }, turns, abort, before, beside }: Script): boolean {
  const isDeclared = (proposal: Proposal) =>
    proposal.kind !== "tool-call" || (tools.some(({ name }) => name === proposal.name) && proposal.args.length < 5_000);
  const areDeclared = turns.every((turn) => "failure" in turn || turn.proposals.every(isDeclared));
  const isAlone = before === undefined && beside === undefined;
  return areDeclared && isAlone && abort === undefined && typeof maxSteps === "number" && maxSteps >= 1;
}
