import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { createAgent, type ToolRuntime, tool } from "langchain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Harness } from "../contract/harness.ts";
import { ModelError, UndecidedError, UsageError } from "../errors.ts";
import { call, done, lookup, type RunSetting, runOf, toolOf, turnOf } from "../wire/run-of-turns.test-kit.ts";
import { type LangchainOptions, langchainHarness } from "./langchain.ts";
import { documentedMiddleware } from "./langchain-middleware.ts";
import type { LangchainSdk } from "./langchain-sdk.ts";
import type { SkillRoom } from "./skill-room.ts";

const refund = toolOf("refund", { permission: "ask" });

/** Plays the turns, and tells what the loop did: how it ended, what it told the model, what it ran, whom it asked. */
async function play(harness: Harness, setting: RunSetting) {
  const { run, inputs, ran, asked, reported } = runOf({ tools: [lookup, refund], ...setting });
  const ended = await harness.run(run).catch((error: unknown) => ({ error, status: harness.stopsWith?.(error) }));
  return { ended, inputs, ran, reported, asked, requests: inputs.length };
}

const agent: LangchainOptions["agent"] = ({ model, tools, middleware, checkpointer }) =>
  createAgent({ model, tools, middleware, checkpointer });
const reactAgent: LangchainOptions["agent"] = ({ model, tools }) => createReactAgent({ llm: model, tools });

const plain = langchainHarness({ name: "plain", agent });
const streamed = langchainHarness({ name: "streamed", agent, stream: true });
const react = langchainHarness({ name: "react", agent: reactAgent });
const reactStreamed = langchainHarness({ name: "react-streamed", agent: reactAgent, stream: true });

const all = [plain, streamed, react, reactStreamed] as const;
const createAgents = [plain, streamed] as const;
const reactAgents = [react, reactStreamed] as const;

beforeAll(() => Promise.all(all.map((harness) => harness.open?.())), 60_000);
afterAll(() => Promise.all(all.map((harness) => harness.close?.())));

