import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  anthropicFetch,
  anthropicMessages,
  type Claims,
  canonicalWorlds,
  classes,
  type Fetch,
  type Harness,
  openaiChat,
  openaiFetch,
  openStage,
  type Script,
  scripts,
  type TestRun,
  type Trace,
  type Turn,
  weave,
} from "../index.ts";
import { parseArguments, parseJson, sameJson } from "../world/json.ts";

/** One call, as a loop has it once its reply is whole. `args`: the text, or, where the wire carries values, the value. */
interface SeenCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
}

interface Reply {
  /** All that the client handed over for it. */
  readonly raw: unknown;
  readonly calls: readonly SeenCall[];
  readonly stop: unknown;
}

interface Answer {
  readonly id: string;
  readonly text: string;
  readonly failed: boolean;
}

/** One provider's client as a loop uses it: it keeps the conversation. */
interface Conversation {
  ask(): Promise<Reply>;
  answer(answers: readonly Answer[]): void;
}

type Open = (run: TestRun, stream: boolean) => Conversation;

/** What stands where the service would: its answers go over a real socket. */
let service: Fetch | undefined;
let server: Server;
let address = "";

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    try {
      const url = new URL(request.url ?? "/", address);
      const answer = await service!(url, { method: "POST", body: Buffer.concat(parts).toString() });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const piece of answer.body ?? []) response.write(piece);
      response.end();
    } catch (error) {
      // A lost connection, or one on which nothing ever comes.
      if (!String(error).includes("timeout")) request.socket.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const limits = { apiKey: "none", maxRetries: 0, timeout: 20_000 };

const openaiOver =
  (clientOf: (run: TestRun) => Pick<OpenAI, "chat">): Open =>
  (run, stream) => {
    const { completions } = clientOf(run).chat;
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: "Help." }];
    const tools = run.tools.map(({ name }) => ({ type: "function" as const, function: { name } }));
    const request = { model: "m", messages, tools };
    return {
      async ask() {
        if (!stream) {
          const raw = await completions.create(request);
          const { message, finish_reason: stop } = raw.choices[0]!;
          messages.push(message);
          const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
          return { raw, stop, calls: calls.map(({ id, function: { name, arguments: args } }) => ({ id, name, args })) };
        }
        const raw: OpenAI.Chat.ChatCompletionChunk[] = [];
        const options = { include_usage: true };
        for await (const chunk of await completions.create({ ...request, stream, stream_options: options })) {
          raw.push(chunk);
        }
        const deltas = raw.flatMap(({ choices }) => choices.map(({ delta }) => delta));
        const calls: { id: string; name: string; args: string }[] = [];
        for (const { index, id, function: called } of deltas.flatMap(({ tool_calls }) => tool_calls ?? [])) {
          calls[index] ??= { id: id ?? "", name: called?.name ?? "", args: "" };
          calls[index].args += called?.arguments ?? "";
        }
        const asParam = calls.map(({ id, name, args }) => ({
          id,
          type: "function" as const,
          function: { name, arguments: args },
        }));
        messages.push({ role: "assistant", content: null, tool_calls: asParam });
        const stop = raw.flatMap(({ choices }) => choices.map(({ finish_reason }) => finish_reason)).find(Boolean);
        return { raw, calls, stop };
      },
      answer(answers) {
        for (const { id, text } of answers) messages.push({ role: "tool", tool_call_id: id, content: text });
      },
    };
  };

