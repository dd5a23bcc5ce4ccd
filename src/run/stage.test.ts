import { afterEach, describe, expect, it, vi } from "vitest";
import type { Claims, Harness, TestRun } from "../contract/harness.ts";
import { madeByHelper } from "../contract/helper-input.ts";
import { PLANTED_NAME } from "../contract/planted-name.ts";
import type { Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Turn } from "../contract/turn.ts";
import type { World } from "../world/world.ts";
import { openStage, type Stage } from "./stage.ts";

const claims: Claims = { approvals: "none", deny: false, hiddenTools: "none" };
const world: World = {
  tools: [
    { name: "look_up", description: "", inputSchema: { type: "object" }, permission: "allow", offered: "always" },
  ],
  skills: [],
  maxSteps: 4,
};
const script: Script = { format: 1, world, turns: [], afterTurns: "end", handlers: {}, decisions: [] };

const open = new Set<Stage>();

async function stageOf(
  run: (run: TestRun) => unknown,
  harness: Partial<Harness> = {},
  runTimeoutMs = 5_000,
): Promise<Stage> {
  const whole: Harness = {
    name: "small",
    claims,
    async run(given) {
      await run(given);
      return { status: "answered" };
    },
    ...harness,
  };
  const stage = await openStage(whole, { runTimeoutMs });
  open.add(stage);
  return stage;
}

afterEach(async () => {
  for (const stage of open) await stage.close();
  open.clear();
  expect(Object.hasOwn(Object.prototype, PLANTED_NAME)).toBe(false);
});

function typesOf(trace: Trace | undefined): string[] {
  return (trace ?? []).map((event) => event.type);
}

function say(text: string): Turn {
  return { proposals: [{ kind: "text", text }], stop: "tool-calls" };
}

const inherited = (key: string): (() => string) & Record<string, () => string> => ({})[key as never];

describe("the planted function", () => {
  it("is witnessed when a naive lookup calls it, by itself or as a tool object", async () => {
    const stage = await stageOf(() => {
      expect(inherited(PLANTED_NAME)()).toEqual(expect.any(String));
      inherited(PLANTED_NAME).execute?.();
    });
    const trace = await stage.play(script);
    expect(trace).toEqual([
      { type: "inherited-called", step: 0, name: PLANTED_NAME },
      { type: "inherited-called", step: 0, name: PLANTED_NAME },
      { type: "ended", step: 0, status: "answered" },
    ]);
  });

  it("is there while the stage is open, can't be seen, and does not stand in the way of own keys", async () => {
    const stage = await stageOf(() => {});
    expect(PLANTED_NAME in {}).toBe(true);
    const seen: string[] = [];
    for (const key in {}) seen.push(key);
    expect(seen).toEqual([]);
    const counts: Record<string, number> = {};
    counts[PLANTED_NAME] = 1;
    expect(Object.keys(counts)).toEqual([PLANTED_NAME]);
    inherited(PLANTED_NAME)();
    expect(await stage.play(script)).toHaveLength(1);
    await stage.close();
    await stage.close();
    expect(PLANTED_NAME in {}).toBe(false);
  });

  it("stays until the last of several stages is closed, in whatever order", async () => {
    const first = await stageOf(() => {});
    const second = await stageOf(() => inherited(PLANTED_NAME)());
    await first.close();
    expect(typesOf(await second.play(script))).toEqual(["inherited-called", "ended"]);
    await second.close();
    expect(PLANTED_NAME in {}).toBe(false);
  });

  it("is told apart between runs that go on at the same time", async () => {
    const wait = () => new Promise((resolve) => setTimeout(resolve, 2));
    const guilty = await stageOf(async () => {
      await wait();
      inherited(PLANTED_NAME)();
      await wait();
    });
    const innocent = await stageOf(async () => {
      await wait();
      await wait();
    });
    for (const order of [
      [guilty, innocent],
      [innocent, guilty],
    ]) {
      const traces = await Promise.all(order.map((stage) => stage.play(script)));
      expect(typesOf(traces[order.indexOf(guilty)])).toContain("inherited-called");
      expect(typesOf(traces[order.indexOf(innocent)])).toEqual(["ended"]);
    }
  });

  it("lets a harness check another harness", async () => {
    const outer = await stageOf(async () => {
      const inner = await stageOf(() => inherited(PLANTED_NAME)());
      expect(typesOf(await inner.play(script))).toEqual(["inherited-called", "ended"]);
      await inner.close();
      expect(PLANTED_NAME in {}).toBe(true);
    });
    expect(typesOf(await outer.play(script))).toEqual(["ended"]);
  });

  it("is not planted where the harness lives in another process", async () => {
    const stage = await stageOf(() => expect(PLANTED_NAME in {}).toBe(false), { shape: { sameProcess: false } });
    expect(typesOf(await stage.play(script))).toEqual(["ended"]);
  });
});

