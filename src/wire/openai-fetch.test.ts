import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { Proposal, Turn } from "../contract/turn.ts";
import { ModelError, PastBudgetError } from "../errors.ts";
import { openaiFetch } from "./openai-fetch.ts";
import { call as lookupCall, runOf, turnOf } from "./run-of-turns.test-kit.ts";

const call = (callId: string, args = "{}"): Proposal => lookupCall(callId, "lookup", args);

/** The real client over a run that plays these turns. */
function clientOf(turns: readonly (Turn | Error)[], maxRetries = 0) {
  const { run, inputs } = runOf({ turns });
  return { client: new OpenAI({ apiKey: "none", fetch: openaiFetch(run), maxRetries }), inputs };
}

const request = { model: "m", messages: [] };

describe("openai-fetch", () => {
  it("answers the official client, plain and by its stream helper", async () => {
    const turn = turnOf({ kind: "text", text: "Looking." }, call("a", '{"order":"Ä-1 😀"}'));
    const plain = await clientOf([turn]).client.chat.completions.create(request);
    const streamed = await clientOf([turn]).client.chat.completions.stream(request).finalChatCompletion();
    expect(streamed.choices[0]!.message).toMatchObject(plain.choices[0]!.message);
    expect(streamed.choices[0]!.finish_reason).toBe("tool_calls");
  });

  it("carries the client's tool runner through a run, results and menu told", async () => {
    const { client, inputs } = clientOf([turnOf(call("a", '{"order":"A-1"}'))]);
    const ran: unknown[] = [];
    const lookup = {
      type: "function",
      function: {
        name: "lookup",
        description: "Looks an order up.",
        parameters: {},
        parse: (text: string): unknown => JSON.parse(text),
        function: (args: unknown) => ran.push(args),
      },
    } as const;
    await client.chat.completions.runTools({ ...request, tools: [lookup] }).done();
    expect(ran).toEqual([{ order: "A-1" }]);
    expect(inputs).toEqual([
      { results: [], menu: ["lookup"] },
      { results: [{ callId: "a", text: "1" }], menu: ["lookup"] },
    ]);
  });

  it.each([
    ["rate-limit", OpenAI.RateLimitError],
    ["overloaded", OpenAI.InternalServerError],
    ["timeout", OpenAI.APIConnectionTimeoutError],
    ["connection", OpenAI.APIConnectionError],
  ] as const)("fails by the client's own error: %s", async (failure, Expected) => {
    for (const stream of [false, true]) {
      const { client } = clientOf([new ModelError(failure)]);
      const error = await client.chat.completions.create({ ...request, stream }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Expected);
      expect((error as Error).constructor).toBe(Expected);
    }
  });

  it("lets the client try again by itself, each try one failure of the script", async () => {
    const failures = [new ModelError("rate-limit"), new ModelError("overloaded")];
    const { client, inputs } = clientOf([...failures, turnOf(call("a"))], 2);
    expect((await client.chat.completions.create(request)).choices[0]!.message.tool_calls).toHaveLength(1);
    expect(inputs).toHaveLength(3);
  });

  it("keeps the kit's own refusals to be known as such", async () => {
    const past = new PastBudgetError(3);
    await expect(clientOf([past]).client.chat.completions.create(request)).rejects.toHaveProperty("cause", past);
    const abort = new DOMException("aborted", "AbortError");
    const error = await clientOf([abort])
      .client.chat.completions.create(request)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ cause: { cause: abort } });
  });

  it("aborts with the request's own signal: before it is sent, and while its stream is read", async () => {
    const { client, inputs } = clientOf([turnOf(call("a"), call("b"))]);
    const aborted = client.chat.completions.create(request, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(inputs).toEqual([]);
    const stream = await client.chat.completions.create({ ...request, stream: true });
    const read: unknown[] = [];
    for await (const chunk of stream) {
      read.push(chunk);
      stream.controller.abort();
    }
    expect(read.length).toBeLessThan(5);
  });

  it("answers any other request with a sentence", async () => {
    const { client, inputs } = clientOf([]);
    const asked = client.responses.create({ model: "m", input: "Hi" });
    await expect(asked).rejects.toThrow(
      "400 Expected the loop to ask openaiFetch(run) for `/chat/completions` only, got `/v1/responses`.",
    );
    expect(inputs).toEqual([]);
  });

  it("answers a plain fetch, of a request object too", async () => {
    const { client } = clientOf([turnOf(call("a"))]);
    const { fetch } = client as unknown as { fetch: typeof globalThis.fetch };
    const body = JSON.stringify(request);
    const reply = await fetch(new Request("http://model.invalid/v1/chat/completions", { method: "POST", body }));
    expect(await reply.json()).toMatchObject({ id: "chatcmpl-1" });
  });

  it("knows a call without an id again by the one that the client's helpers give it", async () => {
    const { client, inputs } = clientOf([turnOf(call("a"), call("", "[1]")), turnOf(call(""))]);
    const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [];
    for (let step = 0; step < 3; step += 1) {
      const [choice] = (await client.chat.completions.stream({ ...request, messages }).finalChatCompletion()).choices;
      messages.push(choice!.message);
      for (const { id } of choice!.message.tool_calls ?? []) {
        expect(id).not.toBe("");
        messages.push({ role: "tool", tool_call_id: id, content: `step ${step}` });
      }
    }
    expect(inputs.map(({ results }) => results)).toEqual([
      [],
      [
        { callId: "a", text: "step 0" },
        { callId: "", text: "step 0" },
      ],
      [{ callId: "", text: "step 1" }],
    ]);
  });
});
