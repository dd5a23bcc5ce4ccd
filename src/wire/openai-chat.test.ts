import OpenAI from "openai";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { TestRun, Tool } from "../contract/harness.ts";
import { isMadeByHelper } from "../contract/helper-input.ts";
import type { ModelInput } from "../contract/run-record.ts";
import type { Proposal, Turn } from "../contract/turn.ts";
import { ModelError, UsageError } from "../errors.ts";
import { type OpenaiChat, openaiChat } from "./openai-chat.ts";
import type { OpenaiChatRequest } from "./openai-wire.ts";

type Messages = OpenAI.Chat.Completions.ChatCompletionMessageParam[];

const call = (callId: string, args = "{}", more = {}): Proposal => ({
  kind: "tool-call",
  callId,
  name: "lookup",
  args,
  ...more,
});
const turnOf = (...proposals: Proposal[]): Turn => ({ proposals, stop: "tool-calls" });

/** A run that plays these turns and keeps what it was given. */
function runOf(turns: readonly (Turn | Error)[], names: readonly string[] = ["lookup"]) {
  const inputs: ModelInput[] = [];
  const run: TestRun = {
    tools: names.map((name) => ({ name }) as Tool),
    skills: ["refunds"],
    maxSteps: 8,
    signal: new AbortController().signal,
    nextTurn: async (input = {}) => {
      const turn = turns[inputs.push(input) - 1] ?? { proposals: [], stop: "end" };
      if (turn instanceof Error) throw turn;
      return turn;
    },
    requestApproval: async () => false,
    toolCalled: async () => "done",
  };
  return { run, inputs };
}