describe("the prototypes", () => {
  const pollute = (object: object, key: string, value: unknown) => Reflect.set(object, key, value);

  it("are watched and put back after the run that changed them", async () => {
    const { map } = Array.prototype;
    const edits = [
      () => {},
      () => pollute(Object.prototype, "isAdmin", true),
      () => pollute(Array.prototype, "map", map.bind([])),
      () => pollute(Object, "shortcut", 1),
      () => {},
    ];
    const stage = await stageOf(() => edits.shift()?.());
    const traces = await stage.playAll(edits.map(() => script));
    expect(traces.map((trace) => trace.slice(0, -1))).toEqual([
      [],
      [{ type: "global-changed", step: 0, where: "Object.prototype", key: "isAdmin" }],
      [{ type: "global-changed", step: 0, where: "Array.prototype", key: "map" }],
      [{ type: "global-changed", step: 0, where: "Object", key: "shortcut" }],
      [],
    ]);
    expect("isAdmin" in {}).toBe(false);
    expect(Array.prototype.map).toBe(map);
    expect("shortcut" in Object).toBe(false);
  });

  it("are put back also where the change hides, or takes something away", async () => {
    const edits = [
      () => Object.defineProperty(Map.prototype, "hidden", { value: 1, configurable: true }),
      () => Reflect.deleteProperty(Object.prototype, PLANTED_NAME),
      () => Object.defineProperty(Object.prototype, "__proto__", { get: () => null, configurable: true }),
    ];
    const stage = await stageOf(() => edits.shift()?.());
    const keys = [];
    for (const _ of [1, 2, 3]) keys.push((await stage.play(script)).map((event) => "key" in event && event.key)[0]);
    expect(keys).toEqual(["hidden", PLANTED_NAME, "__proto__"]);
    expect("hidden" in Map.prototype).toBe(false);
    expect(PLANTED_NAME in {}).toBe(true);
    expect(Object.getPrototypeOf({}.constructor)).toBe(Function.prototype);
  });

  it("are put back and told of also where the run hangs", async () => {
    const stage = await stageOf(
      () => {
        pollute(Object.prototype, "isAdmin", true);
        return new Promise(() => {});
      },
      {},
      20,
    );
    expect(typesOf(await stage.play(script))).toEqual(["global-changed", "hung"]);
    expect("isAdmin" in {}).toBe(false);
  });

  it("may be changed by others between the runs", async () => {
    const stage = await stageOf(() => {});
    await stage.play(script);
    pollute(Object.prototype, "polyfill", 1);
    try {
      expect(typesOf(await stage.play(script))).toEqual(["ended"]);
      expect("polyfill" in {}).toBe(true);
    } finally {
      Reflect.deleteProperty(Object.prototype, "polyfill");
    }
  });
});

