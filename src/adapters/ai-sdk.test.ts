import * as ai6 from "ai";
import * as ai5 from "ai5";
import * as ai7 from "ai7";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { z } from "zod";
import { aiSdkLoops } from "../../fixtures/loops/ai-sdk-loops.ts";
import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Proposal, Turn } from "../contract/turn.ts";
import { openStage } from "../run/stage.ts";
import type { Policy } from "../world/policy.ts";
import type { ToolSpec } from "../world/tool.ts";
import { type AgentParts, aiSdkHarness } from "./ai-sdk.ts";

const order = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };

function toolOf(name: string, permission: Policy = "allow", offered: ToolSpec["offered"] = "always"): ToolSpec {
  return { name, description: name, inputSchema: order, permission, offered };
}

const lookUp = toolOf("look_up");
const refund = toolOf("refund", "ask");
const ledger = toolOf("read_ledger", "allow", { afterSkill: "accounting" });

function call(name: string, callId = name, args = '{"order":"A-1"}', more = {}): Proposal {
  return { kind: "tool-call", callId, name, args, ...more };
}

const turn = (...proposals: Proposal[]): Turn => ({ proposals, stop: "tool-calls" });
const failure = (kind: "rate-limit" | "connection") => ({ kind: "failure", failure: kind }) as const;

function scriptOf(turns: Script["turns"], more: Partial<Script> = {}, tools = [lookUp, refund, ledger]): Script {
  const world = { tools, skills: ["accounting"], maxSteps: 4 };
  return { format: 1, world, turns, afterTurns: "end", handlers: {}, decisions: ["approve"], ...more };
}

async function playAllOn(harness: Harness, scripts: readonly Script[]): Promise<readonly Trace[]> {
  const stage = await openStage(harness, { runTimeoutMs: 2_000 });
  try {
    return await stage.playAll(scripts);
  } finally {
    await stage.close();
  }
}

async function playOn(harness: Harness, script: Script): Promise<Trace> {
  const [trace] = await playAllOn(harness, [script]);
  return trace!;
}

/** What happened, in words that are the same for every loop. */
function storyOf(trace: Trace): string[] {
  return trace.flatMap((event) => {
    if (event.type === "asked") return [`asked ${(event.results ?? []).map(resultWords).sort().join(", ")}`.trim()];
    if (event.type === "handler-started") return [`ran ${event.callId} ${event.tool} ${JSON.stringify(event.args)}`];
    if (event.type === "approval-asked") return [`human ${event.callId} ${event.tool} ${JSON.stringify(event.args)}`];
    if (event.type === "ended") return [event.thrown === undefined ? event.status : `${event.status}: ${event.thrown}`];
    return event.type === "crashed" || event.type === "hung" ? [event.type] : [];
  });
}

function resultWords({ callId, text, isError }: { callId: string; text: string; isError?: boolean }): string {
  return `${callId} ${isError === true ? "failed" : text}`;
}

const majorOf = (id: string): number => Number(id.split("@")[1]);
const streams = (id: string): boolean => id.includes("stream");

/** What a loop has no notion of is no test of it. */
function whereItApplies(applies: boolean): (title: string, test: () => Promise<void>) => void {
  return (title, test) => {
    if (applies) it(title, test);
  };
}

