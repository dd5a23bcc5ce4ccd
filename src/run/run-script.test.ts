import { describe, expect, it } from "vitest";
import type { Behaviour } from "../contract/behaviour.ts";
import type { Claims, Harness, TestRun } from "../contract/harness.ts";
import type { Decision, Script } from "../contract/script.ts";
import { type EventOf, type TraceEvent, traceSchema } from "../contract/trace.ts";
import type { ToolCall, Turn } from "../contract/turn.ts";
import { ModelError, PastBudgetError, UndecidedError } from "../errors.ts";
import { depthOf } from "../world/json.ts";
import type { World } from "../world/world.ts";
import { openStage } from "./stage.ts";

const claims: Claims = { approvals: "none", deny: false, hiddenTools: "none" };

const world: World = {
  tools: ["look_up", "refund"].map((name) => ({
    name,
    description: name,
    inputSchema: { type: "object" },
    permission: "allow",
    offered: "always",
  })),
  skills: [],
  maxSteps: 4,
};

function call(name: string, args: object | string = {}, callId = "call-1"): ToolCall {
  return { kind: "tool-call", callId, name, args: typeof args === "string" ? args : JSON.stringify(args) };
}

function turn(...proposals: Turn["proposals"]): Turn {
  return { proposals, stop: "tool-calls" };
}

async function play(
  run: Harness["run"],
  script: Partial<Script> = {},
  harness: Partial<Harness> = {},
  runTimeoutMs = 5_000,
) {
  const stage = await openStage({ name: "small", claims, run, ...harness }, { runTimeoutMs });
  try {
    const whole: Script = { format: 1, world, turns: [], afterTurns: "end", handlers: {}, decisions: [], ...script };
    const trace = await stage.play(whole);
    expect(traceSchema.parse(trace)).toEqual(trace);
    return trace;
  } finally {
    await stage.close();
  }
}

function only<Type extends TraceEvent["type"]>(trace: readonly TraceEvent[], type: Type): EventOf<Type>[] {
  return trace.filter((event): event is EventOf<Type> => event.type === type);
}

/** Runs every call of a declared tool, and tells the model what came of it. */
async function obey(run: TestRun) {
  for (let step = 0; step < run.maxSteps; step += 1) {
    const { proposals } = await run.nextTurn();
    const calls = proposals.filter((proposal) => proposal.kind === "tool-call");
    if (calls.length === 0) return { status: "answered" } as const;
    for (const { name, args, callId } of calls) {
      await run.tools.find((tool) => tool.name === name)?.execute(JSON.parse(args), { callId });
    }
  }
  return { status: "out-of-steps" } as const;
}

