import { describe, expect, it } from "vitest";
import type { Claims, TestRun } from "../contract/harness.ts";
import { isMadeByHelper } from "../contract/helper-input.ts";
import type { ModelInput, ToolResult } from "../contract/run-record.ts";
import type { Proposal, Turn } from "../contract/turn.ts";
import { UsageError } from "../errors.ts";
import { dispatcherHarness } from "./dispatcher-harness.ts";

const claims: Claims = { approvals: "none", deny: false, hiddenTools: "none" };
const call = (args: string, callId = "call-1"): Proposal => ({ kind: "tool-call", callId, name: "search", args });
const turnOf = (...proposals: Proposal[]): Turn => ({ proposals, stop: "tool-calls" });
const answerTurn: Turn = { proposals: [{ kind: "text", text: "Done." }], stop: "end" };

/** A run that plays these turns and keeps what it was given. */
function runOf(turns: readonly Turn[], { maxSteps = 8, signal = new AbortController().signal } = {}) {
  const inputs: ModelInput[] = [];
  const run: TestRun = {
    tools: [],
    skills: [],
    maxSteps,
    signal,
    nextTurn: async (input = {}) => turns[inputs.push(input) - 1] ?? answerTurn,
    requestApproval: async () => false,
    toolCalled: async () => "done",
  };
  return { run, inputs, results: (): (readonly ToolResult[])[] => inputs.map((input) => input.results ?? []) };
}

