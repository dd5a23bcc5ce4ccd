import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openStage } from "../check/pieces.ts";
import { replayScript } from "../check/replay-script.ts";
import type { Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { ToolCall } from "../contract/turn.ts";
import { UsageError } from "../errors.ts";
import { type McpCommandHarness, type McpCommandOptions, mcpCommandHarness } from "./mcp.ts";
import { startedMcpHarness } from "./mcp-command.ts";

const servers = resolve(fileURLToPath(import.meta.url), "../../../fixtures/loops/mcp-servers");
const scratch = mkdtempSync(join(tmpdir(), "gatecrash-mcp-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const harnessOf = (server: string, more: Partial<McpCommandOptions> = {}) =>
  mcpCommandHarness({ command: process.execPath, args: [join(servers, `${server}.mjs`)], name: server, ...more });

const call = (name: string, args: string): ToolCall => ({ kind: "tool-call", callId: "", name, args });

/** One turn for each list of calls, with ids of their own. */
function scriptOf({ world }: McpCommandHarness, ...turns: readonly (readonly ToolCall[])[]): Script {
  let ids = 0;
  const mint = (one: ToolCall): ToolCall => {
    ids += 1;
    return { ...one, callId: `call-${ids}` };
  };
  return {
    format: 1,
    world: world!,
    turns: turns.map((calls) => ({ proposals: calls.map(mint), stop: "tool-calls" as const })),
    afterTurns: "end",
    handlers: {},
    decisions: [],
  };
}

/** The results of all calls, in the order in which they were told: their texts, with "!" before an error. */
function told(trace: Trace): readonly string[] {
  return trace.flatMap((event) =>
    event.type === "asked" ? (event.results ?? []).map(({ text, isError }) => (isError ? `!${text}` : text)) : [],
  );
}

const ran = (trace: Trace) => trace.flatMap((event) => (event.type === "handler-started" ? [event.tool] : []));

async function play(harness: McpCommandHarness, ...scripts: readonly Script[]): Promise<readonly Trace[]> {
  const stage = await openStage(harness, { runTimeoutMs: 20_000 });
  try {
    const traces: Trace[] = [];
    for (const script of scripts) traces.push(await stage.play(script));
    return traces;
  } finally {
    await stage.close();
  }
}

const bad = [
  call("no_such_tool", "{}"),
  call("constructor", "{}"),
  call("__proto__", "{}"),
  call("find_order", '{"order":7}'),
  call("find_order", "[]"),
  call("find_order", '{"order":'),
];
const valid = [call("find_order", '{"order":"A-1"}'), call("add", '{"a":1,"b":2}')];

describe("mcpCommandHarness", () => {
  describe("with a server that refuses what it must", () => {
    let harness: McpCommandHarness;
    beforeAll(async () => {
      harness = await harnessOf("refuses-what-it-must");
    });

    it("has the server's tools for its world", () => {
      expect(harness.world?.tools.map(({ name, permission, offered }) => [name, permission, offered])).toEqual([
        ["find_order", "allow", "always"],
        ["add", "allow", "always"],
      ]);
      expect(harness.claims).toMatchObject({ argumentSchemas: true, results: true, concurrentRuns: false });
    });

    it("gives the server's refusals back, and a word where a frame could not be answered", async () => {
      const [trace] = await play(harness, scriptOf(harness, bad));
      expect(told(trace!)).toEqual([
        "!Unknown tool: no_such_tool",
        "!Unknown tool: constructor",
        "!Unknown tool: __proto__",
        "!Invalid arguments",
        "!Invalid arguments",
        "!There was no answer.",
      ]);
      expect(trace!.at(-1)).toMatchObject({ type: "ended", status: "answered" });
      expect(harness.notes().join("\n")).toContain("6 calls were sent, all of them such as the server has to refuse.");
    });

    it("does not send what the server may accept", async () => {
      const open = [call("add", '{"a":1,"a":"x","b":2}'), call("find_order", '{"order":"A-1","more":1}')];
      const [trace] = await play(harness, scriptOf(harness, [...valid, ...open]));
      expect(told(trace!)).toEqual(Array(4).fill("!Not sent: the server may accept this call."));
      expect(ran(trace!)).toEqual([]);
    });

    it("keeps every rule that can be judged, and says which can't", async () => {
      const report = await replayScript(harness, scriptOf(harness, bad, valid));
      const verdicts = (wanted: string) => report.rules.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
      expect(report.ok).toBe(true);
      expect(verdicts("holds")).toEqual([
        "bad-proposals-are-survived",
        "every-call-gets-one-result",
        "every-run-ends",
        "malformed-proposals-run-nothing",
        "only-valid-arguments-reach-handlers",
        "undeclared-names-reach-nothing",
      ]);
      expect(report.rules.find(({ id }) => id === "honest-calls-run")?.needs).toBe(
        "the harness's handlers can't be watched",
      );
    });

    it("sends valid calls where it is told to, and takes a success for an effect", async () => {
      const willing = await harnessOf("refuses-what-it-must", { validCalls: true });
      const [trace] = await play(willing, scriptOf(willing, valid));
      expect(told(trace!)).toEqual(["order A-1", "3"]);
      expect(ran(trace!)).toEqual(["find_order", "add"]);
      const [settled] = trace!.filter((event) => event.type === "handler-settled");
      expect(settled).toMatchObject({ told: true });
      expect(settled).not.toHaveProperty("value");
      expect(willing.notes().join("\n")).toContain("2 calls were sent, 2 of them valid; the server accepted 2.");
    });

    it("calls the chosen tools alone, under no name", async () => {
      const chosen = await harnessOf("refuses-what-it-must", { tools: ["add"] });
      expect(chosen.world?.tools.map(({ name }) => name)).toEqual(["add"]);
      const [trace] = await play(chosen, scriptOf(chosen, [call("find_order", '{"order":7}'), call("add", "{}")]));
      expect(told(trace!)).toEqual(["!Not sent: this tool was left out.", "!Invalid arguments"]);
      expect(chosen.notes()).toContain('Left out: "find_order".');
    });
  });

  it.each([
    ["looks-names-up-in-a-plain-object", call("toString", "{}"), "undeclared-names-reach-nothing", '"toString"'],
    ["guesses-names", call("FIND_ORDER", '{"order":"A-1"}'), "undeclared-names-reach-nothing", '"FIND_ORDER"'],
    ["does-not-validate", call("add", '{"a":"1","b":2}'), "only-valid-arguments-reach-handlers", '"add" ran'],
    [
      "takes-anything-for-arguments",
      call("find_order", "[]"),
      "malformed-proposals-run-nothing",
      "not one JSON object",
    ],
    ["answers-twice", call("nothing", "{}"), "every-call-gets-one-result", "had 2 results"],
    ["crashes-on-bad-frames", call("add", "{"), "bad-proposals-are-survived", "its last words were: SyntaxError"],
  ])("finds what a server does wrong that %s", async (server, guilty, rule, words) => {
    const harness = await harnessOf(server);
    const report = await replayScript(harness, scriptOf(harness, [guilty]), { runTimeoutMs: 20_000 });
    const broken = report.rules.filter(({ verdict }) => verdict === "violated");
    expect(broken.map(({ id }) => id)).toEqual([rule]);
    expect(broken[0]?.findings[0]?.because).toContain(words);
  });

  it("waits for an answer so long and no longer", async () => {
    const harness = await harnessOf("leaves-unknown-tools-unanswered", { answerMs: 1_500 });
    const [trace] = await play(harness, scriptOf(harness, [call("nothing", "{}"), call("add", "{}")]));
    expect(trace!.at(-1)).toMatchObject({
      type: "crashed",
      message: "The server gave no answer to `tools/call` within 1.5 seconds.",
    });
  });

  it("takes a slow tool for no fault, and cancels what takes too long", async () => {
    const slow = await harnessOf("takes-its-time", { answerMs: 400, validCalls: true });
    const [trace] = await play(slow, scriptOf(slow, [call("wait", "{}")], [call("cancelled", "{}")]));
    expect(told(trace!)).toEqual(["!There was no answer.", "1"]);
    expect(trace!.at(-1)).toMatchObject({ type: "ended", status: "answered" });
  });

  it("finds a tool that answers none of several valid calls, and says so", async () => {
    const mute = await harnessOf("takes-its-time", { answerMs: 100, validCalls: true });
    const report = await replayScript(mute, scriptOf(mute, ...Array(4).fill([call("wait", "{}")])));
    const broken = report.rules.filter(({ verdict }) => verdict === "violated");
    expect(broken.map(({ id }) => id)).toEqual(["every-call-gets-one-result"]);
    expect(broken[0]?.findings[0]?.because).toMatch(/^"wait", called in turn 3 under .* had no result/);
    const notes = mute.notes().join("\n");
    expect(notes).toContain("valid calls got no answer within 0.1 seconds.");
    expect(notes).toContain('No valid call was ever answered by "wait".');
    expect(notes).not.toContain("refuses everything");
  });

  it("sends nothing more in a run that is under way at the deadline, and plays one that begins later", async () => {
    const options = { command: process.execPath, args: [join(servers, "takes-its-time.mjs")], validCalls: true };
    const harness = await startedMcpHarness({ ...options, answerMs: 6_000 }, Date.now() + 5_000);
    const one = scriptOf(harness, [call("wait", "{}")], [call("cancelled", "{}")]);
    const [early, late] = await play(harness, one, scriptOf(harness, [call("cancelled", "{}")]));
    expect(told(early!)).toEqual(["!There was no answer.", "!Not sent: the time was up."]);
    expect(told(late!)).toEqual(["1"]);
  });

  it.each([
    ['{ error: { code: -32601, message: "Unknown" } }', 'answered `tools/list` with the error "Unknown"'],
    ['{ result: { tools: "x" } }', '`tools/list` with a result in which `tools` is no list: {"tools":"x"}'],
  ])("says what came instead of a list of tools: %s", async (answer, words) => {
    await expect(mcpCommandHarness({ command: process.execPath, args: ["-e", listing(answer)] })).rejects.toThrow(
      words,
    );
  });

  it("tells of a list of tools without an end, and of names that are there twice", async () => {
    const answer = '{ result: { tools: [{ name: "a", inputSchema: { type: "object" } }], nextCursor: "x" } }';
    const harness = await mcpCommandHarness({ command: process.execPath, args: ["-e", listing(answer)] });
    expect(harness.notes().join("\n")).toMatch(/may take either: "a"\..*went on after 100 pages/s);
  });

  it("starts a server again that a run has cost, for the runs after it", async () => {
    const harness = await harnessOf("crashes-on-bad-frames");
    const good = scriptOf(harness, [call("nothing", "{}")]);
    const [crashed, next] = await play(harness, scriptOf(harness, [call("add", "{")]), good);
    expect(crashed!.at(-1)).toMatchObject({ type: "crashed", name: "ServerFault" });
    expect(told(next!)).toEqual(["!Unknown tool: nothing"]);
    expect(harness.notes()).toContain("The server had to be started again 1 time.");
  });

  it("takes an error for an answer to a valid call: arguments that a schema can't guess are no fault", async () => {
    const harness = await harnessOf("sdk-server", { validCalls: true });
    const script = scriptOf(harness, [call("find_order", '{"order":"B-2"}'), call("now", ""), ...bad]);
    const report = await replayScript(harness, script);
    expect(report.rules.filter(({ verdict }) => verdict === "violated")).toEqual([]);
    const [trace] = await play(harness, script);
    expect(told(trace!).slice(0, 2)).toEqual(["!There is no such order.", "noon"]);
    expect(ran(trace!)).toEqual(["now"]);
  });

  it("bears a server that lists in pages, asks its client, answers no ping, logs, and changes its list", async () => {
    const harness = await harnessOf("talks-a-lot", { answerMs: 2_000 });
    expect(harness.world?.tools.map(({ name }) => name)).toEqual(["find_order", "add"]);
    const late = call("FIND_ORDER", "{}");
    const [trace] = await play(harness, scriptOf(harness, [call("nothing", "{}")], [late]));
    expect(told(trace!)).toEqual(["!Unknown tool: nothing", "!Not sent: this tool was left out."]);
    expect(harness.notes().join("\n")).toContain("wrote 1 line to its standard output that are no messages");
  });

  it("ends the server and what that started", async () => {
    const file = join(scratch, "pids");
    const outer = `
      const { spawn } = require("node:child_process");
      const inner = spawn(process.execPath, [${JSON.stringify(join(servers, "refuses-what-it-must.mjs"))}], { stdio: "inherit" });
      require("node:fs").writeFileSync(${JSON.stringify(file)}, process.pid + " " + inner.pid);
      process.on("SIGTERM", () => {});
      setInterval(() => {}, 1000);
    `;
    const harness = await mcpCommandHarness({ command: process.execPath, args: ["-e", outer] });
    await play(harness, scriptOf(harness, [call("nothing", "{}")]));
    const pids = readFileSync(file, "utf8").split(" ").map(Number);
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  it.each([
    ["can't be started", join(scratch, "nothing"), [], /could not be started \(ENOENT\)/],
    ["ends at once", process.execPath, ["-e", "throw new TypeError('no key')"], /exit code 1.*TypeError: no key/],
    [
      "says nothing",
      process.execPath,
      ["-e", "setInterval(() => {}, 1000)"],
      /no answer to `initialize` within 1 second/,
    ],
    [
      "says something else",
      process.execPath,
      ["-e", "console.log('hi'); setInterval(() => {}, 9)"],
      /1 line of its .* is no message/,
    ],
  ])("tells in one sentence of a command that %s", async (_, command, args, words) => {
    const error = await mcpCommandHarness({ command, args, startMs: 1_000 }).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).code).toBe("server-not-started");
    expect((error as UsageError).message).toMatch(words);
    expect((error as UsageError).message).toMatch(/^Expected `.* Do check the command\.$/s);
  });

  it("tells of tools that the server does not list, and of a command that is missing", async () => {
    await expect(harnessOf("refuses-what-it-must", { tools: ["find_orders"] })).rejects.toThrow(
      /to list the tool "find_orders", got "find_order", "add"\. Do name one of these\.$/,
    );
    await expect(mcpCommandHarness({ args: [] } as never)).rejects.toThrow(
      /^Expected `command` .* got nothing\. Do give it\.$/,
    );
  });
});

/** A server that answers `tools/list` like this. */
function listing(answer: string): string {
  return `
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const { protocolVersion } = params;
      const ready = { result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "x", version: "1" } } };
      console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(method === "tools/list" ? ${answer} : ready) }));
    });
  `;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A process that nobody has waited for yet is still listed.
    const state = `/proc/${pid}/stat`;
    return !existsSync(state) || !/\) Z /.test(readFileSync(state, "utf8"));
  } catch {
    return false;
  }
}
