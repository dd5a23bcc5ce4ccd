import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { openStage } from "../check/pieces.ts";
import { replayScript } from "../check/replay-script.ts";
import type { Harness, Tool } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { Proposal } from "../contract/turn.ts";
import { ModelError } from "../errors.ts";
import { call, lookup, type RunSetting, runOf, toolOf, turnOf } from "../wire/run-of-turns.test-kit.ts";
import { type McpOptions, type McpParts, type McpTool, mcpHarness } from "./mcp.ts";

const load = (callId: string, skill: string): Proposal => ({ kind: "load-skill", callId, skill });

function server({ tools }: McpParts): McpServer {
  const built = new McpServer({ name: "tools", version: "1.0.0" });
  for (const { name, config, handler, registered } of tools) registered(built.registerTool(name, config, handler));
  return built;
}

const harnessOf = (more: Partial<McpOptions> = {}) => mcpHarness({ name: "server", server, ...more });

/** Plays the turns, and tells how the run ended, what the model was told, and what ran. */
async function play(harness: Harness, setting: RunSetting) {
  const { run, inputs, ran } = runOf(setting);
  const { status } = await harness.run(run);
  return { status, inputs, ran, results: inputs.slice(1).map(({ results }) => results) };
}

describe("mcpHarness", () => {
  describe.each(["at-once", "one-by-one"] as const)("with calls sent %s", (calls) => {
    const harness = harnessOf({ calls });

    it("runs honest calls once each, under their own ids, and gives their results back", async () => {
      const { status, ran, results } = await play(harness, {
        turns: [turnOf(call("a", "lookup"), call("b", "lookup", '{"order":"B-2"}'))],
      });
      expect(status).toBe("answered");
      expect(ran).toEqual([
        ["lookup", { order: "A-1" }, "a"],
        ["lookup", { order: "B-2" }, "b"],
      ]);
      expect(results).toEqual([
        [
          { callId: "a", text: "lookup done" },
          { callId: "b", text: "lookup done" },
        ],
      ]);
    });

    it("gives the model what the server answers to calls that it refuses", async () => {
      const { ran, results } = await play(harness, {
        turns: [
          turnOf(
            call("a", "no_such_tool"),
            call("b", "constructor"),
            call("c", "lookup", '{"order":7}'),
            call("d", "lookup", "[]"),
            call("e", "lookup", '{"order":'),
            call("f", "lookup", ""),
          ),
        ],
      });
      expect(ran).toEqual([]);
      const [refused = []] = results;
      expect(refused.map(({ callId, isError }) => [callId, isError])).toEqual(
        ["a", "b", "c", "d", "e", "f"].map((callId) => [callId, true]),
      );
      expect(refused[0]?.text).toContain("no_such_tool not found");
      expect(refused[1]?.text).toContain("constructor");
      expect(refused[2]?.text).toContain("Input validation error");
      expect(refused[4]?.text).toBe("The arguments are not JSON.");
    });

    it("lists and runs a hidden tool only once its skill is loaded", async () => {
      const refund = toolOf("refund", { offered: { afterSkill: "refunds" } });
      const { ran, inputs, results } = await play(harness, {
        tools: [toolOf("lookup"), refund, toolOf("secret", { offered: "never" })],
        skills: ["refunds"],
        turns: [
          turnOf(call("a", "refund"), call("b", "secret")),
          turnOf(load("c", "nothing")),
          turnOf(load("d", "refunds")),
          turnOf(call("e", "refund")),
        ],
      });
      expect(ran).toEqual([["refund", { order: "A-1" }, "e"]]);
      expect(inputs.map(({ menu }) => menu?.filter((name) => name !== "load_skill"))).toEqual([
        ["lookup"],
        ["lookup"],
        ["lookup"],
        ["lookup", "refund"],
        ["lookup", "refund"],
      ]);
      expect(results.map((told) => told?.map(({ isError }) => isError === true))).toEqual([
        [true, true],
        [true],
        [false],
        [false],
      ]);
    });

    it("ends out of steps, and as aborted while a handler hangs", async () => {
      const turns = Array.from({ length: 5 }, () => turnOf(call("a", "lookup")));
      const spent = await play(harness, { turns, maxSteps: 2 });
      expect([spent.status, spent.inputs.length, spent.ran.length]).toEqual(["out-of-steps", 2, 2]);

      const abort = new AbortController();
      let signal: AbortSignal | undefined;
      const execute: Tool["execute"] = (_, context) => {
        signal = context?.signal;
        setImmediate(() => abort.abort());
        return new Promise(() => {});
      };
      const tools = [toolOf("lookup", { execute })];
      const aborted = await play(harness, { turns, tools, signal: abort.signal });
      expect([aborted.status, aborted.inputs.length, signal?.aborted]).toEqual(["aborted", 1, true]);
    });
  });

  it("gives a failing handler's message as an error, whatever was thrown", async () => {
    const failing = (name: string, thrown: unknown) => toolOf(name, { execute: () => Promise.reject(thrown) });
    const { results } = await play(harnessOf(), {
      tools: [failing("one", new Error("no connection")), failing("two", null), failing("three", Object.create(null))],
      turns: [turnOf(call("a", "one"), call("b", "two"), call("c", "three"))],
    });
    expect(results[0]?.map(({ isError }) => isError)).toEqual([true, true, true]);
    expect(results[0]?.[0]?.text).toBe("no connection");
  });

  it("carries what stands beside the arguments, but for what is the client's own", async () => {
    const seen: unknown[] = [];
    const harness = harnessOf({
      server(parts) {
        const built = server(parts);
        return {
          close: () => built.close(),
          connect(transport) {
            const connected = built.connect(transport);
            const { onmessage } = transport;
            transport.onmessage = (message, extra) => {
              if ("method" in message && message.method === "tools/call") seen.push(message.params);
              onmessage?.(message, extra);
            };
            return connected;
          },
        };
      },
    });
    const { ran } = await play(harness, {
      turns: [turnOf(call("a", "lookup", '{"order":"A-1"}', { extra: { approved: true, name: "other" } }))],
    });
    expect(seen).toEqual([{ name: "lookup", approved: true, arguments: { order: "A-1" } }]);
    expect(ran).toHaveLength(1);
  });

  it("lets a failing model request through, and closes the server all the same", async () => {
    const close = vi.fn();
    const harness = harnessOf({
      server(parts) {
        const built = server(parts);
        built.server.onclose = close;
        return built;
      },
    });
    await expect(play(harness, { turns: [new ModelError("timeout")] })).rejects.toThrow(ModelError);
    expect(close).toHaveBeenCalled();
  });

  it("plays tools that the user registers with schemas of their own", async () => {
    const harness = harnessOf({
      server({ tools }) {
        const built = new McpServer({ name: "own", version: "1.0.0" });
        const { handler } = tools.find(({ name }) => name === "lookup")!;
        built.registerTool("lookup", { inputSchema: { order: z.string().trim() } }, handler);
        return built;
      },
    });
    const { ran } = await play(harness, { turns: [turnOf(call("a", "lookup", '{"order":" A-1 ","more":1}'))] });
    expect(ran).toEqual([["lookup", { order: "A-1" }, "a"]]);
  });

  it("finds what a server does wrong that dispatches by itself", async () => {
    const dispatching = (find: (handlers: Record<string, McpTool["handler"]>, name: string) => McpTool["handler"]) =>
      harnessOf({
        claims: { hiddenTools: "none", menu: false, argumentSchemas: false },
        server({ tools }) {
          const built = new Server({ name: "own", version: "1.0.0" }, { capabilities: { tools: {} } });
          const handlers = Object.fromEntries(tools.map(({ name, handler }) => [name, handler]));
          built.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
            const handler = find(handlers, params.name);
            if (handler === undefined) throw new Error("no such tool");
            return { content: [{ type: "text", text: JSON.stringify(await handler(params.arguments ?? {}, extra)) }] };
          });
          return built;
        },
      });
    const { execute: _, ...spec } = lookup;
    const script: Script = {
      format: 1,
      world: { tools: [spec], skills: [], maxSteps: 4 },
      turns: [turnOf(call("a", "toString"))],
      afterTurns: "end",
      handlers: {},
      decisions: [],
    };
    const broken = async (harness: Harness) =>
      (await replayScript(harness, script)).rules.filter(({ verdict }) => verdict === "violated").map(({ id }) => id);
    expect(await broken(dispatching((handlers, name) => handlers[name]!))).toEqual(["undeclared-names-reach-nothing"]);
    const own = dispatching((handlers, name) => (Object.hasOwn(handlers, name) ? handlers[name]! : undefined!));
    expect(await broken(own)).toEqual([]);
  });

  it("says what it claims, and lets the user say otherwise", () => {
    expect(harnessOf().claims).toMatchObject({ hiddenTools: "by-skill", argumentSchemas: true, results: true });
    expect(harnessOf({ claims: { hiddenTools: "none", menu: false } }).claims).toMatchObject({
      hiddenTools: "none",
      menu: false,
      results: true,
    });
    expect(harnessOf().shape).toMatchObject({ loop: "none", argumentText: "parsed" });
  });

  it("declares no name that the SDK takes for registered already, and none that it warns of", () => {
    const { toolNames } = harnessOf().shape ?? {};
    for (const name of ["lookup", "a", "Look.up-2", "_x", "x".repeat(128)]) expect(toolNames?.test(name)).toBe(true);
    for (const name of ["constructor", "__proto__", "toString", "load_skill", "-a", "a.", "a b", "", "x".repeat(129)]) {
      expect(toolNames?.test(name)).toBe(false);
    }
  });

  it("refuses options without a server in one sentence", () => {
    expect(() => mcpHarness({ name: "x" } as never)).toThrow(/^Expected `server` of the options .*\. Do .*\.$/);
  });

  it("tells of an SDK of another major when it is opened", async () => {
    vi.resetModules();
    vi.doMock("./sdk-package.ts", async (original) => ({
      ...(await original<typeof import("./sdk-package.ts")>()),
      loadSdk: async () => {
        throw Object.assign(new Error("Expected the package to be installed."), { code: "missing-sdk" });
      },
    }));
    const { mcpHarness: other } = await import("./mcp.ts");
    vi.doUnmock("./sdk-package.ts");
    await expect(openStage(other({ name: "x", server }), { runTimeoutMs: 1_000 })).rejects.toThrow(
      "Expected the package to be installed.",
    );
  });
});