const anthropicOver =
  (clientOf: (run: TestRun) => Pick<Anthropic, "messages">): Open =>
  (run, stream) => {
    const client = clientOf(run);
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Help." }];
    const tools = run.tools.map(({ name }) => ({ name, input_schema: { type: "object" as const } }));
    const request = { model: "m", max_tokens: 9, messages, tools };
    return {
      async ask() {
        if (!stream) {
          const raw = await client.messages.create(request);
          messages.push({ role: "assistant", content: raw.content });
          const blocks = raw.content.filter((block) => block.type === "tool_use");
          const calls = blocks.map(({ id, name, input }) => ({ id, name, args: input }));
          return { raw, calls, stop: raw.stop_reason };
        }
        const raw: Anthropic.RawMessageStreamEvent[] = [];
        const calls = new Map<number, { id: string; name: string; args: string }>();
        let stop: unknown;
        for await (const event of await client.messages.create({ ...request, stream })) {
          raw.push(event);
          if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
            calls.set(event.index, { id: event.content_block.id, name: event.content_block.name, args: "" });
          }
          if (event.type === "content_block_delta" && event.delta.type === "input_json_delta") {
            calls.get(event.index)!.args += event.delta.partial_json;
          }
          if (event.type === "message_delta") stop = event.delta.stop_reason;
        }
        messages.push({ role: "assistant", content: "(streamed)" });
        return { raw, calls: [...calls.values()], stop };
      },
      answer(answers) {
        const blocks = answers.map(({ id, text, failed }) => ({
          type: "tool_result" as const,
          tool_use_id: id,
          content: text,
          is_error: failed,
        }));
        messages.push({ role: "user", content: blocks });
      },
    };
  };

const providers = {
  openai: {
    flags: false,
    double: openaiOver((run) => openaiChat(run, { errors: OpenAI })),
    wire: openaiOver((run) => {
      service = openaiFetch(run);
      return new OpenAI({ ...limits, baseURL: `${address}/v1` });
    }),
  },
  anthropic: {
    flags: true,
    double: anthropicOver((run) => anthropicMessages(run, { errors: Anthropic })),
    wire: anthropicOver((run) => {
      service = anthropicFetch(run);
      return new Anthropic({ ...limits, baseURL: address });
    }),
  },
};

/** A loop that does no more than is needed to go on, and keeps what it saw: a list for each run. */
function watchedHarness(open: Open, stream: boolean, errorFlag: boolean) {
  const seen: unknown[][] = [];
  const harness: Harness = {
    name: "watched",
    claims,
    shape: { errorFlag },
    async run(run) {
      const saw: unknown[] = [];
      seen.push(saw);
      const tools = new Map(run.tools.map((tool) => [tool.name, tool.execute]));
      const conversation = open(run, stream);
      let failures = 0;
      for (let step = 0; step < run.maxSteps; ) {
        const reply = await conversation.ask().catch((error: Error) => {
          const { status, message } = error as Error & { status?: number };
          saw.push({ error: error.constructor.name, status, message });
        });
        failures = reply === undefined ? failures + 1 : 0;
        if (failures > 3) return { status: "failed" };
        if (reply === undefined) continue;
        step += 1;
        saw.push(reply);
        if (reply.calls.length === 0) return { status: "answered" };
        const answers: Answer[] = [];
        for (const { id, name, args } of reply.calls) {
          const value = typeof args === "string" ? parseArguments(args) : args;
          const execute = tools.get(name);
          const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
          if (execute === undefined || !isObject) answers.push({ id, text: "refused", failed: true });
          // What a handler does to its arguments must not reach what was seen.
          else answers.push({ id, ...(await textOf(execute, JSON.parse(JSON.stringify(value)))) });
        }
        conversation.answer(answers);
      }
      return { status: "out-of-steps" };
    },
  };
  return { harness, seen };
}

async function textOf(execute: (args: unknown) => Promise<unknown>, args: unknown) {
  try {
    return { text: JSON.stringify(await execute(args)) ?? "", failed: false };
  } catch {
    return { text: "failed", failed: true };
  }
}

const claims: Claims = {
  approvals: "none",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  results: true,
  menu: true,
  stopReason: true,
};
const world = canonicalWorlds(claims, {})[0]!;

/** Each fixed case in the fullest world (of what handlers do, which no client sees, a few), random scripts, and texts that are hard to cut. */
function manyScripts(): readonly Script[] {
  const setting = { world, claims, shape: {}, loaded: new Set<string>() };
  const cases = classes
    .filter((entry) => entry.needs(setting) === undefined)
    .flatMap((entry) => (entry.kind === "handler" ? entry.representatives(setting) : entry.canonical(setting)))
    .map((move) => weave(world, [move], {}));
  const random = fc.sample(scripts({ claims }), { seed: 1, numRuns: 50 });
  return [...cases, ...random, ...hardTexts.map((text) => scriptOf(turnOfText(text)))]
    .filter(({ before, beside }) => before === undefined && beside === undefined)
    .filter(({ turns }) => !turns.some((turn) => "kind" in turn && turn.failure === "timeout"));
}