describe.each(aiSdkLoops.map(({ id, harness }) => ({ id, harness })))("ai-sdk: $id", ({ id, harness }) => {
  const play = async (...script: Parameters<typeof scriptOf>) => storyOf(await playOn(harness, scriptOf(...script)));

  it("has its calls run side by side, and their results read off the next request", async () => {
    const handlers = {
      look_up: [
        { kind: "return", value: { cents: 7 } },
        { kind: "throw", message: "no such order" },
      ],
    };
    const turns = [turn({ kind: "text", text: "Hm 😀." }, call("look_up", "a"), call("look_up", "b"))];
    const trace = await playOn(harness, scriptOf(turns, { handlers: handlers as Script["handlers"] }));
    expect(storyOf(trace)).toEqual([
      "asked",
      'ran a look_up {"order":"A-1"}',
      'ran b look_up {"order":"A-1"}',
      'asked a {"cents":7}, b failed',
      "answered",
    ]);
    const results = trace.flatMap((event) => (event.type === "asked" ? (event.results ?? []) : []));
    expect(results.find(({ callId }) => callId === "b")?.text).toContain("no such order");
  });

  it("has unknown, malformed and invalid calls answered by an error, and empty text read as no input", async () => {
    const bad = [
      call("look_down", "a"),
      call("look_up", "b", "{"),
      call("look_up", "c", "{}"),
      call("look_up", "d", ""),
    ];
    expect(await play([turn(...bad)])).toEqual(["asked", "asked a failed, b failed, c failed, d failed", "answered"]);
    const free = { ...lookUp, inputSchema: { type: "object" } };
    expect(await play([turn(call("look_up", "a", ""))], {}, [free])).toContain("ran a look_up {}");
  });

  it("shows and runs what is active: a skill is loaded by a tool", async () => {
    const load: Proposal = { kind: "load-skill", callId: "load", skill: "accounting" };
    const script = scriptOf([turn(call("read_ledger", "a")), turn(load), turn(call("read_ledger", "b"))]);
    const trace = await playOn(harness, script);
    expect(storyOf(trace).filter((line) => line.startsWith("ran"))).toEqual(['ran b read_ledger {"order":"A-1"}']);
    const menus = trace.flatMap((event) => (event.type === "asked" ? [event.menu] : []));
    const before = ["look_up", "refund"];
    expect(menus).toEqual([before, before, [...before, "read_ledger"], [...before, "read_ledger"]]);
  });

  it("ends where the steps do, where the turn was cut off, and where the model says no more", async () => {
    const endless = await play([turn(call("look_up"))], { afterTurns: "repeat-last" });
    expect(endless.filter((line) => line.startsWith("asked"))).toHaveLength(4);
    expect(endless.at(-1)).toBe("out-of-steps");
    expect(await play([{ proposals: [call("look_up")], stop: "length" }])).toEqual(["asked", "blocked"]);
    expect(await play([{ proposals: [{ kind: "text", text: "" }], stop: "end" }])).toEqual(["asked", "answered"]);
  });

  it("hears the signal, and hands it on to tools", async () => {
    const [, ended] = await play([turn(call("look_up"))], { abort: { during: "model", at: 0 } });
    expect(ended).toMatch(/^aborted/);
    const story = await play([turn(call("look_up"))], {
      abort: { during: "handler", at: 0 },
      handlers: { look_up: [{ kind: "slow", value: "done" }] },
    });
    expect(story.at(-1)).toMatch(/^aborted/);
    expect(story.filter((line) => line.startsWith("ran"))).toHaveLength(1);
  });

  it("tries a failed request again at once, twice, and ends as failed then", async () => {
    const again = await play([failure("rate-limit"), failure("connection"), turn(call("look_up"))]);
    expect(again.filter((line) => line.startsWith("ran"))).toHaveLength(1);
    expect(again.at(-1)).toBe("answered");
    const failed = await play([failure("rate-limit")], { afterTurns: "repeat-last" });
    expect(failed).toEqual(["asked", "asked", "asked", "failed: AI_RetryError"]);
  });

  it("carries what stands beside the arguments, without overriding anything", async () => {
    const extra = { approved: true, toolName: "refund", input: "{}" };
    expect(await play([turn(call("look_up", "a", '{"order":"A-1"}', { extra }))])).toContain(
      'ran a look_up {"order":"A-1"}',
    );
  });

  whereItApplies(majorOf(id) > 5)("puts to the human what needs approval, and goes on with the answer", async () => {
    const calls = [turn(call("refund", "a"), call("look_up", "b"))];
    const approved = await play(calls);
    expect(approved.slice(0, 4).sort()).toEqual(
      [
        "asked",
        'human a refund {"order":"A-1"}',
        'ran a refund {"order":"A-1"}',
        'ran b look_up {"order":"A-1"}',
      ].sort(),
    );
    expect(approved.slice(4)).toEqual(["asked a done, b done", "answered"]);
    for (const decision of ["deny", "throw"] as const) {
      const denied = await play([turn(call("refund", "a"))], { decisions: [decision] });
      expect(denied).toEqual(["asked", 'human a refund {"order":"A-1"}', "asked a failed", "answered"]);
    }
  });

  whereItApplies(majorOf(id) > 5)("asks about every call of a turn, and ends where one is left open", async () => {
    const story = await play([turn(call("refund", "a"), call("refund", "b"))], { decisions: ["later", "approve"] });
    expect(story).toEqual([
      "asked",
      'human a refund {"order":"A-1"}',
      'human b refund {"order":"A-1"}',
      "needs-approval",
    ]);
  });

  whereItApplies(majorOf(id) > 5)("counts the steps again from a yes, and goes on counting after a no", async () => {
    const endless = (decision: "approve" | "deny") =>
      play([turn(call("refund"))], { afterTurns: "repeat-last", decisions: [decision] });
    expect((await endless("deny")).filter((line) => line.startsWith("asked"))).toHaveLength(4);
    expect((await endless("deny")).at(-1)).toBe("out-of-steps");
    expect((await endless("approve")).filter((line) => line.startsWith("asked")).length).toBeGreaterThan(4);
  });

  whereItApplies(majorOf(id) > 5)("decides on the arguments, and ends an open question by the abort", async () => {
    const policy = { rules: [{ when: { properties: { order: { const: "A-1" } } }, then: "ask" }], otherwise: "allow" };
    const tools = [toolOf("refund", policy as Policy)];
    const calls = [turn(call("refund", "a"), call("refund", "b", '{"order":"A-2"}'))];
    expect((await play(calls, {}, tools)).filter((line) => line.startsWith("human"))).toHaveLength(1);
    const abort = { during: "approval", at: 0 } as const;
    expect((await play([turn(call("refund"))], { abort, decisions: ["hang"] })).at(-1)).toMatch(/^aborted/);
  });

  whereItApplies(harness.claims.deny)("has what the policy denies answered by an error", async () => {
    const story = await play([turn(call("refund", "a"), call("look_up", "b"))], {}, [toolOf("refund", "deny"), lookUp]);
    expect(story).toEqual(["asked", 'ran b look_up {"order":"A-1"}', "asked a failed, b done", "answered"]);
  });

  whereItApplies(streams(id))("goes the same way streamed as plain", async () => {
    const plain = aiSdkLoops.find((loop) => loop.id === `ai-sdk/generate-text@${majorOf(id)}`)!;
    const texts = [
      '{"order":"A-1"}',
      '{"order":"\\ud83d\\ude00 ä"}',
      '{"order":"A',
      '{"order":1}',
      "[]",
      "null",
      '"{}"',
    ];
    texts.push('{"order":"A-1"}{}', '{"order":"A","order":"B"}', '{"__proto__":{"order":"A"}}');
    const scripts = texts.flatMap((args) =>
      ["look_up", "refund", "read_ledger"].map((name) =>
        scriptOf([turn({ kind: "text", text: args }, call(name, "a", args), call("look_up", "b", args))]),
      ),
    );
    const streamed = await playAllOn(harness, scripts);
    expect(streamed.map(storyOf)).toEqual((await playAllOn(plain.harness, scripts)).map(storyOf));
  });
});