describe("dispatcher-harness", () => {
  it("hands over each call of a turn, one after another, and passes the results on", async () => {
    const seen: string[] = [];
    const { run, inputs, results } = runOf([turnOf(call('{"q":1}', "a"), { kind: "text", text: "…" }, call("{", "b"))]);
    const harness = dispatcherHarness({
      name: "gym",
      claims,
      args: "raw",
      dispatch: async ({ callId, name, args, stop }) => {
        seen.push(`start ${callId} ${name} ${args} ${stop}`);
        await Promise.resolve();
        seen.push(`end ${callId}`);
        return callId === "a" ? { found: 1 } : { text: "bad JSON", isError: true };
      },
    });
    expect(await harness.run(run)).toEqual({ status: "answered" });
    expect(seen).toEqual(['start a search {"q":1} tool-calls', "end a", "start b search { tool-calls", "end b"]);
    expect(results()).toEqual([
      [],
      [
        { callId: "a", text: '{"found":1}' },
        { callId: "b", text: "bad JSON", isError: true },
      ],
    ]);
    expect(inputs.every(isMadeByHelper)).toBe(true);
    expect(harness.shape).toEqual({ loop: "none", argumentText: "raw" });
  });

  it("hands over values where asked to, and answers text that is not JSON itself", async () => {
    const seen: unknown[] = [];
    const { run, results } = runOf([turnOf(call('{"__proto__":1}'), call("null"), call("{"), call(""))]);
    await dispatcherHarness({ name: "gym", claims, args: "parsed", dispatch: ({ args }) => seen.push(args) }).run(run);
    expect(seen.map((args) => JSON.stringify(args))).toEqual(['{"__proto__":1}', "null"]);
    expect(results()[1]!.map(({ text, isError }) => [text, isError])).toEqual([
      ["1", undefined],
      ["2", undefined],
      ["the arguments are not JSON", true],
      ["the arguments are not JSON", true],
    ]);
  });

  it("reads an empty text as an empty object where the shape says so", async () => {
    const seen: unknown[] = [];
    const shape = { emptyArguments: "empty-object" } as const;
    const dispatch = ({ args }: { args: unknown }) => seen.push(args);
    await dispatcherHarness({ name: "gym", claims, shape, args: "parsed", dispatch }).run(
      runOf([turnOf(call(""))]).run,
    );
    expect(seen).toEqual([{}]);
  });

  it("asks for as many turns as the budget allows", async () => {
    const endless = Array.from({ length: 9 }, () => turnOf(call("{}")));
    const harness = dispatcherHarness({ name: "gym", claims, args: "raw", dispatch: () => "ok" });
    for (const [maxSteps, turns] of [
      [3, 3],
      [0, 0],
      [Number.NaN, 0],
      [2.5, 2],
    ] as const) {
      const { run, inputs } = runOf(endless, { maxSteps });
      expect(await harness.run(run)).toEqual({ status: "out-of-steps" });
      expect(inputs).toHaveLength(turns);
    }
  });

  it("lets errors through, unless they stand for a refusal", async () => {
    const throwing = (error: unknown) => () => {
      throw error;
    };
    const refusesWith = (error: unknown) => (error instanceof Error ? error.message : undefined);
    const harness = { name: "gym", claims, args: "raw" } as const;
    const { run, results } = runOf([turnOf(call("{}"))]);
    await dispatcherHarness({ ...harness, dispatch: throwing(new Error("unknown tool")), refusesWith }).run(run);
    expect(results()[1]).toEqual([{ callId: "call-1", text: "unknown tool", isError: true }]);

    const crash = (error: unknown, more = {}) =>
      dispatcherHarness({ ...harness, dispatch: throwing(error), ...more }).run(runOf([turnOf(call("{}"))]).run);
    await expect(crash(new Error("unknown tool"))).rejects.toThrow("unknown tool");
    await expect(crash(new TypeError("not a function"), { refusesWith })).rejects.toThrow("not a function");
    await expect(crash("a text", { refusesWith })).rejects.toBe("a text");
  });

  it("prepares each run once, and hands over what came of it", async () => {
    const harness = dispatcherHarness({
      name: "gym",
      claims: { ...claims, hiddenTools: "by-skill" },
      args: "raw",
      prepare: async () => new Set<string>(),
      dispatch: (_call, _run, loaded) => [...loaded].join(),
      loadSkill: ({ skill }, _run, loaded) => void loaded.add(skill),
    });
    for (const _ of [1, 2]) {
      const { run, results } = runOf([
        turnOf(call("{}", "a"), { kind: "load-skill", callId: "b", skill: "food" }, call("{}", "c")),
      ]);
      await harness.run(run);
      expect(results()[1]!.map(({ text }) => text)).toEqual(["", "", "food"]);
    }
  });

  it("asks for a skill loader where tools are offered after a skill", () => {
    const options = {
      name: "gym",
      claims: { ...claims, hiddenTools: "by-skill" },
      args: "raw",
      dispatch: () => "",
    } as const;
    expect(() => dispatcherHarness(options)).toThrow(UsageError);
  });

  it("reads the signal only where aborts are claimed, or the dispatcher reads it", async () => {
    const { run } = runOf([turnOf(call("{}"))]);
    let reads = 0;
    const watched = {
      ...run,
      get signal() {
        reads += 1;
        return run.signal;
      },
    };
    await dispatcherHarness({ name: "gym", claims, args: "raw", dispatch: () => "ok" }).run(watched);
    expect(reads).toBe(0);
    await dispatcherHarness({ name: "gym", claims, args: "raw", dispatch: ({ signal }) => signal.aborted }).run(
      watched,
    );
    expect(reads).toBe(0);
  });

  it("starts nothing after an abort", async () => {
    const controller = new AbortController();
    const { run, inputs } = runOf([turnOf(call("{}"), call("{}"))], { signal: controller.signal });
    let dispatched = 0;
    const dispatch = () => {
      dispatched += 1;
      controller.abort();
    };
    const abortable = { ...claims, abort: true };
    expect(await dispatcherHarness({ name: "gym", claims: abortable, args: "raw", dispatch }).run(run)).toEqual({
      status: "aborted",
    });
    expect([dispatched, inputs.length]).toEqual([1, 1]);
  });

  it.each<[unknown, string]>([
    [null, "Expected the options of `dispatcherHarness` to be an object, got null."],
    [{}, "Expected `claims` of the options of `dispatcherHarness` to be an object, got nothing."],
    [
      { name: "gym", claims, args: "raw" },
      "Expected `dispatch` of the options of `dispatcherHarness` to be a function",
    ],
    [{ name: "gym", claims, args: "text", dispatch() {} }, '`dispatcherHarness` to be "raw" or "parsed", got "text".'],
  ])("refuses options that no harness can be made of: %j", (options, sentence) => {
    expect(() => dispatcherHarness(options as never)).toThrow(UsageError);
    expect(() => dispatcherHarness(options as never)).toThrow(sentence);
  });
});