const hardTexts = [
  "",
  "\u2028\r\n\r\ndata: [DONE]\n\nevent: error",
  '😀 \ud83d \ude00 "é" \\ \\u00e9 \u0000',
  "\uFEFF{}",
  "x".repeat(30_000),
];

function turnOfText(text: string): Turn {
  const call = { kind: "tool-call", callId: `call ${text.slice(0, 20)}`, name: text.slice(0, 40) } as const;
  return {
    stop: "tool-calls",
    proposals: [
      { kind: "text", text },
      { ...call, args: JSON.stringify({ order: text, [text.slice(0, 10)]: [text] }), extra: { confirmed: text } },
      { kind: "text", text: "And:" },
      { ...call, callId: "call-2", args: text },
    ],
  };
}

function scriptOf(...turns: Script["turns"]): Script {
  return { format: 1, world, turns, afterTurns: "end", handlers: {}, decisions: [] };
}

async function playAll(open: Open, stream: boolean, flags: boolean, played: readonly Script[]) {
  const { harness, seen } = watchedHarness(open, stream, flags);
  const stage = await openStage(harness, { runTimeoutMs: 20_000 });
  const traces: Trace[] = [];
  for (let first = 0; first < played.length; first += 50) {
    traces.push(...(await stage.playAll(played.slice(first, first + 50))));
  }
  await stage.close();
  return { seen, traces };
}

/** The calls of each turn that the trace says was delivered, as they have to arrive. */
function deliveredCalls(trace: Trace, hasValues: boolean): readonly SeenCall[] {
  return trace.flatMap((event): SeenCall[] => {
    if (event.type !== "proposed" || event.proposal.kind === "text") return [];
    const { proposal } = event;
    const isLoad = proposal.kind === "load-skill";
    const args = isLoad ? JSON.stringify({ skill: proposal.skill }) : proposal.args;
    const value = parseJson(args);
    return [
      {
        id: proposal.callId,
        name: isLoad ? "load_skill" : proposal.name,
        args: hasValues && value !== undefined ? value : args,
      },
    ];
  });
}

const modes = [false, true].flatMap((stream) => (["openai", "anthropic"] as const).map((name) => ({ name, stream })));

describe("the double and the wire agree", () => {
  it.each(modes)(
    "on every case of every class and more: $name, streamed: $stream",
    { timeout: 300_000 },
    async (mode) => {
      const { double, wire, flags } = providers[mode.name];
      const played = manyScripts();
      expect(played.length).toBeGreaterThan(300);
      const byDouble = await playAll(double, mode.stream, flags, played);
      const byWire = await playAll(wire, mode.stream, flags, played);
      for (const [index, script] of played.entries()) {
        const where = JSON.stringify(script.turns).slice(0, 2_000);
        const [saw, trace] = [byDouble.seen[index]!, byDouble.traces[index]!];
        expect(sameJson(byWire.seen[index], saw), `seen: ${where}`).toBe(true);
        expect(sameJson(byWire.traces[index], trace), `trace: ${where}`).toBe(true);
        const calls = saw.flatMap((reply) => (reply as Partial<Reply>).calls ?? []);
        const due = deliveredCalls(trace, mode.name === "anthropic" && !mode.stream);
        expect(sameJson(calls, due), `calls: ${where}`).toBe(true);
      }
    },
  );

  it.each(modes)("on a request that times out: $name, streamed: $stream", async (mode) => {
    const { double, wire, flags } = providers[mode.name];
    const script = scriptOf({ kind: "failure", failure: "timeout" });
    limits.timeout = 500;
    const byWire = await playAll(wire, mode.stream, flags, [script]);
    limits.timeout = 20_000;
    const byDouble = await playAll(double, mode.stream, flags, [script]);
    expect(byDouble.seen[0]![0]).toMatchObject({ error: "APIConnectionTimeoutError" });
    expect(byWire).toEqual(byDouble);
  });
});