async function allOf<Event>(stream: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

async function replyTo(turn: Turn) {
  const { choices } = await openaiChat(runOf([turn]).run).chat.completions.create({ model: "m", messages: [] });
  return { message: choices[0]!.message, finish: choices[0]!.finish_reason };
}

describe("openai-chat", () => {
  it("gives a reply with ids, names and argument text as the model wrote them", async () => {
    const reply = await openaiChat(runOf([turnOf(call("a", '{"x":'), call("b"))]).run).chat.completions.create({
      model: "m",
      messages: [{ role: "user" }],
    });
    expect(reply).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 0,
      model: "m",
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          logprobs: null,
          message: {
            role: "assistant",
            content: null,
            refusal: null,
            tool_calls: [
              { id: "a", type: "function", function: { name: "lookup", arguments: '{"x":' } },
              { id: "b", type: "function", function: { name: "lookup", arguments: "{}" } },
            ],
          },
        },
      ],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    });
  });

  it("says why the turn stopped, and has no calls where there are none", async () => {
    const text: Proposal = { kind: "text", text: "Hi" };
    expect(await replyTo({ proposals: [text, text], stop: "end" })).toEqual({
      message: { role: "assistant", content: "Hi\nHi", refusal: null },
      finish: "stop",
    });
    expect((await replyTo({ proposals: [text, call("a")], stop: "length" })).finish).toBe("length");
    expect((await replyTo({ proposals: [call("a")], stop: "end" })).finish).toBe("stop");
    expect((await replyTo(turnOf(text))).finish).toBe("stop");
    expect((await replyTo(turnOf())).message.content).toBeNull();
  });

  it("puts extra fields beside the function and beside its arguments, and overrides nothing", async () => {
    const extra = Object.fromEntries([
      ["approved", true],
      ["name", "refund"],
      ["id", "x"],
      ["arguments", "{}"],
      ["__proto__", { admin: 1 }],
    ]);
    const { message } = await replyTo(turnOf(call("a", "{}", { extra: { ...extra, function: {}, type: "custom" } })));
    expect(JSON.stringify(message.tool_calls)).toBe(
      '[{"approved":true,"__proto__":{"admin":1},"id":"a","type":"function",' +
        '"function":{"approved":true,"__proto__":{"admin":1},"name":"lookup","arguments":"{}"}}]',
    );
  });

  it("loads a skill by a tool call, by the loop's own one where it is given", async () => {
    const load = turnOf({ kind: "load-skill", callId: "a", skill: "refunds" });
    expect((await replyTo(load)).message.tool_calls).toEqual([
      { id: "a", type: "function", function: { name: "load_skill", arguments: '{"skill":"refunds"}' } },
    ]);
    const loadSkill = (skill: string) => ({ name: `use_${skill}`, arguments: {} });
    const { run, inputs } = runOf([load]);
    const tools = ["lookup", "use_refunds"].map((name) => ({ type: "function", function: { name } }));
    const reply = await openaiChat(run, { loadSkill }).chat.completions.create({ model: "m", messages: [], tools });
    expect(reply.choices[0]!.message.tool_calls![0]!.function).toEqual({ name: "use_refunds", arguments: "{}" });
    expect(inputs[0]!.menu).toEqual(["lookup"]);
  });

  it("reads the new results and the menu off each request", async () => {
    const { run, inputs } = runOf([turnOf(call("a"), call("b")), turnOf(call("c"))], ["lookup", "load_skill"]);
    const client = openaiChat(run);
    const tools = ["lookup", "load_skill"].map((name) => ({ type: "function" as const, function: { name } }));
    const messages: Messages = [{ role: "user", content: "Hi" }];
    const ask = async () => {
      const { choices } = await client.chat.completions.create({ model: "m", messages, tools });
      messages.push(choices[0]!.message);
    };
    await ask();
    messages.push({ role: "tool", tool_call_id: "a", content: "one" });
    messages.push({
      role: "tool",
      tool_call_id: "b",
      content: [
        { type: "text", text: "t" },
        { type: "text", text: "wo" },
      ],
    });
    await ask();
    messages.push({ role: "tool", tool_call_id: "c", content: "three" });
    await ask();
    expect(inputs.map(({ results }) => results)).toEqual([
      [],
      [
        { callId: "a", text: "one" },
        { callId: "b", text: "two" },
      ],
      [{ callId: "c", text: "three" }],
    ]);
    expect(inputs.map(({ menu }) => menu)).toEqual(Array(3).fill(["lookup", "load_skill"]));
    expect(inputs.every(isMadeByHelper)).toBe(true);
  });

  it("lets a failing model request through, and takes no step for it", async () => {
    const { run } = runOf([new ModelError("rate-limit"), turnOf(call("a"))]);
    const { create } = openaiChat(run).chat.completions;
    await expect(create({ model: "m", messages: [] })).rejects.toThrow(ModelError);
    expect((await create({ model: "m", messages: [] })).id).toBe("chatcmpl-1");
  });

  it("streams the same reply: id and name first, then the arguments in pieces, then why it stopped", async () => {
    const turn = turnOf(
      { kind: "text", text: "Looking." },
      call("a", '{"order":"A-1"}', { extra: { approved: true } }),
    );
    const { run, inputs } = runOf([turn]);
    const stream = await openaiChat(run).chat.completions.create({ model: "m", messages: [], stream: true });
    expect(inputs).toHaveLength(1);
    const chunks = await allOf(stream);
    expect(new Set(chunks.map((chunk) => `${chunk.id} ${chunk.object} ${chunk.model}`))).toEqual(
      new Set(["chatcmpl-1 chat.completion.chunk m"]),
    );
    const deltas = chunks.map(({ choices }) => choices[0]!.delta);
    expect(deltas[0]).toEqual({ role: "assistant", content: "", refusal: null });
    expect(deltas.map(({ content }) => content ?? "").join("")).toBe("Looking.");
    const pieces = deltas.flatMap((delta) => delta.tool_calls ?? []);
    expect(pieces[0]).toEqual({
      index: 0,
      approved: true,
      id: "a",
      type: "function",
      function: { approved: true, name: "lookup", arguments: "" },
    });
    expect(pieces.slice(1).every((piece) => Object.keys(piece).join() === "index,function")).toBe(true);
    expect(pieces.map((piece) => piece.function.arguments).join("")).toBe('{"order":"A-1"}');
    expect(chunks.map(({ choices }) => choices[0]!.finish_reason).filter(Boolean)).toEqual(["tool_calls"]);
    expect(chunks.at(-1)).not.toHaveProperty("usage");
  });

  it("streams the usage last, where it was asked for", async () => {
    const request = { model: "m", messages: [], stream: true, stream_options: { include_usage: true } } as const;
    const chunks = await allOf(await openaiChat(runOf([turnOf(call("a"))]).run).chat.completions.create(request));
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 0 } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
  });

  it("ends a stream where the request's own signal aborts, without an error", async () => {
    const own = new AbortController();
    const request = { model: "m", messages: [], stream: true } as const;
    const client = openaiChat(runOf([turnOf(call("a"), call("b"))]).run);
    const stream = await client.chat.completions.create(request, { signal: own.signal });
    own.abort();
    expect(await allOf(stream)).toEqual([]);
  });

  it("says in a sentence that it is no more than it is", () => {
    const { run, inputs } = runOf([]);
    const client = openaiChat<OpenAI>(run);
    expect(() => client.responses.create).toThrow(UsageError);
    expect(() => client.chat.completions.stream).toThrow(
      "Expected the loop to use `openaiChat(run).chat.completions.create` only, got `openaiChat(run).chat.completions.stream`. " +
        "Do give the loop the official client itself, made with `fetch: openaiFetch(run)`.",
    );
    expect(inputs).toEqual([]);
  });

  it.each([
    ["rate-limit", OpenAI.RateLimitError],
    ["overloaded", OpenAI.InternalServerError],
    ["timeout", OpenAI.APIConnectionTimeoutError],
    ["connection", OpenAI.APIConnectionError],
  ] as const)("fails by the official client's own error: %s", async (failure, Expected) => {
    for (const stream of [false, true]) {
      const client = openaiChat(runOf([new ModelError(failure)]).run, { errors: OpenAI });
      const request = client.chat.completions.create({ model: "m", messages: [], stream });
      await expect(request).rejects.toBeInstanceOf(Expected);
    }
  });

  it("aborts by the official client's own error", async () => {
    const client = openaiChat(runOf([]).run, { errors: OpenAI });
    const request = client.chat.completions.create({ model: "m", messages: [] }, { signal: AbortSignal.abort() });
    await expect(request).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
  });

  it("makes no request once the caller's own signal has aborted", async () => {
    const { run, inputs } = runOf([]);
    const request = openaiChat(run).chat.completions.create(
      { model: "m", messages: [] },
      { signal: AbortSignal.abort() },
    );
    await expect(request).rejects.toThrow("aborted");
    expect(inputs).toEqual([]);
  });

  it("fits the official client's types", () => {
    interface PlainChat {
      chat: {
        completions: {
          create(
            body: OpenAI.Chat.ChatCompletionCreateParamsNonStreaming,
            options?: OpenAI.RequestOptions,
          ): PromiseLike<OpenAI.Chat.ChatCompletion>;
        };
      };
    }
    interface StreamingChat {
      chat: {
        completions: {
          create(
            body: OpenAI.Chat.ChatCompletionCreateParamsStreaming,
            options?: OpenAI.RequestOptions,
          ): PromiseLike<AsyncIterable<OpenAI.Chat.ChatCompletionChunk> & { controller: AbortController }>;
        };
      };
    }
    expectTypeOf<OpenAI>().toExtend<StreamingChat>();
    expectTypeOf<OpenaiChat>().toExtend<StreamingChat>();
    expectTypeOf<OpenAI>().toExtend<PlainChat>();
    expectTypeOf<OpenaiChat>().toExtend<PlainChat>();
    expectTypeOf<OpenAI.Chat.ChatCompletionCreateParams>().toExtend<OpenaiChatRequest>();
    const loop = (client: Pick<OpenAI, "chat">) => typeof client.chat.completions.create;
    expect(loop(openaiChat(runOf([]).run))).toBe("function");
    expectTypeOf(openaiChat(runOf([]).run)).toEqualTypeOf<OpenaiChat>();
    expectTypeOf<ReturnType<typeof openaiChat>>().toEqualTypeOf<OpenaiChat>();
  });
});