describe("a run", () => {
  it("is witnessed in order, with the step of each event", async () => {
    const trace = await play(obey, { turns: [turn(call("look_up", { id: 1 }), { kind: "text", text: "looking" })] });
    const args = { id: 1 };
    expect(trace).toEqual([
      { type: "asked", step: 0 },
      { type: "proposed", step: 0, position: 0, proposal: call("look_up", args), stop: "tool-calls" },
      { type: "proposed", step: 0, position: 1, proposal: { kind: "text", text: "looking" }, stop: "tool-calls" },
      {
        type: "handler-started",
        step: 0,
        effect: 0,
        tool: "look_up",
        callId: "call-1",
        args,
        behaviour: { kind: "return", value: "done" },
      },
      { type: "handler-settled", step: 0, effect: 0, tool: "look_up", outcome: "returned", value: "done" },
      { type: "asked", step: 1 },
      { type: "proposed", step: 1, position: 0, proposal: { kind: "text", text: "done" }, stop: "end" },
      { type: "ended", step: 1, status: "answered" },
    ]);
  });

  it("can be taken apart", async () => {
    const trace = await play(async ({ nextTurn, tools, toolCalled, requestApproval }) => {
      await nextTurn();
      const execute = tools[0]!.execute;
      await execute({ by: "execute" });
      await toolCalled("undeclared", { by: "toolCalled" });
      return { status: (await requestApproval({ tool: "refund", args: {} })) ? "answered" : "blocked" };
    });
    expect(only(trace, "handler-started").map((event) => [event.tool, event.args])).toEqual([
      ["look_up", { by: "execute" }],
      ["undeclared", { by: "toolCalled" }],
    ]);
    expect(trace.at(-1)).toMatchObject({ type: "ended", status: "blocked" });
  });

  it("gives each run a world of its own, whatever earlier runs did to theirs", async () => {
    const seen: unknown[] = [];
    const stage = await openStage(
      {
        name: "editing",
        claims,
        async run(run) {
          seen.push(JSON.parse(JSON.stringify(run.tools)));
          const tool = run.tools[0]! as unknown as Record<string, unknown> & { inputSchema: Record<string, unknown> };
          tool.permission = "deny";
          tool.inputSchema.additionalProperties = false;
          (run.tools as unknown[]).pop();
          return { status: "answered" };
        },
      },
      { runTimeoutMs: 20 },
    );
    const script: Script = { format: 1, world, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
    await stage.playAll([script, script]);
    await stage.close();
    expect(seen).toEqual([world.tools, world.tools]);
  });

  it("keeps a turn that the harness edits out of the script", async () => {
    const given = turn({ ...call("look_up"), extra: { approved: true } });
    const script: Partial<Script> = { turns: [given], afterTurns: "repeat-last" };
    const trace = await play(async (run) => {
      for (let step = 0; step < 2; step += 1) {
        const { proposals } = (await run.nextTurn()) as unknown as {
          proposals: { name: string; extra: { approved: boolean } }[];
        };
        proposals[0]!.name = "refund";
        proposals[0]!.extra.approved = false;
        proposals.push(proposals[0]!);
      }
      return { status: "answered" };
    }, script);
    expect(only(trace, "proposed").map((event) => event.proposal)).toEqual([
      { ...call("look_up"), extra: { approved: true } },
      { ...call("look_up"), callId: "call-1~2", extra: { approved: true } },
    ]);
  });

  it("survives arguments of 3,000 levels everywhere", async () => {
    const args = `${'{"a":'.repeat(3_000)}1${"}".repeat(3_000)}`;
    const trace = await play(obey, {
      turns: [turn(call("look_up", args))],
      handlers: { look_up: [{ kind: "echo" }] },
    });
    expect(depthOf(only(trace, "handler-started")[0]?.args)).toBe(3_000);
    expect(depthOf(only(trace, "handler-settled")[0]?.value)).toBe(3_000);
  });
});

describe("the scripted model", () => {
  const askAll: Harness["run"] = async (run) => {
    for (;;) await run.nextTurn();
  };

  it("serves three turns past the budget, and what the harness makes of its refusal is the kit's doing", async () => {
    const trace = await play(askAll, { turns: [turn(call("look_up"))], afterTurns: "repeat-last" });
    expect(only(trace, "proposed").map((event) => (event.proposal as ToolCall).callId)).toEqual(
      ["", "~2", "~3", "~4", "~5", "~6", "~7"].map((end) => `call-1${end}`),
    );
    expect(trace.slice(-3)).toMatchObject([
      { type: "asked", step: 7 },
      { type: "kit-refused", because: "past-the-budget" },
      { type: "crashed", name: "PastBudgetError", kitMade: true },
    ]);
  });

  it.each<[string, (error: unknown) => unknown]>([
    ["wrapped twice", (error) => new Error("outer", { cause: new TypeError("inner", { cause: error }) })],
    ["in a list of errors", (error) => new AggregateError([new Error("first"), error])],
    ["as text", (error) => `failed: ${(error as Error).message}`],
  ])("knows its refusal %s", async (_, wrap) => {
    const trace = await play(async (run) => {
      try {
        for (;;) await run.nextTurn();
      } catch (error) {
        expect(error).toBeInstanceOf(PastBudgetError);
        throw wrap(error);
      }
    });
    expect(trace.at(-1)).toMatchObject({ type: "crashed", kitMade: true });
  });

  it("answers no more after its refusal", async () => {
    const trace = await play(
      async (run) => {
        for (;;) await run.nextTurn().catch(() => {});
      },
      {},
      {},
      20,
    );
    expect(only(trace, "kit-refused")).toHaveLength(2);
    expect(trace.at(-1)).toMatchObject({ type: "hung", afterMs: 20 });
  });

  it("ends at last where there is no budget to pass", async () => {
    const script = { turns: [turn(call("look_up"))], afterTurns: "repeat-last" } as const;
    const noBudget = await play(askAll, script, { claims: { ...claims, budget: "none" } });
    const noLoop = await play(askAll, script, { shape: { loop: "none" } });
    const oddBudget = await play(askAll, { ...script, world: { ...world, maxSteps: "NaN" } });
    for (const trace of [noBudget, noLoop, oddBudget]) {
      expect(only(trace, "proposed")).toHaveLength(51);
      expect(trace.at(-1)).toMatchObject({ type: "crashed", kitMade: true });
    }
  });

  it("counts again from a granted approval where the budget does", async () => {
    const run: Harness["run"] = async ({ nextTurn, requestApproval }) => {
      await nextTurn();
      await nextTurn();
      await requestApproval({ tool: "refund", args: {} });
      for (;;) await nextTurn();
    };
    const resume: Partial<Harness> = { claims: { ...claims, approvals: "asked", budget: "resume" } };
    expect(only(await play(run, { decisions: ["approve"] }, resume), "proposed")).toHaveLength(2 + 7);
    expect(only(await play(run, { decisions: ["deny"] }, resume), "proposed")).toHaveLength(7);
    const asksForEver: Harness["run"] = async ({ nextTurn, requestApproval }) => {
      for (;;) {
        const { proposals } = await nextTurn();
        if (proposals[0]?.kind === "text") return { status: "answered" };
        await requestApproval({ tool: "lookup", args: {} });
      }
    };
    const endless = await play(asksForEver, { decisions: ["approve"], afterTurns: "repeat-last" }, resume);
    expect(endless.at(-1)).toMatchObject({ type: "ended", status: "answered" });
    expect(only(await play(run, { decisions: ["approve"] }), "proposed")).toHaveLength(7);
  });

  it("fails as scripted, which is no step", async () => {
    const trace = await play(
      async (run) => {
        const error = await run.nextTurn().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(ModelError);
        await run.nextTurn();
        return { status: "answered" };
      },
      { turns: [{ kind: "failure", failure: "rate-limit" }, turn(call("look_up"))] },
    );
    expect(trace).toMatchObject([
      { type: "asked", step: 0 },
      { type: "model-failed", step: 0, failure: "rate-limit" },
      { type: "asked", step: 0 },
      { type: "proposed", step: 0, position: 0 },
      { type: "ended", step: 0 },
    ]);
  });

  it("does not fail for ever", async () => {
    const trace = await play(
      async (run) => {
        for (;;) {
          const answer = await run.nextTurn().catch((error: unknown) => error);
          if (answer instanceof PastBudgetError) throw answer;
        }
      },
      { turns: [{ kind: "failure", failure: "overloaded" }], afterTurns: "repeat-last" },
    );
    expect(only(trace, "model-failed")).toHaveLength(14);
    expect(trace.at(-1)).toMatchObject({ type: "crashed", kitMade: true });
  });

  it("remembers what it was told as it was told", async () => {
    const told = {
      results: [{ callId: "call-1", text: "12 kg" }],
      log: [{ type: "proposal" as const, step: 0, callId: "call-1", tool: "look_up" }],
      menu: ["look_up"],
      spelledAs: { lookUp: "look_up" },
    };
    const before = structuredClone(told);
    const trace = await play(
      async (run) => {
        await run.nextTurn(told);
        expect(told).not.toEqual(before);
        await run.nextTurn({
          results: Object.freeze([Object.freeze({ callId: "call-2", text: "ok", isError: false })]),
        });
        return { status: "answered", log: [{ type: "stop" }] };
      },
      { modelEditsInput: true },
    );
    expect(only(trace, "asked")).toEqual([
      { type: "asked", step: 0, ...before },
      { type: "asked", step: 1, results: [{ callId: "call-2", text: "ok", isError: false }] },
    ]);
    expect(trace.at(-1)).toMatchObject({ type: "ended", log: [{ type: "stop" }] });
  });

  it("lets the model edit nothing that went with a request that failed", async () => {
    const told = { results: [{ callId: "call-1", text: "12 kg" }] };
    const trace = await play(
      async (run) => {
        await run.nextTurn(told).catch(() => run.nextTurn(told));
        return { status: "answered" };
      },
      { modelEditsInput: true, turns: [{ kind: "failure", failure: "timeout" }, turn()] },
    );
    const results = [{ callId: "call-1", text: "12 kg" }];
    expect(only(trace, "asked")).toEqual([
      { type: "asked", step: 0, results },
      { type: "asked", step: 0, results },
    ]);
    expect(told).not.toEqual({ results });
  });

  it("asks the harness what its schema makes of the arguments of declared tools", async () => {
    const trace = await play(
      obey,
      {
        turns: [
          turn(
            call("look_up", { id: " 1 " }),
            call("refund", {}),
            call("refund", "[1]"),
            call("toString", { id: "1" }),
          ),
        ],
      },
      {
        normalise(tool, args) {
          if (tool === "refund") throw new Error("no amount");
          return { id: (args as { id: string }).id.trim(), at: new Date(0) };
        },
      },
    );
    const [normalised, refused, notAnObject, undeclared] = only(trace, "proposed");
    expect(normalised?.normalised).toEqual({ id: "1", at: { "(Date)": "1970-01-01T00:00:00.000Z" } });
    expect(refused?.refusedBySchema).toBe(true);
    for (const event of [notAnObject, undeclared]) {
      expect(event).toBeDefined();
      expect(event).not.toHaveProperty("normalised");
      expect(event).not.toHaveProperty("refusedBySchema");
    }
  });
});

describe("the scripted human", () => {
  const asked: Partial<Harness> = { claims: { ...claims, approvals: "asked", deadlineMs: 4 } };

  async function ask(...decisions: Decision[]) {
    const answers: unknown[] = [];
    const trace = await play(
      async (run) => {
        for (const _ of decisions) {
          const answer = run.requestApproval({ callId: "call-1", tool: "refund", args: { id: 1 } });
          const deadline = new Promise((resolve) => setTimeout(resolve, 4, "deadline"));
          answers.push(await Promise.race([answer.catch((error: unknown) => error), deadline]));
        }
        return { status: "answered" };
      },
      { decisions },
      asked,
    );
    return { answers, trace };
  }

  it("says yes, no, nothing yet, and fails", async () => {
    const { answers, trace } = await ask("approve", "deny", "later", "throw");
    expect(answers).toEqual([true, false, expect.any(UndecidedError), expect.any(Error)]);
    expect(only(trace, "approval-asked").map((event) => event.request)).toEqual([0, 1, 2, 3]);
    expect(only(trace, "approval-given").map(({ decision, granted }) => [decision, granted])).toEqual([
      ["approve", true],
      ["deny", false],
      ["later", false],
      ["throw", false],
    ]);
    expect(only(trace, "approval-given")[0]).toMatchObject({ callId: "call-1", tool: "refund", args: { id: 1 } });
  });

  it("says no where the script says nothing, and the last thing again past the end of the list", async () => {
    const run: Harness["run"] = async ({ requestApproval }) => {
      await requestApproval({ tool: "refund", args: {} });
      await requestApproval({ tool: "refund", args: {} });
      return { status: "answered" };
    };
    const granted = async (decisions: Decision[]) =>
      only(await play(run, { decisions }), "approval-given").map((event) => event.granted);
    expect(await granted([])).toEqual([false, false]);
    expect(await granted(["approve"])).toEqual([true, true]);
  });

  it("hangs", async () => {
    const { answers, trace } = await ask("hang");
    expect(answers).toEqual(["deadline"]);
    expect(only(trace, "human-hangs")).toMatchObject([{ request: 0, tool: "refund" }]);
    expect(only(trace, "approval-given")).toEqual([]);
  });

  it("says yes after the deadline of a harness that was held up before it could set its timer", async () => {
    const heard: unknown[] = [];
    await play(
      async (run) => {
        const answer = run.requestApproval({ callId: "call-1", tool: "refund", args: { id: 1 } });
        const until = performance.now() + 12;
        while (performance.now() < until);
        const deadline = new Promise((resolve) => setTimeout(resolve, 4, "deadline"));
        heard.push(await Promise.race([answer, deadline]));
        return { status: "answered" };
      },
      { decisions: ["late-approve"] },
      asked,
    );
    expect(heard).toEqual(["deadline"]);
  });

  it("says yes after the deadline, which the trace waits for", async () => {
    const { answers, trace } = await ask("late-approve");
    expect(answers).toEqual(["deadline"]);
    expect(trace.slice(-2)).toMatchObject([
      { type: "ended" },
      { type: "approval-given", decision: "late-approve", granted: true, late: true },
    ]);
  });
});

describe("a scripted handler", () => {
  const deadline: Claims = { ...claims, deadlineMs: 4 };

  async function handle(behaviour: Behaviour, args: unknown = { id: 1 }, look?: (run: TestRun) => void) {
    const came: unknown[] = [];
    const trace = await play(
      async (run) => {
        const settled = run.tools[0]!.execute(args).then(
          (value) => ["returned", value],
          (error: unknown) => ["threw", error],
        );
        const deadline = new Promise<string[]>((done) => setTimeout(done, 4, ["hangs"]));
        came.push(...(await (behaviour.kind === "hang" ? Promise.race([settled, deadline]) : settled)));
        look?.(run);
        return { status: "answered" };
      },
      { handlers: { look_up: [behaviour] } },
      { claims: deadline },
    );
    const settled = only(trace, "handler-settled");
    expect(only(trace, "handler-started")).toMatchObject([{ tool: "look_up", behaviour }]);
    return { came, trace, settled };
  }

  it("returns a copy of what the script says, or of its arguments", async () => {
    const value = { list: [1] };
    const returned = await handle({ kind: "return", value });
    expect(returned.came).toEqual(["returned", value]);
    expect(returned.came[1]).not.toBe(value);
    expect(returned.settled).toMatchObject([{ outcome: "returned", value }]);
    const args = { id: 1 };
    const echoed = await handle({ kind: "echo" }, args);
    expect(echoed.came).toEqual(["returned", args]);
    expect(echoed.came[1]).not.toBe(args);
  });

  it("throws, before or after its work", async () => {
    for (const kind of ["throw", "effect-then-throw"] as const) {
      const { came, settled } = await handle({ kind, message: "no stock" });
      expect(came).toEqual(["threw", new Error("no stock")]);
      expect(settled).toMatchObject([{ outcome: "threw", value: "no stock" }]);
    }
  });

  it("takes its time", async () => {
    const { came, settled } = await handle({ kind: "slow", value: "late" });
    expect(came).toEqual(["returned", "late"]);
    expect(settled).toMatchObject([{ outcome: "returned", value: "late" }]);
  });

  it("never settles", async () => {
    const { came, trace, settled } = await handle({ kind: "hang" });
    expect(came).toEqual(["hangs"]);
    expect(settled).toEqual([]);
    expect(only(trace, "handler-hangs")).toMatchObject([{ effect: 0, tool: "look_up" }]);
  });

  it("edits its arguments, after they were witnessed", async () => {
    const args = { id: "A-1", nested: { list: [1] } };
    const { trace } = await handle({ kind: "mutate-arguments" }, args);
    expect(only(trace, "handler-started")[0]?.args).toEqual({ id: "A-1", nested: { list: [1] } });
    expect(args.id).not.toBe("A-1");
    const frozen = await handle({ kind: "mutate-arguments" }, Object.freeze({ id: "A-1" }));
    expect(frozen.came).toEqual(["returned", "done"]);
  });

  it.each(["null", "undefined", "cyclic", "null-prototype"] as const)("throws the odd value %s", async (value) => {
    const { came, settled } = await handle({ kind: "throw-odd", value });
    expect(came[0]).toBe("threw");
    expect(came[1]).not.toBeInstanceOf(Error);
    expect(settled).toMatchObject([{ outcome: "threw", odd: value }]);
  });

  it.each([
    ["undefined", "undefined"],
    ["bigint", "bigint"],
    ["cyclic", "object"],
    ["function", "function"],
    ["symbol", "symbol"],
    ["throwing-to-json", "object"],
  ] as const)("returns the odd value %s", async (value, type) => {
    const { came, settled } = await handle({ kind: "return-odd", value });
    expect(came[0]).toBe("returned");
    expect(typeof came[1]).toBe(type);
    if (type === "object") expect(() => JSON.stringify(came[1])).toThrow();
    expect(settled).toMatchObject([{ outcome: "returned", odd: value }]);
  });

  it.each<[Extract<Behaviour, { kind: "tamper" }>["edit"], (run: TestRun) => void]>([
    ["allow-all", (run) => expect(run.tools.every((tool) => tool.permission === "allow")).toBe(true)],
    ["offer-all", (run) => expect(run.tools.every((tool) => tool.offered === "always")).toBe(true)],
    ["drop-others", (run) => expect(run.tools.map((tool) => tool.name)).toEqual(["look_up"])],
    ["rename", (run) => expect(run.tools.map((tool) => tool.name)).toEqual(["refund", "look_up"])],
    ["swap-functions", (run) => void run.tools[0]!.execute({})],
  ])("tampers with the tools: %s", async (edit, look) => {
    const trace = await play(
      async (run) => {
        await run.tools[0]!.execute({});
        look(run);
        return { status: "answered" };
      },
      {
        world: { ...world, tools: world.tools.map((tool) => ({ ...tool, permission: "deny", offered: "never" })) },
        handlers: { look_up: [{ kind: "tamper", edit }] },
      },
    );
    expect(only(trace, "tampered")).toMatchObject([{ tool: "look_up", edit }]);
    expect(trace.at(-1)).toMatchObject({ type: "ended" });
    if (edit === "swap-functions") expect(only(trace, "handler-started")[1]?.tool).toBe("refund");
  });

  it("does one thing after another, and the last one again", async () => {
    const trace = await play(
      async (run) => {
        for (let time = 0; time < 3; time += 1) await run.tools[0]!.execute({}).catch(() => {});
        await run.tools[1]!.execute({});
        return { status: "answered" };
      },
      { handlers: { look_up: [{ kind: "throw", message: "busy" }, { kind: "echo" }] } },
    );
    expect(only(trace, "handler-started").map((event) => event.behaviour.kind)).toEqual([
      "throw",
      "echo",
      "echo",
      "return",
    ]);
  });

  it("is found under odd names only where the script has them", async () => {
    const trace = await play(async (run) => {
      await run.toolCalled("toString", {});
      await run.toolCalled("__proto__", {});
      return { status: "answered" };
    });
    expect(only(trace, "handler-started").map((event) => event.behaviour.kind)).toEqual(["return", "return"]);
  });
});

function refuse(): never {
  throw new Error("refused");
}

const hostile: ProxyHandler<object> = { get: refuse, has: refuse, getPrototypeOf: refuse, ownKeys: refuse };

describe("the end of a run", () => {
  it("is no rejection that nobody handled where the error is hostile, whatever the harness documents", async () => {
    const run: Harness["run"] = async () => Promise.reject(new Proxy({}, hostile));
    expect(await play(run, {}, { stopsWith: () => "blocked" })).toMatchObject([{ type: "ended", status: "blocked" }]);
    const thrown = await play(run, {}, { stopsWith: () => Promise.reject(new Proxy({}, hostile)) as never });
    expect(thrown.map(({ type }) => type)).toContain("crashed");
  });

  it.each<[string, Harness["run"], object]>([
    ["a throw", async () => Promise.reject(new Error("broken")), { name: "Error", message: "broken" }],
    [
      "a throw before the first promise",
      () => {
        throw new RangeError("at once");
      },
      { name: "RangeError", message: "at once" },
    ],
    ["null", async () => Promise.reject(null), { name: "null", message: "null" }],
    ["a text", async () => Promise.reject("stop"), { name: "string", message: "stop" }],
    ["an unreadable error", async () => Promise.reject(Object.create(null)), { name: "object" }],
    [
      "a proxy that throws at whatever is asked of it",
      async () => Promise.reject(new Proxy({}, hostile)),
      { name: "object", message: "a value that can't be shown" },
    ],
    [
      "an object that hides its class",
      async () => Promise.reject(new Proxy(new Error("broken"), { getPrototypeOf: refuse })),
      { name: "Error", message: "broken" },
    ],
    [
      "a promise that can't be waited for",
      () => Object.defineProperty(Promise.resolve(), "constructor", { get: refuse }) as never,
      { name: "Error", message: "refused" },
    ],
    [
      "an outcome that can't be read",
      async () => ({ status: new Proxy({}, hostile) }) as never,
      { name: "InvalidOutcome" },
    ],
    ["an unknown status", async () => ({ status: "fine" }) as never, { name: "InvalidOutcome" }],
    ["no outcome", async () => undefined as never, { message: expect.stringMatching(/^Expected .* got undefined\.$/) }],
  ])("is a crash after %s", async (_, run, crash) => {
    const trace = await play(run);
    expect(trace).toMatchObject([{ type: "crashed", step: 0, ...crash }]);
    expect(trace[0]).not.toHaveProperty("kitMade");
  });

  it("is an end where the harness documents the stop, but a fault stays a crash", async () => {
    class TooManySteps extends Error {
      override name = "TooManySteps";
    }
    const stopsWith = () => "out-of-steps" as const;
    const documented = await play(async () => Promise.reject(new TooManySteps()), {}, { stopsWith });
    expect(documented).toEqual([{ type: "ended", step: 0, status: "out-of-steps", thrown: "TooManySteps" }]);
    const fault = await play(async () => Promise.reject(new TypeError("x is not a function")), {}, { stopsWith });
    expect(fault).toMatchObject([{ type: "crashed", name: "TypeError" }]);
  });

  it("is a crash where stopsWith itself fails", async () => {
    const run: Harness["run"] = async () => Promise.reject(new Error("broken"));
    const throwing = await play(run, {}, { stopsWith: () => JSON.parse("no JSON") });
    expect(throwing).toMatchObject([
      { type: "crashed", message: expect.stringContaining("broken (and `stopsWith` threw") },
    ]);
    const wrong = await play(run, {}, { stopsWith: () => "fine" as never });
    expect(wrong).toMatchObject([{ type: "crashed", message: 'broken (and `stopsWith` gave "fine")' }]);
  });

  it("is a hang after the time limit, and what comes later is not heard", async () => {
    let goOn = (): void => {};
    let aborted = false;
    const trace = await play(
      async (run) => {
        run.signal.addEventListener("abort", () => {
          aborted = true;
        });
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await run.tools[0]!.execute({});
        return { status: "answered" };
      },
      {},
      {},
      20,
    );
    expect(trace).toEqual([{ type: "hung", step: 0, afterMs: 20 }]);
    expect(aborted).toBe(true);
    goOn();
    await new Promise((resolve) => setImmediate(resolve));
    expect(trace).toHaveLength(1);
  });

  it("gives one deadline more for each hanging handler", async () => {
    const trace = await play(
      async (run) => {
        await run.nextTurn();
        for (let time = 0; time < 3; time += 1) {
          await Promise.race([run.tools[0]!.execute({}), new Promise((resolve) => setTimeout(resolve, 50))]);
        }
        return { status: "failed" };
      },
      { turns: [turn(call("look_up"), call("look_up"), call("look_up"))], handlers: { look_up: [{ kind: "hang" }] } },
      { claims: { ...claims, deadlineMs: 10 } },
      100,
    );
    expect(trace.at(-1)).toMatchObject({ type: "ended" });
  });

  it.each<[string, Harness["run"]]>([
    [
      "a call",
      async (run) => {
        for (;;) await run.tools[0]!.execute({}).catch(() => {});
      },
    ],
    [
      "a question",
      async (run) => {
        for (;;) await run.requestApproval({ tool: "refund", args: {} }).catch(() => {});
      },
    ],
  ])("comes also where %s is repeated for ever", async (_, run) => {
    const trace = await play(
      run,
      {
        handlers: { look_up: [{ kind: "throw", message: "busy" }] },
        decisions: ["later"],
      },
      {},
      20,
    );
    expect(trace.at(-1)?.type).toBe("hung");
    expect(trace.length).toBeLessThan(5_000);
  });

  it("does not close the trace: what comes soon after is late", async () => {
    const trace = await play(async (run) => {
      setImmediate(() => void run.tools[0]!.execute({}));
      setImmediate(() => void run.nextTurn());
      return { status: "answered" };
    });
    expect(trace.map(({ type, late }) => [type, late])).toEqual([
      ["ended", undefined],
      ...(["handler-started", "handler-settled", "asked", "proposed"] as const).map((type) => [type, true]),
    ]);
  });
});

describe("an abort", () => {
  it("rejects the request that is pending, and later ones", async () => {
    const trace = await play(
      async (run) => {
        await run.nextTurn();
        const first = await run.nextTurn().catch((error: unknown) => error);
        expect(first).toMatchObject({ name: "AbortError" });
        expect(run.signal.reason).toBe(first);
        await run.nextTurn();
        return { status: "answered" };
      },
      { abort: { during: "model", at: 1 } },
    );
    expect(trace.slice(2)).toMatchObject([
      { type: "asked", step: 1 },
      { type: "aborted", step: 0 },
      { type: "asked", step: 1 },
      { type: "kit-refused", because: "aborted" },
      { type: "ended", status: "aborted", thrown: "AbortError" },
    ]);
  });

  it("comes one turn of the event loop after a handler started", async () => {
    const trace = await play(
      async (run) => {
        await run.tools[0]!.execute({});
        await run.tools[1]!.execute({});
        return { status: run.signal.aborted ? "aborted" : "answered" };
      },
      { handlers: { refund: [{ kind: "slow", value: "done" }] }, abort: { during: "handler", at: 1 } },
    );
    expect(trace.map((event) => event.type)).toEqual([
      "handler-started",
      "handler-settled",
      "handler-started",
      "aborted",
      "handler-settled",
      "ended",
    ]);
    expect(trace.at(-1)).toMatchObject({ status: "aborted" });
  });

  it("comes while the human is asked, before the answer", async () => {
    const run: Harness["run"] = async ({ requestApproval }) => {
      const granted = await requestApproval({ tool: "refund", args: {} });
      return { status: granted ? "answered" : "blocked" };
    };
    const trace = await play(run, { decisions: ["approve"], abort: { during: "approval", at: 0 } });
    expect(trace.map((event) => event.type)).toEqual(["approval-asked", "aborted", "approval-given", "ended"]);
  });

  it("does not come after the end", async () => {
    const trace = await play(obey, { turns: [turn(call("look_up"))], abort: { during: "handler", at: 0 } });
    expect(only(trace, "aborted")).toEqual([]);
  });

  it("is no excuse for an error of another kind, unless it only passes the refusal on", async () => {
    const failing = (wrap: (error: unknown) => Error): Harness["run"] => {
      return (run) =>
        run.nextTurn().then(
          () => ({ status: "answered" }),
          (error) => Promise.reject(wrap(error)),
        );
    };
    const script = { abort: { during: "model", at: 0 } } as const;
    const passedOn = await play(
      failing((cause) => new Error("request failed", { cause })),
      script,
    );
    expect(passedOn.at(-1)).toMatchObject({ type: "crashed", kitMade: true });
    const other = await play(
      failing(() => new Error("request failed")),
      script,
    );
    expect(other.at(-1)).toMatchObject({ type: "crashed", message: "request failed" });
    expect(other.at(-1)).not.toHaveProperty("kitMade");
  });

  it.each([
    ["handler", { abort: { during: "handler", at: 0 } }],
    ["handler, and the script would abort later", { abort: { during: "model", at: 9 } }],
  ] as const)("ends the wait for a hanging %s, where no deadline does", async (_, facts) => {
    const run: Harness["run"] = async ({ tools, signal }) => {
      await Promise.race([tools[0]!.execute({}), new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      return { status: "aborted" };
    };
    const script: Partial<Script> = { handlers: { look_up: [{ kind: "hang" }] }, ...facts };
    const trace = await play(run, script, { claims: { ...claims, abort: true } });
    expect(trace.map((event) => event.type)).toEqual(["handler-started", "handler-hangs", "aborted", "ended"]);
  });

  it("leaves a wait to the deadline, where one is claimed", async () => {
    const run: Harness["run"] = async ({ requestApproval }) => {
      const deadline = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5));
      const granted = await Promise.race([requestApproval({ tool: "refund", args: {} }), deadline]);
      return { status: granted ? "answered" : "blocked" };
    };
    const all: Claims = { ...claims, abort: true, deadlineMs: 5 };
    const trace = await play(run, { decisions: ["hang"] }, { claims: all });
    expect(trace.map((event) => event.type)).toEqual(["approval-asked", "human-hangs", "ended"]);
  });

  it("comes while a human who never answers is asked", async () => {
    const run: Harness["run"] = async ({ requestApproval, signal }) => {
      const aborted = new Promise<boolean>((resolve) => signal.addEventListener("abort", () => resolve(false)));
      const granted = await Promise.race([requestApproval({ tool: "refund", args: {} }), aborted]);
      return { status: granted ? "answered" : "aborted" };
    };
    const trace = await play(run, { decisions: ["hang"], abort: { during: "approval", at: 0 } });
    expect(trace.map((event) => event.type)).toEqual(["approval-asked", "human-hangs", "aborted", "ended"]);
  });
});
