import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { describe, expect, it } from "vitest";
import type { Proposal, Turn } from "../contract/turn.ts";
import { ModelError } from "../errors.ts";
import { anthropicFetch } from "./anthropic-fetch.ts";
import { call as lookupCall, runOf, turnOf } from "./run-of-turns.test-kit.ts";

const call = (callId: string, args = "{}", more = {}): Proposal => lookupCall(callId, "lookup", args, more);

/** The real client over a run that plays these turns. */
function clientOf(turns: readonly (Turn | Error)[], maxRetries = 0) {
  const { run, inputs } = runOf({ turns });
  return { client: new Anthropic({ apiKey: "none", fetch: anthropicFetch(run), maxRetries }), inputs };
}

const request = { model: "m", max_tokens: 9, messages: [{ role: "user" as const, content: "Hi" }] };

describe("anthropic-fetch", () => {
  it("answers the official client, plain and by its stream helper", async () => {
    const turn = turnOf({ kind: "text", text: "Looking." }, call("a", '{"order":"Ä-1 😀"}'));
    const plain = await clientOf([turn]).client.messages.create(request);
    const streamed = await clientOf([turn]).client.messages.stream(request).finalMessage();
    expect(plain.content[1]).toMatchObject({ type: "tool_use", input: { order: "Ä-1 😀" } });
    expect(JSON.parse(JSON.stringify(streamed.content))).toEqual(plain.content);
    expect([streamed.stop_reason, plain.stop_reason]).toEqual(["tool_use", "tool_use"]);
  });

  it("sends argument text as it was written, so that it arrives as it would be read there", async () => {
    for (const args of [
      '{"n":1e400,"z":-0}',
      ' { "a" : 1, "a" : 2 } ',
      '{"__proto__":{"admin":true}}',
      '"text"',
      "{",
    ]) {
      const [block] = (await clientOf([turnOf(call("a", args))]).client.messages.create(request)).content;
      const expected: unknown = args === "{" ? args : JSON.parse(args);
      expect(block).toMatchObject({ type: "tool_use", id: "a" });
      expect(block!.type === "tool_use" && block.input).toStrictEqual(expected);
    }
  });

  it("carries the client's tool runner through a run, results and menu told", async () => {
    const { client, inputs } = clientOf([turnOf(call("a", '{"order":"A-1"}')), turnOf(call("a"))]);
    const ran: unknown[] = [];
    const lookup = betaTool({
      name: "lookup",
      description: "",
      inputSchema: { type: "object", properties: { order: { type: "string" } } },
      run: (args: unknown) => `${ran.push(args)}`,
    });
    await client.beta.messages.toolRunner({ ...request, tools: [lookup] });
    expect(ran).toEqual([{ order: "A-1" }, {}]);
    expect(inputs).toEqual([
      { results: [], menu: ["lookup"] },
      { results: [{ callId: "a", text: "1" }], menu: ["lookup"] },
      { results: [{ callId: "a", text: "2" }], menu: ["lookup"] },
    ]);
  });

  it.each([
    ["rate-limit", Anthropic.RateLimitError, 429],
    ["overloaded", Anthropic.APIError, 529],
    ["timeout", Anthropic.APIConnectionTimeoutError, undefined],
    ["connection", Anthropic.APIConnectionError, undefined],
  ] as const)("fails by the client's own error: %s", async (failure, Expected, status) => {
    for (const stream of [false, true]) {
      const { client } = clientOf([new ModelError(failure)]);
      const error = await client.messages.create({ ...request, stream }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Expected);
      expect(error).toHaveProperty("status", status);
    }
  });

  it("lets the client try again by itself, each try one failure of the script", async () => {
    const failures = [new ModelError("rate-limit"), new ModelError("overloaded")];
    const { client, inputs } = clientOf([...failures, turnOf(call("a"))], 2);
    expect((await client.messages.create(request)).content).toHaveLength(1);
    expect(inputs).toHaveLength(3);
  });

  it("answers any other request with a sentence", async () => {
    const { client } = clientOf([]);
    await expect(client.messages.countTokens(request)).rejects.toThrow(
      "Expected the loop to ask anthropicFetch(run) for `/messages` only, got `/v1/messages/count_tokens`.",
    );
  });
});
