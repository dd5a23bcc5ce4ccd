import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { TestRun, Tool } from "../contract/harness.ts";
import { isMadeByHelper } from "../contract/helper-input.ts";
import type { ModelInput } from "../contract/run-record.ts";
import type { Proposal, Turn } from "../contract/turn.ts";
import { UsageError } from "../errors.ts";
import { type AnthropicMessages, type AnthropicMessagesRequest, anthropicMessages } from "./anthropic-messages.ts";

const call = (callId: string, args = "{}", more = {}): Proposal => ({
  kind: "tool-call",
  callId,
  name: "lookup",
  args,
  ...more,
});
const turnOf = (...proposals: Proposal[]): Turn => ({ proposals, stop: "tool-calls" });

/** A run that plays these turns and keeps what it was given. */
function runOf(turns: readonly Turn[]) {
  const inputs: ModelInput[] = [];
  const run: TestRun = {
    tools: [{ name: "lookup" } as Tool],
    skills: ["refunds"],
    maxSteps: 8,
    signal: new AbortController().signal,
    nextTurn: async (input = {}) => turns[inputs.push(input) - 1] ?? { proposals: [], stop: "end" },
    requestApproval: async () => false,
    toolCalled: async () => "done",
  };
  return { run, inputs };
}

function replyTo(turn: Turn) {
  return anthropicMessages(runOf([turn]).run).messages.create({ model: "m", messages: [] });
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

  it("refuses to stream, and to be more than it is, in a sentence", async () => {
    const client = anthropicMessages<Anthropic>(runOf([]).run);
    const request = client.messages.create({ model: "m", max_tokens: 9, messages: [], stream: true });
    await expect(request).rejects.toThrow("Do let the loop ask anthropicMessages for plain replies.");
    expect(() => client.beta).toThrow(UsageError);
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
    expectTypeOf<Anthropic>().toExtend<PlainMessages>();
    expectTypeOf<AnthropicMessages>().toExtend<PlainMessages>();
    expectTypeOf<Anthropic.MessageCreateParams>().toExtend<AnthropicMessagesRequest>();
    const loop = (client: Pick<Anthropic, "messages">) => typeof client.messages.create;
    expect(loop(anthropicMessages(runOf([]).run))).toBe("function");
    expectTypeOf(anthropicMessages(runOf([]).run)).toEqualTypeOf<AnthropicMessages>();
    expectTypeOf<ReturnType<typeof anthropicMessages>>().toEqualTypeOf<AnthropicMessages>();
  });
});
