import { type Content, type FunctionCall, type GenerateContentResponse, GoogleGenAI, type Part } from "@google/genai";
import { describe, expect, it } from "vitest";
import type { Proposal, Turn } from "../contract/turn.ts";
import { ModelError } from "../errors.ts";
import { googleGenaiFetch } from "./google-genai-fetch.ts";
import { call as lookupCall, runOf, turnOf } from "./run-of-turns.test-kit.ts";

const call = (callId: string, args = "{}", name = "lookup"): Proposal => lookupCall(callId, name, args);
const say = (text: string): Proposal => ({ kind: "text", text });

/** The real client over a run that plays these turns. */
function clientOf(turns: readonly (Turn | Error)[]) {
  const { run, inputs } = runOf({ turns, skills: ["billing"] });
  const ai = new GoogleGenAI({ apiKey: "none", vertexai: false, httpOptions: { fetch: googleGenaiFetch(run) } });
  return { ai, inputs };
}

const model = "gemini-flash-latest";
const hello: Content = { role: "user", parts: [{ text: "Hi" }] };

async function plainReply(...turns: Turn[]): Promise<GenerateContentResponse> {
  return clientOf(turns).ai.models.generateContent({ model, contents: "Hi" });
}

/** The chunks of the last of these turns. */
async function chunksOf(...turns: Turn[]): Promise<GenerateContentResponse[]> {
  const { ai } = clientOf(turns);
  let chunks: GenerateContentResponse[] = [];
  for (const _ of turns) {
    chunks = [];
    for await (const chunk of await ai.models.generateContentStream({ model, contents: "Hi" })) chunks.push(chunk);
  }
  return chunks;
}

function partsIn(replies: readonly GenerateContentResponse[]): readonly Part[] {
  return replies.flatMap((reply) => reply.candidates?.[0]?.content?.parts ?? []);
}

function callsIn(replies: readonly GenerateContentResponse[]): readonly FunctionCall[] {
  return partsIn(replies).flatMap(({ functionCall }) => functionCall ?? []);
}

/** What the model is told of a conversation that goes on with these contents, after a turn with these calls. */
async function resultsIn(calls: readonly Proposal[], contents: readonly Content[]) {
  const { ai, inputs } = clientOf([turnOf(...calls)]);
  const first = await ai.models.generateContent({ model, contents: [hello] });
  const reply = first.candidates?.[0]?.content ?? hello;
  await ai.models.generateContent({ model, contents: [hello, reply, ...contents] });
  return inputs[1]?.results;
}

const responses = (...functionResponses: (Part["functionResponse"] & {})[]): Content => ({
  role: "user",
  parts: functionResponses.map((functionResponse) => ({ functionResponse })),
});