describe("stray errors", () => {
  it("are recorded for their own run, and end nothing", async () => {
    const runs = [
      () => {},
      () => void Promise.reject(new Error("nobody waits for me")),
      () => new Promise<void>((resolve) => setTimeout(resolve, 1, void Promise.reject(null))),
      () => {
        setImmediate(() => {
          throw new TypeError("outside");
        });
      },
      () => {},
    ];
    const stage = await stageOf(() => runs.shift()?.());
    const traces = await stage.playAll(runs.map(() => script));
    expect(
      traces.map((trace) => trace.flatMap((event) => (event.type === "unhandled-rejection" ? [event.message] : []))),
    ).toEqual([
      [],
      ["Error: nobody waits for me"],
      ["null"],
      ["TypeError: outside (thrown where nobody could catch it)"],
      [],
    ]);
  });

  it("do not count where they are the kit's refusal", async () => {
    const stage = await stageOf((run) => {
      for (let step = 0; step < 8; step += 1) void run.nextTurn();
    });
    const trace = await stage.play(script);
    expect(typesOf(trace)).toContain("kit-refused");
    expect(typesOf(trace)).not.toContain("unhandled-rejection");
  });

  it("go to the listeners of others again once the stage is closed", async () => {
    const listener = vi.fn();
    process.on("unhandledRejection", listener);
    try {
      const before = process.rawListeners("unhandledRejection");
      const stage = await stageOf(() => void Promise.reject(new Error("nobody")));
      const second = await stageOf(() => {});
      await stage.play(script);
      await stage.close();
      await second.close();
      expect(listener).not.toHaveBeenCalled();
      expect(process.rawListeners("unhandledRejection")).toEqual(before);
    } finally {
      process.off("unhandledRejection", listener);
    }
  });
});

