import { afterAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { enumeration, openStage } from "../check/pieces.ts";
import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import { isModelFailure } from "../contract/turn.ts";
import { ModelError, UndecidedError } from "../errors.ts";
import { call, lookup, type RunSetting, runOf, toolOf, turnOf } from "../wire/run-of-turns.test-kit.ts";
import { parseArguments } from "../world/json.ts";
import { type AnthropicOptions, type AnthropicParts, anthropicHarness } from "./anthropic.ts";

const refund = toolOf("refund", { permission: "ask" });

/** Plays the turns, and tells how the loop ended, what it told the model, what it ran, and whom it asked. */
async function play(harness: Harness, setting: RunSetting) {
  const { run, inputs, ran, asked } = runOf({ tools: [lookup, refund], ...setting });
  const ended = await harness.run(run).catch((error: unknown) => {
    const status = harness.stopsWith?.(error);
    if (status === undefined) throw error;
    return { status };
  });
  return { status: ended.status, inputs, ran, asked, requests: inputs.length };
}

function runnerOf({ client, tools, maxSteps, signal }: AnthropicParts, settings = {}) {
  return client.beta.messages.toolRunner(
    {
      model: "m",
      max_tokens: 9,
      messages: [{ role: "user", content: "Hi" }],
      tools,
      max_iterations: maxSteps,
      ...settings,
    },
    { signal },
  );
}

const harnessOf = (name: string, settings: object = {}, more: Partial<AnthropicOptions> = {}): Harness =>
  anthropicHarness({ name, agent: (parts) => runnerOf(parts, settings), ...more });

const zod = { zodSchema: () => z.object({ order: z.string() }) };
const eagerly = { stream: true, runToolsEagerly: true };
const plain = harnessOf("plain");
const streamed = harnessOf("streamed", { stream: true });
const eager = harnessOf("eager", eagerly);
const waiting = [plain, harnessOf("plain, zod", { thread: false }, zod), streamed] as const;
const all = [...waiting, harnessOf("streamed, zod", { stream: true }, zod), eager] as const;

const resultOf = (callId: string, text: string) => ({ callId, text });
const failureOf = (callId: string, text: string) => ({ callId, text, isError: true });

describe("anthropic", () => {
  it.each(all)("plays an honest conversation: $name", async (harness) => {
    const { status, inputs, ran } = await play(harness, {
      turns: [
        turnOf(
          { kind: "text", text: "Looking." },
          call("a", "lookup"),
          call("b", "refund", '{"order":"\\u00c4-2 😀"}'),
        ),
        turnOf(call("a", "lookup")),
      ],
    });
    expect(status).toBe("answered");
    expect(ran).toEqual([
      ["lookup", { order: "A-1" }, "a"],
      ["refund", { order: "Ä-2 😀" }, "b"],
      ["lookup", { order: "A-1" }, "a"],
    ]);
    const menu = ["lookup", "refund"];
    expect(inputs).toEqual([
      { results: [], menu },
      { results: [resultOf("a", "lookup done"), resultOf("b", "refund done")], menu },
      { results: [resultOf("a", "lookup done")], menu },
    ]);
  });

  it.each(all)("tells the model of calls that fail, and of tools that are not there: $name", async (harness) => {
    const failing = toolOf("lookup", { execute: () => Promise.reject(new Error("down")) });
    const odd = toolOf("odd", { execute: async () => ({ n: 10n }) });
    const { status, inputs } = await play(harness, {
      tools: [failing, odd, toolOf("quiet", { execute: async () => undefined })],
      turns: [turnOf(call("a", "lookup"), call("b", "nothing"), call("c", "odd"), call("d", "quiet"))],
    });
    expect(status).toBe("answered");
    expect(inputs[1]?.results).toEqual([
      failureOf("a", "Error: down"),
      failureOf("b", "Error: Tool 'nothing' not found"),
      failureOf("c", expect.stringContaining("BigInt")),
      resultOf("d", ""),
    ]);
  });

  it("writes down as JSON what a tool returned", async () => {
    const tools = [toolOf("lookup", { execute: async () => ({ total: 5 }) })];
    const { inputs } = await play(plain, { tools, turns: [turnOf(call("a", "lookup"))] });
    expect(inputs[1]?.results).toEqual([resultOf("a", '{"total":5}')]);
  });

  it("validates by the zod schema that is given, and hands on what it made of the input", async () => {
    const zodSchema: AnthropicOptions["zodSchema"] = ({ name }) =>
      z.object({ order: z.string().trim(), from: z.string().default(name) });
    const turns = [turnOf(call("a", "lookup", '{"order":7}'), call("b", "lookup", '{"order":" A-1 "}'))];
    const { inputs, ran } = await play(harnessOf("zod", {}, { zodSchema }), { turns });
    expect(ran).toEqual([["lookup", { order: "A-1", from: "lookup" }, "b"]]);
    expect(inputs[1]?.results).toMatchObject([{ callId: "a", isError: true }, resultOf("b", "lookup done")]);
  });

  it.each(all)("ends with its budget: $name", async (harness) => {
    const turns = [turnOf(call("a", "lookup")), turnOf(call("b", "lookup")), turnOf(call("c", "lookup"))];
    const two = await play(harness, { maxSteps: 2, turns });
    expect([two.status, two.requests, two.ran.length]).toEqual(["out-of-steps", 2, 2]);
    const none = await play(harness, { maxSteps: -1, turns });
    expect([none.status, none.requests]).toEqual(["out-of-steps", 0]);
  });

  it.each(waiting)("runs nothing of a turn that was cut off, or that is the last word: $name", async (harness) => {
    const proposals = [call("a", "lookup"), call("b", "lookup")];
    const cut = await play(harness, { turns: [{ proposals, stop: "length" }] });
    expect([cut.status, cut.ran]).toEqual(["blocked", []]);
    const last = await play(harness, { turns: [{ proposals, stop: "end" }] });
    expect([last.status, last.ran]).toEqual(["answered", []]);
    expect((await play(harness, { turns: [{ proposals: [], stop: "length" }] })).status).toBe("answered");
  });

  it("runs the calls before the last one of a turn that was cut off, where the runner is eager", async () => {
    const { status, ran } = await play(eager, {
      turns: [{ proposals: [call("a", "lookup"), call("b", "refund")], stop: "length" }],
    });
    expect([status, ran]).toEqual(["blocked", [["lookup", { order: "A-1" }, "a"]]]);
  });

  it.each(all)("ends once the signal aborts, also while a tool hangs: $name", async (harness) => {
    const controller = new AbortController();
    const hangs = toolOf("lookup", { execute: () => new Promise(() => setImmediate(() => controller.abort())) });
    const turns = [turnOf(call("a", "lookup")), turnOf(call("b", "lookup"))];
    const { status, requests } = await play(harness, { tools: [hangs], turns, signal: controller.signal });
    expect([status, requests]).toEqual(["aborted", 1]);
  });

  it.each(all)("ends as failed where the model can't be reached, and does not try again: $name", async (harness) => {
    for (const failure of ["rate-limit", "overloaded", "timeout", "connection"] as const) {
      const { status, requests } = await play(harness, {
        turns: [turnOf(call("a", "lookup")), new ModelError(failure)],
      });
      expect([failure, status, requests]).toEqual([failure, "failed", 2]);
    }
  });

  it("lets an agent have the retries that it has elsewhere", async () => {
    const agent: AnthropicOptions["agent"] = (parts) =>
      runnerOf({ ...parts, client: parts.client.withOptions({ maxRetries: 2 }) });
    const turns = [new ModelError("rate-limit"), new ModelError("overloaded"), turnOf(call("a", "lookup"))];
    const { status, ran, requests } = await play(anthropicHarness({ name: "patient", agent }), { turns });
    expect([status, ran.length, requests]).toEqual(["answered", 1, 4]);
  });

  it("ends as failed where the client makes no value of the argument text", async () => {
    for (const harness of [streamed, eager]) {
      const { status, ran } = await play(harness, { turns: [turnOf(call("a", "lookup", "0"))] });
      expect([status, ran]).toEqual(["failed", []]);
    }
  });

  it("takes any other error for what it is", async () => {
    const agent: AnthropicOptions["agent"] = async ({ client }) => {
      await client.messages.countTokens({ model: "m", messages: [] });
      return { status: "answered" };
    };
    const harness = anthropicHarness({ name: "counts", agent });
    await expect(play(harness, { turns: [] })).rejects.toThrow("Expected the loop to ask anthropicFetch(run)");
    expect(plain.stopsWith?.(new TypeError("no"))).toBeUndefined();
    const stopsWith = () => "blocked" as const;
    expect(anthropicHarness({ name: "stops", agent, stopsWith }).stopsWith?.(new Error("mine"))).toBe("blocked");
  });

  describe("with an agent that asks where its tools run", () => {
    const agent = (parts: AnthropicParts) => {
      const tools = parts.tools.map((tool) => ({
        ...tool,
        run: async (...[input, context]: Parameters<typeof tool.run>) => {
          const verdict = parts.permission(tool.name, input);
          const request = { callId: context!.toolUse.id, tool: tool.name, args: input };
          if (verdict === "deny" || (verdict === "ask" && !(await parts.requestApproval(request)))) throw "no";
          return tool.run(input, context);
        },
      }));
      return runnerOf({ ...parts, tools });
    };
    const harness = anthropicHarness({ name: "asks", agent, claims: { approvals: "asked", deny: true } });
    const tools = [lookup, refund, toolOf("wipe", { permission: "deny" })];
    const turns = [turnOf(call("a", "refund"), call("b", "wipe"), call("c", "lookup"))];

    it("claims what it says, over what the SDK documents", () => {
      expect(harness.claims).toMatchObject({ approvals: "asked", deny: true, argumentSchemas: true, abort: true });
      expect(plain.claims).toMatchObject({ approvals: "none", deny: false, hiddenTools: "none", results: true });
    });

    it("runs what was approved, and nothing that is denied", async () => {
      const { ran, asked, inputs } = await play(harness, { tools, turns });
      expect(asked).toEqual([{ callId: "a", tool: "refund", args: { order: "A-1" } }]);
      expect(ran).toEqual([
        ["lookup", { order: "A-1" }, "c"],
        ["refund", { order: "A-1" }, "a"],
      ]);
      expect(inputs[1]?.results).toContainEqual(failureOf("b", "Error: no"));
    });

    it("runs nothing where the human says no, or has not decided", async () => {
      for (const decide of [() => false, () => Promise.reject(new UndecidedError("refund"))]) {
        const { status, ran } = await play(harness, { tools, turns, decide });
        expect([status, ran]).toEqual(["answered", [["lookup", { order: "A-1" }, "c"]]]);
      }
    });

    it("denies what no tool of the run is called", async () => {
      let verdict: unknown;
      const asks = anthropicHarness({
        name: "asks about nothing",
        agent: ({ permission }) => {
          verdict = permission("nothing", {});
          return { status: "answered" };
        },
      });
      await play(asks, { turns: [] });
      expect(verdict).toBe("deny");
    });
  });

  it("lets an agent stop its runner before the tools run", async () => {
    const agent: AnthropicOptions["agent"] = async (parts) => {
      const runner = runnerOf(parts);
      for await (const message of runner) {
        if (!("content" in message)) continue;
        const asks = message.content.some((block) => {
          return block.type === "tool_use" && parts.permission(block.name, block.input) === "ask";
        });
        if (asks) return { status: "needs-approval" };
      }
      return runner.done();
    };
    const harness = anthropicHarness({ name: "pauses", agent, claims: { approvals: "ends-run" } });
    const paused = await play(harness, { turns: [turnOf(call("a", "lookup")), turnOf(call("b", "refund"))] });
    expect([paused.status, paused.ran.length]).toEqual(["needs-approval", 1]);
    expect((await play(harness, { turns: [turnOf(call("a", "lookup"))] })).status).toBe("answered");
  });

  it.each([{}, { thread: false }, { stream: true }, eagerly])(
    "follows the tools that skills add: %o",
    async (settings) => {
      const tools = [
        lookup,
        toolOf("ledger", { offered: { afterSkill: "books" } }),
        toolOf("secret", { offered: "never" }),
      ];
      const agent: AnthropicOptions["agent"] = (parts) => {
        const books = parts.skills.find(({ name }) => name === "books");
        const load = {
          type: "custom" as const,
          name: "load_skill",
          input_schema: { type: "object" as const },
          parse: (input: unknown) => input,
          run: () => {
            runner.addTools(...(books?.tools ?? []));
            return "loaded";
          },
        };
        const runner = runnerOf({ ...parts, tools: [...parts.tools, ...parts.hidden, load] }, settings);
        runner.removeTools(...parts.hidden);
        return runner;
      };
      const harness = anthropicHarness({ name: "skilled", agent, claims: { hiddenTools: "by-skill" } });
      const { inputs, ran } = await play(harness, {
        tools,
        skills: ["books"],
        turns: [
          turnOf(call("a", "ledger"), call("b", "secret")),
          turnOf({ kind: "load-skill", callId: "c", skill: "books" }),
          turnOf(call("d", "ledger")),
        ],
      });
      expect(ran).toEqual([["ledger", { order: "A-1" }, "d"]]);
      expect(inputs.map(({ menu }) => menu)).toEqual([
        ["lookup"],
        ["lookup"],
        ["lookup", "ledger"],
        ["lookup", "ledger"],
      ]);
    },
  );

  it("takes what an agent made of its runner", async () => {
    const awaited = anthropicHarness({ name: "awaited", agent: async (parts) => runnerOf(parts, { stream: true }) });
    const { status, ran } = await play(awaited, { turns: [turnOf(call("a", "lookup"))] });
    expect([status, ran.length]).toEqual(["answered", 1]);
    const own = anthropicHarness({ name: "own", agent: () => ({ status: "blocked" }) });
    expect((await play(own, { turns: [] })).status).toBe("blocked");
  });

  it("says what an agent has to be", async () => {
    const nothing = anthropicHarness({ name: "nothing", agent: (() => undefined) as never });
    await expect(play(nothing, { turns: [] })).rejects.toThrow(
      "Expected what `agent` returns of `anthropicHarness` to be an object, got nothing. Do return what `client.beta.messages.toolRunner(...)` gives, its last message, or `{ status }`.",
    );
    expect(() => anthropicHarness({ name: "none" } as never)).toThrow(/Expected .*`agent`.* to be a function/);
    expect(() => anthropicHarness(undefined as never)).toThrow("give `name` and `agent`");
  });
});

describe("anthropic, plain and streamed", () => {
  const harnesses = [plain, streamed, eager].map((harness) => ({ ...harness, claims: { ...plain.claims } }));
  const stages = Promise.all(harnesses.map((harness) => openStage(harness, { runTimeoutMs: 2_000 })));
  afterAll(async () => Promise.all((await stages).map((stage) => stage.close())));

  /** Where time plays no part, and each reply can say the same. */
  function isComparable({ turns, abort, handlers, before, beside }: Script): boolean {
    if (abort ?? before ?? beside) return false;
    const isStill = Object.values(handlers).every((list) => list.every(({ kind }) => kind !== "tamper"));
    const proposals = turns.flatMap((turn) => (isModelFailure(turn) ? [] : turn.proposals));
    return isStill && proposals.every((call) => call.kind !== "tool-call" || parseArguments(call.args) !== undefined);
  }

  /** An eager runner does not wait to hear why a turn stopped, and knows the calls of a turn by their ids. */
  function isPlain({ turns }: Script): boolean {
    return turns.every((turn) => {
      if (isModelFailure(turn)) return true;
      const ids = turn.proposals.flatMap((proposal) => (proposal.kind === "text" ? [] : [proposal.callId]));
      return turn.stop === "tool-calls" && new Set(ids).size === ids.length;
    });
  }

  function toldBy(trace: Trace) {
    const ran = trace.flatMap((event) =>
      event.type === "handler-started" ? [[event.step, event.tool, event.args, event.callId]] : [],
    );
    const asked = trace.flatMap((event) => (event.type === "asked" ? [[event.results, event.menu]] : []));
    return { ran, asked, ended: trace.flatMap((event) => (event.type === "ended" ? [event.status] : [])) };
  }

  it("come to the same, whatever is proposed", { timeout: 20_000 }, async () => {
    const scripts = [...enumeration(plain)].filter(isComparable);
    const chosen = scripts.filter((_, index) => index % Math.ceil(scripts.length / 60) === 0);
    expect(chosen.filter(isPlain).length).toBeGreaterThan(25);
    const traces = await Promise.all((await stages).map((stage) => stage.playAll(chosen)));
    const [first, second, third] = traces.map((ofOne) => ofOne.map(toldBy));
    for (const [index, script] of chosen.entries()) {
      expect(second?.[index], JSON.stringify(script)).toEqual(first?.[index]);
      if (isPlain(script)) expect(third?.[index], JSON.stringify(script)).toEqual(first?.[index]);
    }
  });
});

describe("anthropic, without its SDK", () => {
  const notFound = Object.assign(new Error("Cannot find package '@anthropic-ai/sdk'"), {
    code: "ERR_MODULE_NOT_FOUND",
  });

  it.each([
    ["missing", { load: () => Promise.reject(notFound) }, "npm install @anthropic-ai/sdk@1"],
    ["untested", { majors: [7] }, "Expected `@anthropic-ai/sdk` to be of version 7, got 1."],
  ])("says in a sentence that it is %s", async (_, changes, says) => {
    vi.resetModules();
    vi.doMock("./sdk-package.ts", async (original) => {
      const real = await original<typeof import("./sdk-package.ts")>();
      return { ...real, loadSdk: (sdk: Parameters<typeof real.loadSdk>[0]) => real.loadSdk({ ...sdk, ...changes }) };
    });
    const fresh = await import("./anthropic.ts");
    await expect(fresh.anthropicHarness({ name: "x", agent: () => ({ status: "answered" }) }).open?.()).rejects.toThrow(
      says,
    );
    vi.doUnmock("./sdk-package.ts");
  });
});
