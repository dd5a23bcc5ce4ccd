import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import type { Proposal } from "../src/contract/turn.ts";
import { badProposalsAreSurvived as rule } from "./bad-proposals-are-survived.ts";
import { call, helpDesk, load, text, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const unknown = call("nothing");
const script: Script = {
  format: 1,
  world: helpDesk,
  turns: [],
  afterTurns: "end",
  handlers: {
    look_up: [
      { kind: "throw", message: "no connection" },
      { kind: "return", value: 1 },
    ],
  },
  decisions: [],
};

describe("bad-proposals-are-survived", () => {
  test("is broken where the run crashes", () => {
    const trace = traceOf().turn(call("look_up")).runs("look_up").turn(unknown).crashes();
    expect(verdictOn(rule, trace)).toBe("crashed");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 6, because: expect.stringContaining('"nothing"') }]);
  });

  test.each([
    ["hidden", call("secret")],
    ["denied", call("wipe")],
    ["unapproved", call("pay")],
    ["malformed", call("look_up", { text: "" })],
    ["invalid", call("look_up", { order: 7 })],
    ["deep", call("look_up", { text: `{"order":${"[".repeat(3000)}${"]".repeat(3000)}}` })],
    ["doubled", call("look_up", { text: '{"order":"A","order":"B"}' })],
    ["unknown skill", load("nothing")],
  ])("is broken by a crash after a proposal that is %s", (_, proposal) => {
    expect(
      verdictOn(
        rule,
        traceOf({ claims: { argumentSchemas: true } })
          .turn(proposal)
          .crashes(),
      ),
    ).toBe("crashed");
  });

  test("is broken where the run hangs or leaves a rejection unhandled", () => {
    expect(verdictOn(rule, traceOf().turn(unknown).event({ type: "hung", afterMs: 2000 }))).toBe("hung");
    const rejected = traceOf().turn(unknown).event({ type: "unhandled-rejection", message: "no such tool" });
    expect(verdictOn(rule, rejected.ends("answered", { thrown: "Stop" }))).toBe("unhandled-rejection");
  });

  test("is broken where the run ends in silence", () => {
    expect(verdictOn(rule, traceOf().turn(call("wipe")).ends("answered"))).toBe("silence");
    expect(verdictOn(rule, traceOf().turn(load("nothing")).ends("out-of-steps"))).toBe("silence");
  });

  test("leaves the failing handler of a call that the harness was free to run to the rule about handlers", () => {
    const paid = () => {
      const turns = traceOf({ claims: { approvals: "asked" } }).turn(call("pay"), load("refunds"));
      return turns.human("approve", "pay", {}, "call-1").runs("pay");
    };
    expect(verdictOn(rule, paid().turn(call("refund")).fails("refund").crashes())).toBe("not exercised");
    expect(verdictOn(rule, paid().turn(unknown).crashes())).toBe("crashed");
  });

  test("leaves silence about an undeclared name to the rule about such names", () => {
    expect(verdictOn(rule, traceOf().turn(unknown).ends("answered"))).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(unknown, call("wipe")).ends("answered"))).toBe("holds");
  });

  test("holds where the refusal is visible, or the run goes on", () => {
    for (const status of ["blocked", "failed", "needs-approval", "aborted"] as const) {
      expect(verdictOn(rule, traceOf().turn(call("wipe")).ends(status))).toBe("holds");
    }
    expect(verdictOn(rule, traceOf().turn(unknown).turn(text("ok")).ends("answered"))).toBe("holds");
  });

  test("holds where a human was asked, or a sibling ran", () => {
    const asked = traceOf({ claims: { approvals: "asked" } })
      .turn(call("pay"))
      .human("deny", "pay")
      .ends("answered");
    expect(verdictOn(rule, asked)).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(unknown, call("look_up")).runs("look_up").ends("answered"))).toBe("holds");
  });

  test("blames no proposal for a crash before it, or without one, or after an approved call that ran", () => {
    expect(verdictOn(rule, traceOf().turn(call("look_up")).runs("look_up").crashes())).toBe("not exercised");
    const asked = traceOf({ claims: { approvals: "asked" } })
      .turn(call("pay"))
      .human("approve", "pay")
      .runs("pay");
    expect(verdictOn(rule, asked.crashes())).toBe("not exercised");
  });

  test("takes the kit's own refusals, aborts and late crashes for no evidence", () => {
    expect(verdictOn(rule, traceOf().turn(unknown).crashes({ kitMade: true }))).toBe("holds");
    expect(
      verdictOn(rule, traceOf().turn(unknown).event({ type: "kit-refused", because: "past-the-budget" }).crashes()),
    ).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(unknown).event({ type: "aborted" }).crashes())).toBe("holds");
  });

  test("blames no bad proposal where the run breaks down without it too", () => {
    const honest = call("look_up", {}, { callId: "a" });
    const bad = call("wipe", {}, { callId: "b" });
    const both = () => traceOf().turn(honest, bad).crashes();
    const turns = [{ proposals: [honest, bad], stop: "tool-calls" as const }];
    expect(rule.twin?.({ ...script, handlers: {}, turns }, both().evidence())?.turns).toEqual([
      { proposals: [honest, { ...honest, callId: "b" }], stop: "tool-calls" },
    ]);
    expect(verdictOn(rule, both(), traceOf().turn(honest).crashes())).toBe("holds");
    expect(verdictOn(rule, both(), traceOf().turn(honest).event({ type: "hung", afterMs: 1 }))).toBe("holds");
    expect(verdictOn(rule, both(), traceOf().turn(honest).runs("look_up").turn().ends("answered"))).toBe("crashed");
  });

  test("mends what is only odd, and gives an id of its own to what repeats one", () => {
    const odd = call(
      "look_up",
      { text: '{"order":"A","order":"B"}' },
      { callId: "__proto__", extra: { role: "admin" } },
    );
    const same = call("notify", {}, { callId: "__proto__" });
    const trace = traceOf().turnWith({ stop: "end" }, odd, same).crashes();
    const twin = rule.twin?.(
      { ...script, handlers: {}, turns: [{ proposals: [odd, same], stop: "end" }] },
      trace.evidence(),
    );
    expect(twin?.turns).toMatchObject([
      {
        proposals: [
          { callId: "__proto__", name: "look_up", args: expect.stringMatching(/^\{"order":"[AB]"\}$/) },
          { callId: "__proto__-0-1", name: "notify", args: "{}" },
        ],
        stop: "tool-calls",
      },
    ]);
  });

  test("shortens what is only large, and makes arguments up where no sound ones were proposed", () => {
    const properties = { order: { type: "string" }, cents: { type: "integer", minimum: 5 }, note: { type: "string" } };
    const inputSchema = { type: "object", properties, required: ["order", "cents"] };
    const world = { ...helpDesk, tools: [toolNamed("list", { inputSchema })] };
    const argumentsFor = (proposal: Proposal) => {
      const turns: Script["turns"] = [{ proposals: [proposal], stop: "tool-calls" }];
      const twin = rule.twin?.({ ...script, world, turns }, traceOf({ world }).turn(proposal).crashes().evidence());
      return twin?.turns.flatMap((turn) => ("kind" in turn ? [] : turn.proposals));
    };
    const long = "x".repeat(20_000);
    expect(argumentsFor(call("list", { order: "A", cents: 7, note: long }))).toMatchObject([
      { args: '{"order":"A","cents":7}' },
    ]);
    expect(argumentsFor(call("list", { order: long, cents: 7 }))).toMatchObject([
      { args: `{"order":"${"x".repeat(20)}","cents":7}` },
    ]);
    expect(argumentsFor(unknown)).toMatchObject([{ name: "list", args: '{"order":"A-1","cents":5}' }]);
  });

  test("keeps a bad proposal under an odd id where no honest call is to be had", () => {
    const world = { ...helpDesk, tools: [toolNamed("pay", { permission: "ask" as const })] };
    const twinFor = (callId: string) => {
      const pay = call("pay", {}, { callId });
      const turns: Script["turns"] = [{ proposals: [pay], stop: "tool-calls" }];
      return rule.twin?.({ ...script, world, turns }, traceOf({ world }).turn(pay).crashes().evidence())?.turns;
    };
    expect(twinFor("constructor")).toHaveLength(1);
    expect(twinFor("call-1")).toEqual([]);
  });

  test("needs no honest call, and leaves out what was never played and what the human said of it", () => {
    const turn = (proposal: Proposal) => ({ proposals: [proposal], stop: "tool-calls" as const });
    const pay = call("pay", {}, { callId: "a" });
    const payMore = call("pay", { order: "B" }, { callId: "b" });
    const world = { ...helpDesk, tools: [toolNamed("pay", { permission: "ask" as const })] };
    const trace = traceOf({ world, claims: { approvals: "asked" } })
      .turn(pay)
      .human("deny", "pay")
      .turn(payMore);
    trace.human("approve", "pay", { order: "B" }).runs("pay", { order: "B" }).crashes();
    const played: Script = {
      ...script,
      turns: [turn(pay), turn(payMore), turn(unknown)],
      afterTurns: "repeat-last",
      decisions: ["deny", "approve"],
    };
    const twin = rule.twin?.(played, trace.evidence());
    expect(twin).toMatchObject({ turns: [turn(payMore)], afterTurns: "end", decisions: ["approve", "approve"] });
    const repeated = traceOf({ world }).turn(unknown).turn(unknown).crashes();
    const again: Script = { ...script, turns: [turn(call("nothing", {}, { callId: "c" }))], afterTurns: "repeat-last" };
    expect(rule.twin?.(again, repeated.evidence())).toMatchObject({ turns: [], afterTurns: "end" });
  });

  test("tries the script with handlers that work where one failed too", () => {
    const both = traceOf().turn(call("look_up")).fails("look_up").turn(unknown).crashes();
    expect(verdictOn(rule, both)).toBe("holds");
    const twin = rule.twin?.(script, both.evidence());
    expect(twin?.turns).toEqual(script.turns);
    expect(Object.values(twin?.handlers ?? {}).flat()).not.toContainEqual(expect.objectContaining({ kind: "throw" }));
    const working = () => traceOf().turn(call("look_up")).runs("look_up").turn(unknown);
    expect(verdictOn(rule, both, working().crashes())).toBe("crashed");
    expect(verdictOn(rule, both, working().ends("failed"))).toBe("holds");
  });

  test("tries the script without it where the model failed too", () => {
    const failed = { type: "model-failed", failure: "timeout" } as const;
    const modelToo = traceOf().turn(unknown).asks().event(failed).crashes();
    expect(verdictOn(rule, modelToo)).toBe("holds");
    const turns: Script["turns"] = [{ kind: "failure", failure: "timeout" }];
    expect(rule.twin?.({ ...script, turns: [...turns, ...turns] }, modelToo.evidence())?.turns).toEqual(turns);
    expect(verdictOn(rule, modelToo, traceOf().asks().event(failed).crashes())).toBe("holds");
    expect(verdictOn(rule, modelToo, traceOf().asks().event(failed).ends("failed"))).toBe("crashed");
  });

  test("holds where the model's own error is passed on", () => {
    const trace = traceOf().turn(unknown).asks().event({ type: "model-failed", failure: "timeout" });
    expect(rule.twin?.(script, trace.crashes({ name: "ModelError" }).evidence())).toBeUndefined();
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("does not mind how a turn past the budget is met", () => {
    const trace = traceOf({ world: { ...helpDesk, maxSteps: 1 } })
      .turn(call("look_up"))
      .runs("look_up");
    expect(verdictOn(rule, trace.turn(call("wipe")).ends("answered"))).toBe("holds");
  });

  test("asks for no twin where nothing broke, or nothing bad was proposed", () => {
    expect(rule.twin?.(script, traceOf().turn(call("look_up")).crashes().evidence())).toBeUndefined();
    expect(
      rule.twin?.(script, traceOf().turn(unknown, call("look_up")).fails("look_up").ends("failed").evidence()),
    ).toBeUndefined();
  });

  test("needs nothing", () => {
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
