import { describe, expect, test } from "vitest";
import type { MaxSteps } from "../src/world/budget.ts";
import { stepsStayWithinBudget as rule } from "./steps-stay-within-budget.ts";
import { call, helpDesk, load, text, traceOf, verdictOn } from "./trace-of.ts";

const within = (maxSteps: MaxSteps) => ({ world: { ...helpDesk, maxSteps } });
const lookUp = call("look_up");

describe("steps-stay-within-budget", () => {
  test("is broken where one turn too many is asked for", () => {
    const trace = traceOf(within(2)).turn(lookUp).runs("look_up").turn(lookUp).runs("look_up").asks();
    expect(verdictOn(rule, trace)).toBe("over-budget");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 8, because: expect.stringContaining("Turn 3") }]);
  });

  test("is broken whatever the turns were spent on", () => {
    expect(verdictOn(rule, traceOf(within(1)).turn(load("refunds")).asks())).toBe("over-budget");
    expect(verdictOn(rule, traceOf(within(1)).turn(call("nothing")).asks())).toBe("over-budget");
    expect(verdictOn(rule, traceOf(within(1)).turn(lookUp).fails("look_up").asks())).toBe("over-budget");
  });

  test("is broken where the kit had to refuse a turn, but not where it refused after too many failed requests", () => {
    const refusal = { type: "kit-refused", because: "past-the-budget" } as const;
    const past = traceOf(within(1)).turn(lookUp).runs("look_up").asks().event(refusal);
    expect(verdictOn(rule, past)).toBe("over-budget");
    const failing = traceOf(within(2)).turn(lookUp).runs("look_up").asks();
    failing.event({ type: "model-failed", failure: "timeout" }).event({ type: "asked" }).event(refusal);
    expect(verdictOn(rule, failing.crashes({ kitMade: true }))).not.toBe("over-budget");
  });

  test("holds where the run stops with its last step, though the model wanted more", () => {
    const trace = traceOf(within(2)).turn(lookUp).runs("look_up").turn(lookUp).runs("look_up").ends("out-of-steps");
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("is not exercised where steps are left, or the last one brought an answer or a refusal", () => {
    expect(verdictOn(rule, traceOf(within(3)).turn(lookUp).runs("look_up").turn(text("ok")).ends("answered"))).toBe(
      "not exercised",
    );
    expect(verdictOn(rule, traceOf(within(1)).turn(text("ok")).ends("answered"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf(within(1)).turn(call("wipe")).ends("blocked"))).toBe("not exercised");
  });

  test("starts to count again at each approval where the budget says so", () => {
    const setting = { ...within(1), claims: { approvals: "asked", budget: "resume" } } as const;
    const trace = traceOf(setting).turn(call("pay")).human("approve", "pay").runs("pay").turn(lookUp).runs("look_up");
    expect(verdictOn(rule, trace)).toBe("holds");
    expect(verdictOn(rule, trace.asks())).toBe("over-budget");
  });

  test("does not start again where the budget is for the whole run, or the human said no", () => {
    const run = traceOf({ ...within(1), claims: { approvals: "asked" } })
      .turn(call("pay"))
      .human("approve", "pay");
    expect(verdictOn(rule, run.runs("pay").asks())).toBe("over-budget");
    const denied = traceOf({ ...within(1), claims: { approvals: "asked", budget: "resume" } }).turn(call("pay"));
    expect(verdictOn(rule, denied.human("deny", "pay").asks())).toBe("over-budget");
  });

  test.each([0, -1, 2.5, "NaN", "-Infinity"] as const)("leaves the odd budget %s to its own rule", (maxSteps) => {
    expect(verdictOn(rule, traceOf(within(maxSteps)).turn(lookUp).runs("look_up").turn(lookUp).asks().asks())).toBe(
      "not exercised",
    );
  });

  test("a failed request that is made again is the same turn", () => {
    const trace = traceOf(within(1)).asks().event({ type: "model-failed", failure: "timeout" });
    trace.event({ type: "asked", step: 0 }).event({ type: "proposed", position: 0, proposal: text("ok"), stop: "end" });
    expect(verdictOn(rule, trace.ends("answered"))).toBe("not exercised");
  });

  test("needs a loop and a budget", () => {
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(claims, { loop: "none" })).toBe("the harness has no loop of its own");
    expect(rule.needs({ ...claims, budget: "none" }, {})).toBe("a budget is not claimed");
    expect(rule.needs(claims, {})).toBeUndefined();
  });
});
