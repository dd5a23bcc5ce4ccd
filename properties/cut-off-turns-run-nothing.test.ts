import { describe, expect, test } from "vitest";
import type { Proposal } from "../src/contract/turn.ts";
import { cutOffTurnsRunNothing as rule } from "./cut-off-turns-run-nothing.ts";
import { call, load, traceOf, verdictOn } from "./trace-of.ts";

const reading = { claims: { stopReason: true } };
const cut = (...proposals: readonly Proposal[]) => traceOf(reading).turnWith({ stop: "length" }, ...proposals);

describe("cut-off-turns-run-nothing", () => {
  test("is broken where a call of such a turn runs, then or later, as proposed or changed", () => {
    const trace = cut(call("look_up")).runs("look_up");
    expect(verdictOn(rule, trace)).toBe("cut-off-turn");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"look_up"') }]);
    expect(verdictOn(rule, cut(call("look_up")).turn(call("notify")).runs("notify").runs("look_up"))).toBe(
      "cut-off-turn",
    );
    expect(verdictOn(rule, cut(call("look_up", { order: "A" })).runs("look_up", { order: "B" }))).toBe("cut-off-turn");
  });

  test("holds where nothing of it runs, and the run goes on or stops", () => {
    expect(verdictOn(rule, cut(call("look_up")).ends("failed"))).toBe("holds");
    expect(verdictOn(rule, cut(call("look_up")).turn(call("look_up")).runs("look_up"))).toBe("holds");
  });

  test("leaves gates and malformed arguments to their own rules", () => {
    expect(verdictOn(rule, cut(call("wipe")).runs("wipe"))).toBe("not exercised");
    expect(verdictOn(rule, cut(call("look_up", { text: "{" })).runs("look_up"))).toBe("not exercised");
    expect(verdictOn(rule, cut(call("pay")).runs("pay"))).toBe("not exercised");
  });

  test("has nothing against a call that relies on a load in such a turn, or against turns that stopped otherwise", () => {
    expect(verdictOn(rule, cut(load("refunds")).turn(call("refund")).runs("refund"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf(reading).turnWith({ stop: "end" }, call("look_up")).runs("look_up"))).toBe(
      "not exercised",
    );
  });

  test("needs the stop reason", () => {
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(claims, {})).toBe("the stop reason is not claimed");
    expect(rule.needs({ ...claims, stopReason: true }, {})).toBeUndefined();
  });
});