describe("langchain", () => {
  it.each(all)("plays an honest conversation: $name", async (harness) => {
    const { ended, inputs, ran } = await play(harness, {
      turns: [
        turnOf(
          { kind: "text", text: "Looking." },
          call("a", "lookup"),
          call("b", "lookup", '{"order":"\\u00c4-2 😀"}'),
        ),
        turnOf(call("c", "lookup")),
      ],
    });
    expect(ended).toEqual({ status: "answered" });
    expect(ran).toEqual([
      ["lookup", { order: "A-1" }, "a"],
      ["lookup", { order: "Ä-2 😀" }, "b"],
      ["lookup", { order: "A-1" }, "c"],
    ]);
    const menu = ["lookup", "refund"];
    expect(inputs).toEqual([
      { results: [], menu },
      { results: [resultOf("a", "lookup done"), resultOf("b", "lookup done")], menu },
      { results: [resultOf("c", "lookup done")], menu },
    ]);
  });

  it.each(createAgents)("asks about a call, by its id and its arguments, and goes on: $name", async (harness) => {
    const { ended, asked, ran, requests } = await play(harness, {
      turns: [turnOf(call("a", "refund"), call("b", "lookup"), call("c", "refund", '{"order":"A-2"}'))],
    });
    expect(ended).toEqual({ status: "answered" });
    expect(asked).toEqual([
      { callId: "a", tool: "refund", args: { order: "A-1" } },
      { callId: "c", tool: "refund", args: { order: "A-2" } },
    ]);
    expect(ran).toHaveLength(3);
    expect(requests).toBe(2);
  });

  it.each(createAgents)("runs nothing that was denied, and tells the model: $name", async (harness) => {
    const { ended, inputs, ran } = await play(harness, { turns: [turnOf(call("a", "refund"))], decide: () => false });
    expect(ended).toEqual({ status: "answered" });
    expect(ran).toEqual([]);
    expect(inputs[1]?.results).toEqual([resultOf("a", "User rejected the tool call for `refund` with id a", true)]);
  });

  it.each(createAgents)(
    "takes an approver that fails for a no, and an open answer for a pause: $name",
    async (harness) => {
      const failing = await play(harness, {
        turns: [turnOf(call("a", "refund"))],
        decide: () => Promise.reject(new Error("down")),
      });
      expect([failing.ended, failing.ran]).toEqual([{ status: "answered" }, []]);
      const open = await play(harness, {
        turns: [turnOf(call("a", "refund"), call("b", "lookup"))],
        decide: () => Promise.reject(new UndecidedError("refund")),
      });
      expect([open.ended, open.ran, open.requests]).toEqual([{ status: "needs-approval" }, [], 1]);
    },
  );

  it.each(createAgents)("asks where the policy says so for these arguments: $name", async (harness) => {
    const when = { type: "object", properties: { order: { const: "A-2" } } } as const;
    const tools = [toolOf("refund", { permission: { rules: [{ when, then: "ask" }], otherwise: "allow" } })];
    const turns = [turnOf(call("a", "refund")), turnOf(call("b", "refund", '{"order":"A-2"}'))];
    const { asked, ran } = await play(harness, { turns, tools, decide: () => false });
    expect(asked.map(({ callId }) => callId)).toEqual(["b"]);
    expect(ran).toEqual([["refund", { order: "A-1" }, "a"]]);
  });

  it.each(createAgents)("offers a tool once its skill is loaded: $name", async (harness) => {
    const { ended, inputs, ran } = await play(harness, {
      tools: [lookup, toolOf("audit", { offered: { afterSkill: "books" } }), toolOf("never", { offered: "never" })],
      skills: ["books"],
      turns: [
        turnOf({ kind: "load-skill", callId: "a", skill: "cooking" }),
        turnOf({ kind: "load-skill", callId: "b", skill: "books" }),
        turnOf(call("c", "audit")),
      ],
    });
    expect(ended).toEqual({ status: "answered" });
    expect(inputs.map(({ menu }) => menu)).toEqual([["lookup"], ["lookup"], ["lookup", "audit"], ["lookup", "audit"]]);
    expect(inputs[1]?.results?.[0]).toMatchObject({ callId: "a", isError: true });
    expect(ran).toEqual([["audit", { order: "A-1" }, "c"]]);
  });

  it.each(all)(
    "tells the model of an unknown tool, arguments that do not fit, and a handler that fails: $name",
    async (harness) => {
      const broken = toolOf("broken", { execute: () => Promise.reject(new Error("the printer is on fire")) });
      const { ended, inputs, ran } = await play(harness, {
        tools: [lookup, broken],
        turns: [turnOf(call("a", "unheard_of"), call("b", "lookup", '{"order":7}'), call("c", "broken"))],
      });
      expect(ended).toEqual({ status: "answered" });
      expect(ran).toEqual([["broken", { order: "A-1" }, "c"]]);
      const results = inputs[1]?.results ?? [];
      expect(results.map(({ callId, isError }) => [callId, isError])).toEqual([
        ["a", true],
        ["b", true],
        ["c", true],
      ]);
      expect(results[2]?.text).toContain("the printer is on fire");
    },
  );

  it.each(all)("runs nothing whose arguments are no object: $name", async (harness) => {
    for (const args of ["not json", "[1]", "7", '"x"', "null"]) {
      const { ran } = await play(harness, { turns: [turnOf(call("a", "lookup", args))] });
      expect(ran, args).toEqual([]);
    }
  });

  it.each(all)("ends when the budget is spent, after the last turn's calls: $name", async (harness) => {
    const turns = Array.from({ length: 9 }, (_, index) => turnOf(call(`c${index}`, "lookup")));
    for (const maxSteps of [1, 2, 5]) {
      const { ended, ran, requests } = await play(harness, { turns, maxSteps });
      expect(ended.status).toBe("out-of-steps");
      expect([requests, ran.length]).toEqual([maxSteps, maxSteps]);
    }
    const { ended, requests } = await play(harness, { turns: turns.slice(0, 1), maxSteps: 2 });
    expect([ended, requests]).toEqual([{ status: "answered" }, 2]);
  });

  it.each(all)("asks for nothing within a budget of none: $name", async (harness) => {
    for (const maxSteps of [0, -1, Number.NEGATIVE_INFINITY]) {
      expect((await play(harness, { turns: [], maxSteps })).requests).toBe(0);
    }
  });

  it.each(reactAgents)("counts turns where the limit is one of LangGraph's steps: $name", async (harness) => {
    const turns = Array.from({ length: 9 }, (_, index) => turnOf(call(`c${index}`, "lookup")));
    expect((await play(harness, { turns, maxSteps: 2.5 })).requests).toBe(2);
    const own = langchainHarness({ name: "own", agent: reactAgent, config: () => ({ recursionLimit: 6 }) });
    expect((await play(own, { turns })).requests).toBe(3);
  });

  it.each(all)("ends with the abort, and starts nothing more: $name", async (harness) => {
    const controller = new AbortController();
    const aborting = toolOf("aborting", {
      execute: async () => {
        controller.abort(new DOMException("The run was aborted.", "AbortError"));
        return "too late";
      },
    });
    const { ended, requests } = await play(harness, {
      tools: [aborting],
      turns: [turnOf(call("a", "aborting")), turnOf(call("b", "aborting"))],
      signal: controller.signal,
    });
    expect("error" in ended && (ended.error as Error).name).toBe("AbortError");
    expect(requests).toBe(1);
  });

  it.each(createAgents)("ends with the abort while a human thinks: $name", async (harness) => {
    const controller = new AbortController();
    const { ended, ran } = await play(harness, {
      turns: [turnOf(call("a", "refund"))],
      signal: controller.signal,
      decide: () => {
        controller.abort(new DOMException("The run was aborted.", "AbortError"));
        return new Promise(() => {});
      },
    });
    expect("error" in ended && (ended.error as Error).name).toBe("AbortError");
    expect(ran).toEqual([]);
  });

  it.each([
    ["rate-limit", { name: "RateLimitError", status: 429, lc_error_code: "MODEL_RATE_LIMIT" }],
    ["overloaded", { name: "InternalServerError", status: 503 }],
    ["timeout", { name: "TimeoutError" }],
    ["connection", { name: "APIConnectionError" }],
  ] as const)("fails as LangChain's integrations do, and tries nothing again: %s", async (failure, fields) => {
    for (const harness of all) {
      const { ended, requests } = await play(harness, { turns: [new ModelError(failure)] });
      expect(ended).toMatchObject({ status: "failed", error: expect.objectContaining({ name: fields.name }) });
      expect(rootOf("error" in ended && ended.error)).toMatchObject(fields);
      expect(requests).toBe(1);
    }
  });

  it("runs the same calls plain and in chunks, wherever the text is cut", async () => {
    const texts = [
      '{"order":"A-1"}',
      '{"order":"\\ud83d\\ude00 \\"x\\" \\\\"}',
      ' { "order" : "ä" , "more": [1, {"a": null}] } ',
      '{"order":"A-1","order":"A-2"}',
      "{}",
    ];
    const turns = [
      ...texts.map((args, index) => turnOf(call(`c${index}`, "lookup", args), call(`d${index}`, "lookup"))),
      done,
    ];
    for (const [one, other] of [createAgents, reactAgents]) {
      const left = await play(one, { turns, maxSteps: 20 });
      const right = await play(other, { turns, maxSteps: 20 });
      expect(right.ran).toEqual(left.ran);
      expect(right.inputs).toEqual(left.inputs);
      expect(left.ran.length).toBeGreaterThan(texts.length);
    }
  });

  it("keeps a shared checkpointer's runs apart", async () => {
    let shared: unknown;
    const harness = langchainHarness({
      name: "shared",
      agent: (parts) => {
        shared ??= parts.checkpointer;
        return createAgent({ ...parts, checkpointer: shared as typeof parts.checkpointer });
      },
    });
    const turns = [turnOf(call("a", "lookup"))];
    expect((await play(harness, { turns })).inputs).toEqual((await play(harness, { turns })).inputs);
  });

  it("builds middleware of one's own from the parts", async () => {
    const harness = langchainHarness({
      name: "own",
      agent: ({ model, tools, offeredTools, interruptOn, checkpointer }) => {
        expect(Object.keys(interruptOn)).toEqual(["refund"]);
        expect(offeredTools().map(({ name }) => name)).toEqual(["lookup", "refund"]);
        return createAgent({ model, tools, checkpointer });
      },
    });
    const { asked, ran } = await play(harness, { turns: [turnOf(call("a", "refund"))] });
    expect([asked, ran.length]).toEqual([[], 1]);
  });

  it("makes a tool of the zod schema that it is given, and of the JSON Schema where there is none", async () => {
    const strict = z.strictObject({ order: z.string().trim() });
    const harness = langchainHarness({
      name: "zod",
      agent: (parts) => {
        expect(parts.tools.map(({ schema }) => schema)).toEqual([strict, refund.inputSchema]);
        return agent(parts);
      },
      schema: ({ name }) => (name === "lookup" ? strict : undefined),
    });
    const more = '{"order":" A-1 ","note":7}';
    const turns = [
      turnOf(call("a", "lookup", more), call("b", "lookup", '{"order":" A-1 "}'), call("c", "refund", '{"order":7}')),
    ];
    const { inputs, ran } = await play(harness, { turns });
    expect(ran).toEqual([["lookup", { order: "A-1" }, "b"]]);
    expect(inputs[1]?.results?.map(({ callId, isError }) => [callId, isError])).toEqual([
      ["a", true],
      ["b", false],
      ["c", true],
    ]);
  });

  it("gives the run itself, for tools that can't be injected", async () => {
    const harness = langchainHarness({
      name: "own-tools",
      agent: ({ model, run }) => {
        const pay = tool(
          async (args, { toolCallId: callId }: ToolRuntime) => {
            if (!(await run.requestApproval({ callId, tool: "refund", args }))) return "Denied.";
            return run.toolCalled("refund", args, { callId });
          },
          { name: "refund", description: "Pays back.", schema: z.object({ order: z.string() }) },
        );
        return createAgent({ model, tools: [pay] });
      },
    });
    const turns = [turnOf(call("a", "refund")), turnOf(call("b", "refund"))];
    const { inputs, asked, reported } = await play(harness, { turns, decide: ({ callId }) => callId === "a" });
    expect(asked.map(({ callId }) => callId)).toEqual(["a", "b"]);
    expect(reported).toEqual([["refund", { order: "A-1" }, { callId: "a" }]]);
    expect(inputs.flatMap(({ results }) => results)).toEqual([resultOf("a", "reported"), resultOf("b", "Denied.")]);
  });

  it.each(all)("may skip a call whose id was answered before, and says so: $name", async (harness) => {
    expect(harness.shape).toMatchObject({ idsAcrossTurns: false });
    const again = turnOf(call("a", "lookup"), call("b", "lookup"));
    const { ended, ran } = await play(harness, { turns: [turnOf(call("a", "lookup")), again] });
    expect(ended).toEqual({ status: "answered" });
    expect(ran.map((one) => (one as readonly unknown[])[2])).toEqual(["a", "b"]);
  });

  it("says what is wrong in a sentence", async () => {
    expect(() => langchainHarness(undefined as never)).toThrow(UsageError);
    expect(() => langchainHarness({ name: "x" } as never)).toThrow(
      "Expected `agent` of the options of `langchainHarness` to be a function, got nothing. Do give `name` and `agent`.",
    );
    const { ended } = await play(langchainHarness({ name: "x", agent: () => ({}) as never }), { turns: [] });
    expect("error" in ended && (ended.error as Error).message).toBe(
      "Expected `invoke` of the agent of `langchainHarness` to be a function, got nothing. Do return what `createAgent` or `createReactAgent` made.",
    );
  });

  it("plays LangGraph alone, and says so where middleware is asked for", () => {
    expect(() => documentedMiddleware({ langchain: undefined } as LangchainSdk, {} as SkillRoom, 8)).toThrow(
      "Expected the package `langchain` to be installed, got none. Do run `npm install langchain@1`, or leave `middleware` alone.",
    );
  });
});

function resultOf(callId: string, text: string, isError = false) {
  return { callId, text, isError };
}

/** What was thrown before middleware wrapped it. */
function rootOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && !(cause instanceof ModelError) ? rootOf(cause) : error;
}