describe("aiSdkHarness", () => {
  const agent = ({ model, messages }: AgentParts) => ai6.generateText({ model, messages });

  it("gives the parts in the types of the SDK that is handed in", () => {
    expectTypeOf<AgentParts["tools"]>().toEqualTypeOf<ai6.ToolSet>();
    expectTypeOf<AgentParts["messages"]>().toEqualTypeOf<ai6.ModelMessage[]>();
    expectTypeOf<AgentParts["model"]>().toEqualTypeOf<NonNullable<ai6.LanguageModel>>();
    expectTypeOf<AgentParts<typeof ai5>["tools"]>().toEqualTypeOf<ai5.ToolSet>();
    expectTypeOf<AgentParts<typeof ai7>["model"]>().toEqualTypeOf<NonNullable<ai7.LanguageModel>>();
    expectTypeOf<AgentParts<typeof ai7>["toolApproval"]>().not.toBeNever();
  });

  it("claims what the documentation of each major promises, and what the user says of their own", () => {
    const claimsOf = (sdk: unknown) => aiSdkHarness({ name: "bot", agent, sdk: sdk as typeof ai6 }).claims;
    expect(claimsOf(ai5)).toMatchObject({ approvals: "none", deny: false, argumentPolicies: false, budget: "run" });
    expect(claimsOf(ai6)).toMatchObject({ approvals: "asked", deny: false, argumentPolicies: true, budget: "resume" });
    expect(claimsOf(ai7)).toMatchObject({ approvals: "asked", deny: true });
    expect(claimsOf(undefined)).toEqual(claimsOf(ai6));
    expect(aiSdkHarness({ name: "bot", agent, claims: { menu: false } }).claims.menu).toBe(false);
  });

  it("says in a sentence what is wrong with the options, or with what the agent gave", async () => {
    expect(() => aiSdkHarness({ name: "bot" } as never)).toThrow(
      "Expected `agent` of the options of `aiSdkHarness` to be a function, got nothing.",
    );
    expect(() => aiSdkHarness({ name: "bot", agent, sdk: {} as typeof ai6 })).toThrow("to be the module `ai`");
    expect(() => aiSdkHarness(undefined as never)).toThrow("to be an object, got nothing");
    const careless = aiSdkHarness({ name: "bot", agent: () => "text" as never });
    await expect(playOn(careless, scriptOf([]))).rejects.toThrow(
      "Expected what `agent` returned of `aiSdkHarness` to be what `generateText`, `streamText` or an agent gives",
    );
  });

  it("gives the run itself, for tools that can't be injected", async () => {
    const harness = aiSdkHarness({
      name: "bot",
      agent: ({ run, messages, maxSteps, model }) =>
        ai6.generateText({
          model,
          messages,
          stopWhen: ai6.stepCountIs(maxSteps),
          tools: {
            refund: ai6.tool({
              inputSchema: z.object({ order: z.string() }),
              execute: async (args, { toolCallId: callId }) => {
                if (!(await run.requestApproval({ callId, tool: "refund", args }))) return "Denied.";
                return run.toolCalled("refund", args, { callId });
              },
            }),
          },
        }),
    });
    const handlers = { refund: [{ kind: "return" as const, value: "paid" }] };
    const script = scriptOf([turn(call("refund", "a")), turn(call("refund", "b"))], {
      handlers,
      decisions: ["approve", "deny"],
    });
    expect(storyOf(await playOn(harness, script))).toEqual([
      "asked",
      'human a refund {"order":"A-1"}',
      'ran a refund {"order":"A-1"}',
      "asked a paid",
      'human b refund {"order":"A-1"}',
      "asked b Denied.",
      "answered",
    ]);
  });

  it("leaves the SDK's setting for warnings as it was", async () => {
    const setting = globalThis as { AI_SDK_LOG_WARNINGS?: unknown };
    vi.stubGlobal("AI_SDK_LOG_WARNINGS", undefined);
    const harness = aiSdkHarness({ name: "bot", agent });
    await harness.open?.();
    expect(setting.AI_SDK_LOG_WARNINGS).toBe(false);
    await harness.close?.();
    expect(setting.AI_SDK_LOG_WARNINGS).toBe(undefined);
    vi.unstubAllGlobals();
  });
});
