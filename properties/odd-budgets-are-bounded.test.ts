import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import type { MaxSteps } from "../src/world/budget.ts";
import { oddBudgetsAreBounded as rule } from "./odd-budgets-are-bounded.ts";
import { call, helpDesk, text, traceOf, verdictOn } from "./trace-of.ts";

const within = (maxSteps: MaxSteps) => traceOf({ world: { ...helpDesk, maxSteps } });
const lookUp = call("look_up");
const hung = { type: "hung", afterMs: 1_000 } as const;

describe("odd-budgets-are-bounded", () => {
  test.each([
    [0, "budget-zero"],
    [-1, "budget-negative"],
    [-2.5, "budget-negative"],
    ["-Infinity", "budget-negative"],
    ["NaN", "budget-nan"],
    [0.5, "budget-fractional"],
  ] as const)("is broken where a budget of %s asks for a turn", (maxSteps, cause) => {
    expect(verdictOn(rule, within(maxSteps).turn(text("ok")).ends("answered"))).toBe(cause);
  });

  test("is broken where a fraction is rounded up", () => {
    const trace = within(1.5).turn(lookUp).runs("look_up").asks();
    expect(verdictOn(rule, trace)).toBe("budget-fractional");
    expect(rule.judge(trace.evidence())).toMatchObject([
      { at: 4, because: "Turn 2 was asked for, but the budget is 1.5, which allows 1." },
    ]);
  });

  test("is broken where the run crashes after it has asked, or hangs", () => {
    expect(verdictOn(rule, within(2.5).turn(lookUp).runs("look_up").crashes())).toBe("crashed-budget-fractional");
    expect(verdictOn(rule, within("NaN").event(hung))).toBe("hung-budget-nan");
    expect(verdictOn(rule, within(0).crashes({ name: "InvalidOutcome" }))).toBe("crashed-budget-zero");
  });

  test.each([0, -1, 0.5, "NaN", "-Infinity"] as const)("holds where a budget of %s asks for nothing", (maxSteps) => {
    for (const status of ["out-of-steps", "failed", "answered"] as const) {
      expect(verdictOn(rule, within(maxSteps).ends(status))).toBe("holds");
    }
  });

  test("holds where the budget is refused by an error before anything was asked for", () => {
    expect(verdictOn(rule, within(-1).crashes({ name: "RangeError", message: "maxSteps must be positive" }))).toBe(
      "holds",
    );
    expect(verdictOn(rule, within(2.5).ends("failed", { thrown: "BadBudget" }))).toBe("not exercised");
  });

  test("holds where a fraction is read as the whole number below it", () => {
    const trace = within(2.5).turn(lookUp).runs("look_up").turn(lookUp).runs("look_up").ends("out-of-steps");
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("leaves crashes after a failing handler or a bad proposal to their rules", () => {
    expect(verdictOn(rule, within(2.5).turn(lookUp).fails("look_up").crashes())).toBe("not exercised");
    expect(verdictOn(rule, within(2.5).turn(call("nothing")).crashes())).toBe("not exercised");
  });

  test("blames no budget where the run breaks down within a whole number too", () => {
    const trace = () => within(2.5).turn(lookUp).runs("look_up").crashes();
    const script: Script = {
      format: 1,
      world: { ...helpDesk, maxSteps: 2.5 },
      turns: [],
      afterTurns: "end",
      handlers: {},
      decisions: [],
    };
    expect(rule.twin?.(script, trace().evidence())?.world.maxSteps).toBe(2);
    expect(verdictOn(rule, trace(), within(2).turn(lookUp).runs("look_up").crashes())).toBe("not exercised");
    const through = within(2).turn(lookUp).runs("look_up").turn(text("ok")).ends("answered");
    expect(verdictOn(rule, trace(), through)).toBe("crashed-budget-fractional");
    expect(rule.twin?.(script, within(2.5).turn(lookUp).ends("answered").evidence())).toBeUndefined();
    const endless: Script = { ...script, world: { ...helpDesk, maxSteps: "NaN" } };
    const long = within("NaN").turn(lookUp).turn(lookUp).turn(lookUp).crashes();
    expect(rule.twin?.(endless, long.evidence())?.world.maxSteps).toBe(3);
  });

  test("takes what comes after the kit's own refusal for no evidence of a crash", () => {
    const trace = within("NaN").asks().event({ type: "kit-refused", because: "past-the-budget" }).event(hung);
    expect(verdictOn(rule, trace)).toBe("budget-nan");
  });

  test("does not judge budgets that are positive whole numbers", () => {
    expect(verdictOn(rule, within(1).turn(lookUp).asks().crashes())).toBe("not exercised");
  });

  test("needs a loop and a budget", () => {
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(claims, { loop: "none" })).toBe("the harness has no loop of its own");
    expect(rule.needs({ ...claims, budget: "none" }, {})).toBe("a budget is not claimed");
    expect(rule.needs(claims, {})).toBeUndefined();
  });
});
