import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { TestRun, Tool } from "../contract/harness.ts";
import { isMadeByHelper } from "../contract/helper-input.ts";
import type { ModelInput } from "../contract/run-record.ts";
import type { Proposal, Turn } from "../contract/turn.ts";
import { ModelError, UsageError } from "../errors.ts";
import { type AnthropicMessages, anthropicMessages } from "./anthropic-messages.ts";
import type { AnthropicEvent, AnthropicMessagesRequest } from "./anthropic-wire.ts";

const call = (callId: string, args = "{}", more = {}): Proposal => ({
  kind: "tool-call",
  callId,
  name: "lookup",
  args,
  ...more,
});
const turnOf = (...proposals: Proposal[]): Turn => ({ proposals, stop: "tool-calls" });

/** A run that plays these turns and keeps what it was given. */
function runOf(turns: readonly (Turn | Error)[]) {
  const inputs: ModelInput[] = [];
  const run: TestRun = {
    tools: [{ name: "lookup" } as Tool],
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

function replyTo(turn: Turn) {
  return anthropicMessages(runOf([turn]).run).messages.create({ model: "m", messages: [] });
}

async function allOf<Event>(stream: AsyncIterable<Event>): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The pieces of one block. */
function piecesIn(events: readonly AnthropicEvent[], index: number): string[] {
  return events.flatMap((event) => {
    if (event.type !== "content_block_delta" || event.index !== index) return [];
    return [event.delta.type === "text_delta" ? event.delta.text : event.delta.partial_json];
  });
}

async function inputOf(args: string): Promise<unknown> {
  const block = (await replyTo(turnOf(call("a", args)))).content[0]!;
  return block.type === "tool_use" ? block.input : undefined;
}

describe("anthropic-messages", () => {
  it("gives texts and calls in the order of the turn", async () => {
    const reply = await replyTo(turnOf({ kind: "text", text: "Looking." }, call("a", '{"order":"A-1"}')));
    expect(reply.content).toEqual([
      { type: "text", text: "Looking.", citations: null },
      { type: "tool_use", id: "a", name: "lookup", input: { order: "A-1" }, caller: { type: "direct" } },
    ]);
    expect([reply.id, reply.role, reply.stop_reason, reply.stop_sequence]).toEqual([
      "msg_1",
      "assistant",
      "tool_use",
      null,
    ]);
  });

  it("says why the turn stopped", async () => {
    expect((await replyTo({ proposals: [call("a")], stop: "length" })).stop_reason).toBe("max_tokens");
    expect((await replyTo({ proposals: [call("a")], stop: "end" })).stop_reason).toBe("end_turn");
    expect((await replyTo(turnOf({ kind: "text", text: "Hm" }))).stop_reason).toBe("end_turn");
  });

  it("keeps odd keys, and any JSON value as it is", async () => {
    expect(JSON.stringify(await inputOf('{"__proto__":{"admin":true},"constructor":1}'))).toBe(
      '{"__proto__":{"admin":true},"constructor":1}',
    );
    expect([await inputOf("null"), await inputOf("[1]"), await inputOf('"{}"')]).toEqual([null, [1], "{}"]);
  });

  it("never makes an object of text that is not JSON", async () => {
    for (const args of ["", '{"order":', "```json\n{}\n```", "{}{}", "\uFEFF{}"])
      expect(await inputOf(args)).toBe(args);
  });

  it("puts extra fields beside the input, and overrides nothing", async () => {
    const extra = { approved: true, name: "refund", id: "x", input: {}, type: "text", caller: {} };
    expect((await replyTo(turnOf(call("a", "{}", { extra })))).content).toEqual([
      { approved: true, type: "tool_use", id: "a", name: "lookup", input: {}, caller: { type: "direct" } },
    ]);
  });

  it("loads a skill by a tool call", async () => {
    const reply = await replyTo(turnOf({ kind: "load-skill", callId: "a", skill: "refunds" }));
    expect(reply.content[0]).toMatchObject({
      type: "tool_use",
      id: "a",
      name: "load_skill",
      input: { skill: "refunds" },
    });
  });

  it("reads the new results, with their error flag, and the menu", async () => {
    const { run, inputs } = runOf([turnOf(call("a"), call("b"))]);
    const client = anthropicMessages(run);
    const tools: Anthropic.ToolUnion[] = ["lookup", "load_skill"].map((name) => ({
      name,
      input_schema: { type: "object" },
    }));
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "Hi" }];
    const { content } = await client.messages.create({ model: "m", messages, tools });
    messages.push({ role: "assistant", content });
    messages.push({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "one" }] },
        { type: "tool_result", tool_use_id: "b", content: "no", is_error: true },
        { type: "text", text: "go on" },
      ],
    });
    await client.messages.create({ model: "m", messages, tools });
    expect(inputs).toEqual([
      { results: [], menu: ["lookup"] },
      {
        results: [
          { callId: "a", text: "one" },
          { callId: "b", text: "no", isError: true },
        ],
        menu: ["lookup"],
      },
    ]);
    expect(inputs.every(isMadeByHelper)).toBe(true);
  });

  it("streams the same reply: id and name first, then the input in pieces, then why it stopped", async () => {
    const args = '{"order":"A-1"}';
    const turn = turnOf({ kind: "text", text: "Looking." }, call("a", args, { extra: { approved: true } }));
    const request = { model: "m", messages: [], stream: true } as const;
    const events = await allOf(await anthropicMessages(runOf([turn]).run).messages.create(request));
    const plain = await replyTo(turn);
    expect(events[0]).toEqual({ type: "message_start", message: { ...plain, content: [], stop_reason: null } });
    expect(events.flatMap((event) => (event.type === "content_block_start" ? [event.content_block] : []))).toEqual([
      { type: "text", text: "", citations: null },
      { ...plain.content[1], input: {} },
    ]);
    expect(piecesIn(events, 0).join("")).toBe("Looking.");
    expect(piecesIn(events, 1)[0]).toBe("");
    expect(piecesIn(events, 1).join("")).toBe(args);
    expect(events.slice(-3).map(({ type }) => type)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use", stop_sequence: null } });
  });

  it("streams argument text that is not JSON as it was written", async () => {
    for (const args of ["", '{"order":', "```json\n{}\n```", '{"a":1,"a":2}', "[1]"]) {
      const request = { model: "m", messages: [], stream: true } as const;
      const stream = await anthropicMessages(runOf([turnOf(call("a", args))]).run).messages.create(request);
      expect(piecesIn(await allOf(stream), 0).join("")).toBe(args);
    }
  });

  it("says in a sentence that it is no more than it is", () => {
    const client = anthropicMessages<Anthropic>(runOf([]).run);
    expect(() => client.beta).toThrow(UsageError);
    expect(() => client.messages.stream).toThrow("made with `fetch: anthropicFetch(run)`.");
  });

  it.each([
    ["rate-limit", Anthropic.RateLimitError],
    ["overloaded", Anthropic.APIError],
    ["timeout", Anthropic.APIConnectionTimeoutError],
    ["connection", Anthropic.APIConnectionError],
  ] as const)("fails by the official client's own error: %s", async (failure, Expected) => {
    for (const stream of [false, true]) {
      const client = anthropicMessages(runOf([new ModelError(failure)]).run, { errors: Anthropic });
      await expect(client.messages.create({ model: "m", messages: [], stream })).rejects.toBeInstanceOf(Expected);
    }
  });

  it("fits the official client's types", () => {
    interface PlainMessages {
      messages: {
        create(
          body: Anthropic.MessageCreateParamsNonStreaming,
          options?: Anthropic.RequestOptions,
        ): PromiseLike<Anthropic.Message>;
      };
    }
    interface StreamingMessages {
      messages: {
        create(
          body: Anthropic.MessageCreateParamsStreaming,
          options?: Anthropic.RequestOptions,
        ): PromiseLike<AsyncIterable<Anthropic.RawMessageStreamEvent> & { controller: AbortController }>;
      };
    }
    expectTypeOf<Anthropic>().toExtend<StreamingMessages>();
    expectTypeOf<AnthropicMessages>().toExtend<StreamingMessages>();
    expectTypeOf<Anthropic>().toExtend<PlainMessages>();
    expectTypeOf<AnthropicMessages>().toExtend<PlainMessages>();
    expectTypeOf<Anthropic.MessageCreateParams>().toExtend<AnthropicMessagesRequest>();
    const loop = (client: Pick<Anthropic, "messages">) => typeof client.messages.create;
    expect(loop(anthropicMessages(runOf([]).run))).toBe("function");
    expectTypeOf(anthropicMessages(runOf([]).run)).toEqualTypeOf<AnthropicMessages>();
    expectTypeOf<ReturnType<typeof anthropicMessages>>().toEqualTypeOf<AnthropicMessages>();
  });
});