describe("google-genai-fetch", () => {
  it("answers the official client, plain and streamed", async () => {
    const turn = turnOf(say("Looking it up for you."), call("a", '{"order":"Ä-1 😀"}'), call("b"));
    const plain = [await plainReply(turn)];
    const expected = [
      { id: "a", name: "lookup", args: { order: "Ä-1 😀" } },
      { id: "b", name: "lookup", args: {} },
    ];
    expect(callsIn(plain)).toEqual(expected);
    for (const before of [0, 1, 2, 3]) {
      const streamed = await chunksOf(...Array.from({ length: before }, () => turnOf()), turn);
      expect(callsIn(streamed)).toEqual(expected);
      expect(
        partsIn(streamed)
          .map(({ text = "" }) => text)
          .join(""),
      ).toBe("Looking it up for you.");
    }
  });

  it("streams calls in one chunk or in chunks of their own, and says why it stopped in the last one", async () => {
    const turn = turnOf(call("a"), call("b"));
    const chunks = await Promise.all([0, 1, 2, 3].map((before) => chunksOf(...Array(before).fill(turnOf()), turn)));
    const shapes = chunks.map((replies) => replies.map((reply) => callsIn([reply]).length));
    expect(shapes).toEqual([[2], [1, 1, 0], [2, 0], [1, 1]]);
    for (const replies of chunks) {
      const reasons = replies.map((reply) => reply.candidates?.[0]?.finishReason);
      expect(reasons).toEqual([...Array(replies.length - 1).fill(undefined), "STOP"]);
    }
  });

  it("sends argument text as it was written, so that it arrives as it would be read there", async () => {
    const texts = [
      '{\n\n"a":\r\n\r\n1}',
      '{"a":"\ud83d","b":"😀"}',
      '{"n":1e400,"z":-0}',
      ' { "a" : 1, "a" : 2 } ',
      '{"__proto__":{"admin":true}}',
      "[1]",
      "null",
      '"x"',
    ];
    for (const args of texts) {
      for (const replies of [[await plainReply(turnOf(call("a", args)))], await chunksOf(turnOf(call("a", args)))]) {
        expect(callsIn(replies)[0]?.args).toEqual(JSON.parse(args));
      }
    }
    expect(callsIn([await plainReply(turnOf(call("a", "{")))])[0]?.args).toBe("{");
    expect(callsIn([await plainReply(turnOf(call("a", "")))])).toEqual([{ id: "a", name: "lookup" }]);
  });

  it("leaves an empty id out, and puts extra fields beside the arguments", async () => {
    const extra = { approved: true, id: "other", args: { order: "B" }, name: "other" };
    const proposal: Proposal = { kind: "tool-call", callId: "", name: "lookup", args: "{}", extra };
    expect(callsIn([await plainReply(turnOf(proposal))])).toEqual([{ approved: true, name: "lookup", args: {} }]);
  });

  it("says that a turn was cut off, and what an empty one is", async () => {
    const cutOff = await plainReply({ proposals: [call("a")], stop: "length" });
    expect(cutOff.candidates?.[0]?.finishReason).toBe("MAX_TOKENS");
    const empty = await plainReply({ proposals: [], stop: "end" });
    expect(empty.candidates?.[0]).toMatchObject({ content: { role: "model" }, finishReason: "STOP" });
    expect(partsIn([empty])).toEqual([]);
  });

  it("reads outputs, errors and whole objects from the parts that answer", async () => {
    const results = await resultsIn(
      [call("a"), call("b"), call("c"), call("d"), call("e")],
      [
        responses(
          { id: "a", name: "lookup", response: { output: "done" } },
          { id: "b", name: "lookup", response: { error: "no such order" } },
          { id: "c", name: "lookup", response: { total: 3 } },
          { id: "d", name: "lookup", response: { content: [{ type: "text", text: "sent" }] } },
          {
            id: "e",
            name: "lookup",
            response: { error: { content: [{ type: "text", text: "failed" }], isError: true } },
          },
        ),
      ],
    );
    expect(results).toEqual([
      { callId: "a", text: "done" },
      { callId: "b", text: "no such order", isError: true },
      { callId: "c", text: '{"total":3}' },
      { callId: "d", text: "sent" },
      { callId: "e", text: "failed", isError: true },
    ]);
  });

  it("takes a result without an id for the first call of its name that has none yet", async () => {
    const results = await resultsIn(
      [call("a"), call("b", "{}", "refund"), call("c")],
      [
        responses(
          { name: "lookup", response: { output: "1" } },
          { name: "lookup", response: { output: "2" } },
          { name: "refund", response: { output: "3" } },
          { name: "lookup", response: { output: "4" } },
        ),
      ],
    );
    expect(results?.map(({ callId, text }) => callId + text)).toEqual(["a1", "c2", "b3", "4"]);
  });

  it("takes the pieces of a streamed reply for one reply", async () => {
    const piece = (name: string, id: string): Content => ({ role: "model", parts: [{ functionCall: { id, name } }] });
    const { ai, inputs } = clientOf([turnOf(call("a"), call("b"))]);
    await ai.models.generateContent({ model, contents: [hello] });
    const answers = responses(
      { name: "lookup", response: { output: "1" } },
      { name: "lookup", response: { output: "2" } },
    );
    await ai.models.generateContent({ model, contents: [hello, piece("lookup", "a"), piece("lookup", "b"), answers] });
    expect(inputs[1]?.results?.map(({ callId, text }) => callId + text)).toEqual(["a1", "b2"]);
  });

  it("reads the menu from the declarations, without the loader of skills", async () => {
    const { ai, inputs } = clientOf([
      { proposals: [{ kind: "load-skill", callId: "s", skill: "billing" }], stop: "tool-calls" },
    ]);
    const tools = [
      { functionDeclarations: [{ name: "lookup" }, { name: "load_skill" }] },
      { functionDeclarations: [{ name: "refund" }] },
    ];
    const reply = await ai.models.generateContent({ model, contents: "Hi", config: { tools } });
    expect(inputs[0]?.menu).toEqual(["lookup", "refund"]);
    expect(callsIn([reply])).toEqual([{ id: "s", name: "load_skill", args: { skill: "billing" } }]);
  });

  it("fails as the service does, and tells a lost connection as the kit's own error", async () => {
    const failing = (failure: ModelError["failure"]) => clientOf([new ModelError(failure)]).ai.models;
    const request = { model, contents: "Hi" };
    await expect(failing("rate-limit").generateContent(request)).rejects.toMatchObject({
      name: "ApiError",
      status: 429,
    });
    await expect(failing("overloaded").generateContentStream(request)).rejects.toMatchObject({
      name: "ApiError",
      status: 503,
    });
    await expect(failing("connection").generateContent(request)).rejects.toBeInstanceOf(ModelError);
    await expect(failing("timeout").generateContentStream(request)).rejects.toBeInstanceOf(ModelError);
  });

  it("refuses what else is asked of the service, in a sentence", async () => {
    const { ai } = clientOf([]);
    await expect(ai.models.countTokens({ model, contents: "Hi" })).rejects.toThrow(
      /googleGenaiFetch\(run\).*:countTokens/,
    );
  });

  it("ends a request whose signal has aborted by an AbortError", async () => {
    const config = { abortSignal: AbortSignal.abort() };
    const { ai, inputs } = clientOf([turnOf()]);
    await expect(ai.models.generateContent({ model, contents: "Hi", config })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(inputs).toEqual([]);
  });
});
