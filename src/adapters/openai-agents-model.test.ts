import { Usage } from "@openai/agents";
import { describe, expect, it } from "vitest";
import type { TestRun } from "../contract/harness.ts";
import type { ModelInput } from "../contract/run-record.ts";
import type { Turn } from "../contract/turn.ts";
import { ModelError } from "../errors.ts";
import { agentsModel, ModelRequestError } from "./openai-agents-model.ts";

type Request = Parameters<ReturnType<typeof agentsModel>["getResponse"]>[0];

const turn: Turn = {
  proposals: [
    { kind: "text", text: "Let me see. 😀" },
    {
      kind: "tool-call",
      callId: "a",
      name: "look_up",
      args: '{"order":"\\\\u00e9"}',
      extra: { role: "admin", name: "x" },
    },
    { kind: "load-skill", callId: "b", skill: "accounting" },
  ],
  stop: "tool-calls",
};

function modelOf(next: Turn | Error) {
  const inputs: ModelInput[] = [];
  const run: TestRun = {
    tools: [],
    skills: ["accounting"],
    maxSteps: 3,
    signal: new AbortController().signal,
    nextTurn: async (input = {}) => {
      inputs.push(input);
      if (next instanceof Error) throw next;
      return next;
    },
    requestApproval: async () => false,
    toolCalled: async () => "done",
  };
  return { model: agentsModel(run, Usage), inputs };
}

const request = (input: Request["input"] = "Help."): Request => ({
  input,
  modelSettings: {},
  tools: [],
  outputType: "text",
  handoffs: [],
  tracing: false,
});

async function eventsOf(next: Turn) {
  const events = [];
  for await (const event of modelOf(next).model.getStreamedResponse(request())) events.push(event);
  return events;
}

describe("the model double of openai-agents", () => {
  it("hands over texts, ids, names and argument texts as they were written", async () => {
    const { output } = await modelOf(turn).model.getResponse(request());
    expect(output).toMatchObject([
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me see. 😀" }] },
      {
        type: "function_call",
        callId: "a",
        name: "look_up",
        arguments: '{"order":"\\\\u00e9"}',
        status: "completed",
        providerData: { role: "admin" },
      },
      { type: "function_call", callId: "b", name: "load_skill", arguments: '{"skill":"accounting"}' },
    ]);
  });

  it("streams the same in pieces", async () => {
    const events = await eventsOf(turn);
    const { output } = await modelOf(turn).model.getResponse(request());
    expect(events.at(-1)).toMatchObject({ type: "response_done", response: { output } });
    const texts = events.flatMap((event) => (event.type === "output_text_delta" ? [event.delta] : []));
    const args = events.flatMap((event) => (event.type === "model" ? [(event.event as { delta: string }).delta] : []));
    expect(texts.join("")).toBe("Let me see. 😀");
    expect(args.join("")).toBe('{"order":"\\\\u00e9"}{"skill":"accounting"}');
    expect(args.length).toBeGreaterThan(2);
  });

  it("marks a call that was cut off, which is all that this SDK has for it", async () => {
    const { output } = await modelOf({ ...turn, stop: "length" }).model.getResponse(request());
    expect(output.map((item) => (item.type === "function_call" ? item.status : "text"))).toEqual([
      "text",
      "incomplete",
      "incomplete",
    ]);
  });

  it("reads results from texts and from lists of parts", async () => {
    const { model, inputs } = modelOf(turn);
    await model.getResponse(request());
    const call = (callId: string) => ({ type: "function_call" as const, callId, name: "look_up", arguments: "{}" });
    const result = { type: "function_call_result" as const, name: "look_up", status: "completed" as const };
    await model.getResponse(
      request([
        call("a"),
        call("b"),
        { ...result, callId: "a", output: { type: "text", text: "paid" } },
        { ...result, callId: "b", output: [{ type: "input_text", text: "open" }] },
      ]),
    );
    expect(inputs[1]?.results).toEqual([
      { callId: "a", text: "paid" },
      { callId: "b", text: "open" },
    ]);
  });

  it("fails as a client of the service does", async () => {
    const { model } = modelOf(new ModelError("rate-limit"));
    const error = await model.getResponse(request()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelRequestError);
    expect(error).toMatchObject({ name: "APIError", status: 429, code: "rate_limit_exceeded" });
    const other = new Error("no failure of the model");
    await expect(modelOf(other).model.getResponse(request())).rejects.toBe(other);
  });
});