describe("a stage", () => {
  it("opens and closes the harness once", async () => {
    const opened = vi.fn(async () => {});
    const closed = vi.fn(async () => {});
    const stage = await stageOf(() => {}, { open: opened, close: closed });
    await Promise.all([stage.close(), stage.close()]);
    expect(opened).toHaveBeenCalledTimes(1);
    expect(closed).toHaveBeenCalledTimes(1);
    await expect(stage.play(script)).rejects.toMatchObject({ code: "stage-closed" });
  });

  it("says when the harness can't be opened, and leaves nothing behind", async () => {
    const fail = async () => Promise.reject(new Error("no port is free"));
    const sentence = expect.stringMatching(
      /^Expected `open` of the harness "small" to resolve, .*no port is free\. Do /,
    );
    await expect(stageOf(() => {}, { open: fail })).rejects.toMatchObject({
      code: "harness-open-failed",
      message: sentence,
    });
    expect(PLANTED_NAME in {}).toBe(false);
  });

  it("takes everything away also where the harness can't be closed", async () => {
    const stage = await stageOf(() => {}, { close: async () => Promise.reject(new Error("busy")) });
    open.clear();
    await expect(stage.close()).rejects.toMatchObject({ code: "harness-close-failed" });
    expect(PLANTED_NAME in {}).toBe(false);
  });

  it("plays a hanging run among others, and hears late effects of each", async () => {
    const runs = [
      () => new Promise(() => {}),
      (run: TestRun) => void setImmediate(() => setImmediate(() => void run.nextTurn())),
      () => {},
    ];
    const stage = await stageOf((run) => runs.shift()?.(run), {}, 20);
    const traces = await stage.playAll([script, script, script]);
    expect(traces.map(typesOf)).toEqual([["hung"], ["ended", "asked", "proposed"], ["ended"]]);
    expect(traces[1]?.slice(1).every((event) => event.late === true)).toBe(true);
  });

  it("ends a portion with the run that hung where asked to", async () => {
    const runs = [() => {}, () => new Promise(() => {}), () => {}];
    const stage = await stageOf(() => runs.shift()?.(), {}, 20);
    const traces = await stage.playAll([script, script, script], { stopAtHang: true });
    expect(traces.map(typesOf)).toEqual([["ended"], ["hung"]]);
    expect((await stage.playAll([script], { stopAtHang: true })).map(typesOf)).toEqual([["ended"]]);
  });

  it("waits for a timer of 1 ms where asked to", async () => {
    const stage = await stageOf((run) => void setTimeout(() => void run.nextTurn(), 1));
    const [trace] = await stage.playAll([script], { timer: true });
    expect(typesOf(trace)).toEqual(["ended", "asked", "proposed"]);
  });

  it("waits as long as the harness says that effects may still arrive", async () => {
    const stage = await stageOf((run) => void setTimeout(() => void run.nextTurn(), 8), { shape: { settleMs: 16 } });
    const [trace] = await stage.playAll([script]);
    expect(typesOf(trace)).toEqual(["ended", "asked", "proposed"]);
  });

  it("does not wait for a clock that a test has stopped", async () => {
    vi.useFakeTimers();
    try {
      const stage = await stageOf(() => new Promise(() => {}), {}, 20);
      expect(typesOf(await stage.play(script))).toEqual(["hung"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("plays the runs before a script first, on the same harness", async () => {
    let count = 0;
    const seen: number[] = [];
    const stage = await stageOf(async (run) => {
      count += 1;
      seen.push(run.maxSteps);
      await run.nextTurn();
    });
    const earlier = { ...script, world: { ...world, maxSteps: 2 } };
    const trace = await stage.play({ ...script, before: [earlier, earlier] });
    expect(seen).toEqual([2, 2, 4]);
    expect(count).toBe(3);
    expect(typesOf(trace)).toEqual(["asked", "proposed", "ended"]);
  });

  it.each([
    [
      [0, 0, 1, 1],
      ["a1", "a2", "b1", "b2"],
    ],
    [
      [1, 0, 0, 1],
      ["b1", "a1", "a2", "b2"],
    ],
    [
      [1, 1, 1, 1],
      ["b1", "b2", "a1", "a2"],
    ],
    [[], ["a1", "b1", "a2", "b2"]],
  ])("lets runs side by side have their turns in the order %j", async (schedule, order) => {
    const heard: string[] = [];
    const stage = await stageOf(async (run) => {
      for (let step = 0; step < 2; step += 1) {
        const [first] = (await run.nextTurn()).proposals;
        if (first?.kind === "text") heard.push(first.text);
      }
    });
    const main: Script = { ...script, turns: [say("a1"), say("a2")] };
    const beside: Script = { ...script, turns: [say("b1"), say("b2")] };
    const trace = await stage.play({ ...main, beside: [beside], schedule });
    expect(heard).toEqual(order);
    expect(typesOf(trace)).toEqual(["asked", "proposed", "asked", "proposed", "ended"]);
  });

  it("gives a human time to answer while runs go side by side, so that another run can come in between", async () => {
    const heard: string[] = [];
    const stage = await stageOf(async (run) => {
      heard.push(`asked ${run.maxSteps}`);
      await run.requestApproval({ tool: "look_up", args: {} });
      heard.push(`answered ${run.maxSteps}`);
    });
    const other = { ...script, world: { ...world, maxSteps: 2 } };
    await stage.play({ ...script, beside: [other] });
    expect(heard).toEqual(["asked 4", "asked 2", "answered 4", "answered 2"]);
  });

  it("keeps each run's effects apart, also where one works with another one's tools", async () => {
    let first: TestRun | undefined;
    const stage = await stageOf(async (run) => {
      first ??= run;
      await first.tools[0]?.execute({ by: run.maxSteps });
    });
    const other = { ...script, world: { ...world, maxSteps: 2 } };
    const trace = await stage.play({ ...script, beside: [other] });
    expect(trace.flatMap((event) => (event.type === "handler-started" ? [event.args] : []))).toEqual([
      { by: 4 },
      { by: 2 },
    ]);
  });
});

describe("hints", () => {
  it.each<[string, unknown, string]>([
    [
      "a result without a text",
      {
        results: [
          { callId: "call-0", text: "" },
          { callId: "call-1", text: JSON.stringify(undefined) },
        ],
      },
      'a result without a `text`, for "call-1"',
    ],
    [
      "a result of another spelling",
      { results: [{ id: "call-1", text: "" }] },
      '`results[0]`: an object of "id", "text"',
    ],
    ["a menu of objects", { menu: ["look_up", {}] }, "`menu[1]`: an empty object"],
    ["a log that is no list", { log: 5 }, "`log`: 5 that can't be read as a list"],
    [
      "a member that throws",
      {
        get results() {
          throw new Error("not yet");
        },
      },
      '`results`, which throws "not yet"',
    ],
  ])("names the first part of an input that is not of the documented form: %s", async (_, input, words) => {
    const whole = { claims: { ...claims, results: true, log: true, menu: true } };
    const stage = await stageOf((run) => run.nextTurn(input as object), whole);
    expect(typesOf(await stage.play(script))).toEqual(["asked", "proposed", "ended"]);
    await stage.play(script);
    expect(stage.hints()).toEqual([expect.stringContaining(words)]);
  });

  it("take a request that throws when it is read for one about nothing", async () => {
    const request = {
      get tool() {
        throw new Error("not yet");
      },
    };
    const stage = await stageOf((run) => run.requestApproval(request as never), {
      claims: { ...claims, approvals: "asked" },
    });
    expect(typesOf(await stage.play(script))).toEqual(["approval-asked", "approval-given", "ended"]);
  });

  it("name what is claimed of approvals where nobody is asked", async () => {
    for (const approvals of ["none", "ends-run"] as const) {
      const stage = await stageOf(() => {}, {
        claims: { ...claims, approvals, sessionGrants: true, budget: "resume" },
      });
      expect(stage.hints().map((hint) => /claims\.\w+/.exec(hint)?.[0])).toEqual([
        "claims.sessionGrants",
        "claims.budget",
      ]);
    }
    const asked = { ...claims, approvals: "asked", sessionGrants: true, budget: "resume" } as const;
    expect((await stageOf(() => {}, { claims: asked })).hints()).toEqual([]);
  });

  const useAll = async (run: TestRun) => {
    void run.signal;
    await run.requestApproval({ tool: "look_up", args: {} });
    await run.nextTurn({ results: [], log: [{ type: "stop" }], menu: [] });
  };

  it("name each claim that is missing for what is used, once", async () => {
    const stage = await stageOf(useAll);
    await stage.playAll([script, script]);
    const named = stage.hints().map((hint) => /claims\.\w+/.exec(hint)?.[0]);
    expect(named).toEqual(["claims.approvals", "claims.results", "claims.log", "claims.menu", "claims.abort"]);
  });

  it("are silent about what is claimed, and about what is not used", async () => {
    const all: Claims = { ...claims, approvals: "asked", results: true, log: true, menu: true, abort: true };
    const claimed = await stageOf(useAll, { claims: all });
    await claimed.play(script);
    expect(claimed.hints()).toEqual([]);
    const unused = await stageOf((run) => run.nextTurn());
    await unused.play(script);
    expect(unused.hints()).toEqual([]);
  });

  it("are silent about what a helper of the kit does", async () => {
    const stage = await stageOf(
      async (run) => {
        void run.signal;
        await run.nextTurn(madeByHelper({ results: [] }));
      },
      { shape: { loop: "none" } },
    );
    await stage.play(script);
    expect(stage.hints()).toEqual([]);
  });

  it("say when something is not of the documented form, which the trace leaves out", async () => {
    const stage = await stageOf((run) => run.nextTurn({ log: [{ type: "note" }, { type: "stop" }] as never }), {
      claims: { ...claims, log: true },
      normalise: async () => ({}),
    });
    const call = { kind: "tool-call", callId: "call-1", name: "look_up", args: "{}" } as const;
    const trace = await stage.play({ ...script, turns: [{ proposals: [call], stop: "tool-calls" }] });
    expect(trace[0]).toEqual({ type: "asked", step: 0, log: [{ type: "stop" }] });
    expect(stage.hints()).toEqual([expect.stringContaining("`normalise`"), expect.stringContaining("`LogEntry`")]);
  });
});
