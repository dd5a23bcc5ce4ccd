import { describe, expect, test } from "vitest";
import type { Claims } from "../src/contract/harness.ts";
import { peopleAreAskedOnlyAboutRealCalls as rule } from "./people-are-asked-only-about-real-calls.ts";
import { call, helpDesk, load, type TraceBuilder, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const world = {
  ...helpDesk,
  tools: [
    ...helpDesk.tools,
    toolNamed("hidden_pay", { permission: "ask", offered: "never" }),
    toolNamed("skill_pay", { permission: "ask", offered: { afterSkill: "refunds" } }),
  ],
};

function asked(claims: Partial<Claims> = {}, shape = {}): TraceBuilder {
  return traceOf({ world, claims: { approvals: "asked", ...claims }, shape });
}

describe("people-are-asked-only-about-real-calls", () => {
  test("is broken where an undeclared name is put to the human, and holds where it is refused", () => {
    const trace = () => asked().turn(call("Pay"));
    expect(verdictOn(rule, trace().human("deny", "Pay"))).toBe("undeclared-name");
    expect(verdictOn(rule, trace().human("deny", "pay", {}, "call-1"))).toBe("undeclared-name");
    expect(verdictOn(rule, trace().ends("blocked"))).toBe("holds");
    expect(rule.judge(trace().human("deny", "Pay").evidence())).toMatchObject([
      { at: 2, because: expect.stringContaining('"Pay"') },
    ]);
  });

  test("is broken where a hidden tool is put to the human, and holds where it is refused, or was opened before", () => {
    const trace = () => asked().turn(call("hidden_pay"));
    expect(verdictOn(rule, trace().human("approve", "hidden_pay"))).toBe("not-offered");
    expect(verdictOn(rule, trace().ends("blocked"))).toBe("holds");
    const early = () => asked().turn(call("skill_pay"), load("refunds"));
    expect(verdictOn(rule, early().human("approve", "skill_pay"))).toBe("not-offered");
    const opened = early().turn(call("skill_pay")).human("approve", "skill_pay", {}, "call-3");
    expect(verdictOn(rule, opened)).toBe("holds");
  });

  test("is broken where a denied call is put to the human, and holds where an allowed one is", () => {
    expect(verdictOn(rule, asked().turn(call("wipe")).human("deny", "wipe"))).toBe("denied");
    expect(verdictOn(rule, asked().turn(call("wipe")).ends("blocked"))).toBe("holds");
    expect(verdictOn(rule, asked().turn(call("wipe"), call("look_up")).human("approve", "look_up"))).toBe("holds");
  });

  test("is broken where a malformed call is put to the human, whatever arguments are shown", () => {
    const trace = () => asked().turn(call("pay", { text: '{"order":' }));
    for (const shown of [{}, null, '{"order":', { order: "A" }]) {
      expect(verdictOn(rule, trace().human("deny", "pay", shown, "call-1"))).toBe("malformed");
      expect(verdictOn(rule, trace().human("deny", "pay", shown))).toBe("malformed");
    }
    expect(verdictOn(rule, trace().ends("blocked"))).toBe("holds");
    const beside = () => asked().turn(call("pay", { text: "[" }), call("pay", { order: "A" }));
    expect(verdictOn(rule, beside().human("deny", "pay", {}, "call-1"))).toBe("malformed");
    expect(verdictOn(rule, beside().human("deny", "pay", { order: "A" }, "call-2"))).toBe("holds");
    expect(verdictOn(rule, beside().human("deny", "pay", { order: "A" }))).toBe("holds");
    expect(verdictOn(rule, beside().human("deny", "pay", { order: "A" }, "call-1"))).toBe("holds");
  });

  test("is broken where a call of a cut-off turn is put to the human, where that is claimed", () => {
    const trace = (stopReason: boolean) => asked({ stopReason }).turnWith({ stop: "length" }, call("pay"));
    expect(verdictOn(rule, trace(true).human("deny", "pay"))).toBe("cut-off");
    expect(verdictOn(rule, trace(true).ends("blocked"))).toBe("holds");
    expect(verdictOn(rule, trace(false).human("deny", "pay"))).toBe("not exercised");
  });

  test("is broken where invalid arguments are put to the human, where validation is claimed", () => {
    const trace = (argumentSchemas: boolean) => asked({ argumentSchemas }).turn(call("pay", { order: 7 }));
    expect(verdictOn(rule, trace(true).human("deny", "pay", { order: 7 }))).toBe("invalid-arguments");
    expect(verdictOn(rule, trace(true).human("deny", "pay", { order: "7" }))).toBe("invalid-arguments");
    expect(verdictOn(rule, trace(true).ends("blocked"))).toBe("holds");
    expect(verdictOn(rule, trace(false).human("deny", "pay", { order: 7 }))).toBe("not exercised");
  });

  test("is broken where the human is asked about what was not proposed", () => {
    expect(verdictOn(rule, asked().turn(call("look_up")).human("deny", "pay"))).toBe("not-proposed");
    expect(verdictOn(rule, asked().human("deny", "pay").turn(call("pay")))).toBe("not-proposed");
  });

  test("says nothing of what the contract leaves to harnesses", () => {
    const doubled = asked().turn(call("wipe"), call("pay", { text: '{"order":"A","order":"B"}' }));
    expect(verdictOn(rule, doubled.human("deny", "pay", { order: "A" }))).toBe("holds");
    const afterLoad = asked().turn(call("wipe"), load("refunds"), call("skill_pay"));
    expect(verdictOn(rule, afterLoad.human("approve", "skill_pay"))).toBe("holds");
    const oneId = asked().turn(call("pay", { text: "" }, { callId: "x" }), call("pay", {}, { callId: "x" }));
    expect(verdictOn(rule, oneId.human("deny", "pay", {}, "x"))).toBe("holds");
    const empty = asked({}, { emptyArguments: "empty-object" }).turn(call("wipe"), call("pay", { text: "" }));
    expect(verdictOn(rule, empty.human("deny", "pay", {}))).toBe("holds");
    const ended = asked().turnWith({ stop: "end" }, call("wipe"), call("pay"));
    expect(verdictOn(rule, ended.human("deny", "pay"))).toBe("holds");
  });

  test("holds where a call is asked about turns later, beside a bad one of that tool", () => {
    const trace = asked()
      .turn(call("pay", { order: "A" }))
      .turn(call("pay", { text: "[" }));
    expect(verdictOn(rule, trace.human("deny", "pay", { order: "A" }))).toBe("holds");
    const again = asked().turn(call("wipe"), call("pay")).human("later", "pay").human("approve", "pay");
    expect(verdictOn(rule, again)).toBe("holds");
  });

  test("needs approvals that are asked for", () => {
    expect(rule.level).toBe("should");
    expect(rule.needs({ approvals: "asked", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
    expect(rule.needs({ approvals: "ends-run", deny: false, hiddenTools: "none" }, {})).toContain("not claimed");
  });
});
