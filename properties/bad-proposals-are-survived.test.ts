import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import { badProposalsAreSurvived as rule } from "./bad-proposals-are-survived.ts";
import { call, helpDesk, load, text, traceOf, verdictOn } from "./trace-of.ts";

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

  test("tries the script without failing handlers where a handler failed too", () => {
    const both = traceOf().turn(call("look_up")).fails("look_up").turn(unknown).crashes();
    expect(verdictOn(rule, both)).toBe("holds");
    expect(rule.twin?.(script, both.evidence())?.handlers).toEqual({
      look_up: [
        { kind: "return", value: "done" },
        { kind: "return", value: 1 },
      ],
    });
    const crashesToo = traceOf().turn(call("look_up")).runs("look_up").turn(unknown).crashes();
    expect(verdictOn(rule, both, crashesToo)).toBe("crashed");
    const survives = traceOf().turn(call("look_up")).runs("look_up").turn(unknown).ends("blocked");
    expect(verdictOn(rule, both, survives)).toBe("holds");
  });

  test("tries the script with a model that answers where the model's own request failed too", () => {
    const failed = { type: "model-failed", failure: "timeout" } as const;
    const both = () => traceOf().turn(unknown).asks().event(failed).crashes();
    expect(verdictOn(rule, both())).toBe("holds");
    const turns: Script["turns"] = [{ kind: "failure", failure: "timeout" }];
    expect(rule.twin?.({ ...script, turns }, both().evidence())?.turns).toEqual([]);
    expect(verdictOn(rule, both(), traceOf().turn(unknown).crashes())).toBe("crashed");
    expect(verdictOn(rule, both(), traceOf().turn(unknown).turn(text("ok")).ends("answered"))).toBe("holds");
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

  test("asks for no twin where nothing broke, or no handler failed", () => {
    expect(rule.twin?.(script, traceOf().turn(unknown).crashes().evidence())).toBeUndefined();
    expect(
      rule.twin?.(script, traceOf().turn(unknown, call("look_up")).fails("look_up").ends("failed").evidence()),
    ).toBeUndefined();
  });

  test("needs nothing", () => {
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
