import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import { everyRunEnds as rule } from "./every-run-ends.ts";
import { call, helpDesk, text, traceOf, verdictOn } from "./trace-of.ts";

const hung = { type: "hung", afterMs: 1_000 } as const;
const failed = { type: "model-failed", failure: "overloaded" } as const;
const again = { type: "asked" } as const;
const pastBudget = { type: "kit-refused", because: "past-the-budget" } as const;
const ran = () => traceOf().turn(call("look_up")).runs("look_up");

describe("every-run-ends", () => {
  test("is broken where a run with nothing wrong in it crashes, hangs or leaves a rejection", () => {
    const crashed = ran().turn().crashes();
    expect(verdictOn(rule, crashed)).toBe("crashed");
    expect(rule.judge(crashed.evidence())).toMatchObject([{ at: 5, because: expect.stringContaining("TypeError") }]);
    expect(verdictOn(rule, ran().event(hung))).toBe("hung");
    const rejected = ran().ends("answered").event({ type: "unhandled-rejection", message: "Error: gone", late: true });
    expect(verdictOn(rule, rejected)).toBe("unhandled-rejection");
    expect(verdictOn(rule, traceOf().crashes())).toBe("crashed");
  });

  test("is broken where a failing model is asked again for ever", () => {
    const retries = (times: number) => {
      const trace = traceOf().asks();
      for (let time = 0; time < times; time += 1) trace.event(failed).event(again);
      return trace.turnWith({ stop: "end" }, text("ok")).ends("answered");
    };
    expect(verdictOn(rule, retries(11))).toBe("endless-retries");
    expect(verdictOn(rule, retries(10))).toBe("holds");
  });

  test("is broken by a fault after a failed request, whatever was proposed before where that was survived alone", () => {
    expect(verdictOn(rule, ran().asks().event(failed).crashes())).toBe("crashed");
    const both = () => traceOf().turn(call("nothing")).asks().event(failed).crashes();
    const script: Script = {
      format: 1,
      world: helpDesk,
      turns: [
        { kind: "failure", failure: "overloaded" },
        { proposals: [], stop: "end" },
      ],
      afterTurns: "end",
      handlers: {},
      decisions: [],
    };
    expect(rule.twin?.(script, both().evidence())?.turns).toEqual([{ proposals: [], stop: "end" }]);
    expect(rule.twin?.(script, ran().crashes().evidence())).toBeUndefined();
    expect(verdictOn(rule, both())).toBe("holds");
    expect(verdictOn(rule, both(), traceOf().turn(call("nothing")).turn(text("ok")).ends("answered"))).toBe("crashed");
    expect(verdictOn(rule, both(), traceOf().turn(call("nothing")).crashes())).toBe("holds");
    expect(verdictOn(rule, both(), traceOf().ends("failed"))).toBe("holds");
  });

  test("is broken by a run that breaks down without its bad proposals too", () => {
    const both = () => traceOf().turn(call("look_up"), call("nothing")).crashes();
    expect(verdictOn(rule, both())).toBe("holds");
    expect(verdictOn(rule, both(), traceOf().turn(call("look_up")).crashes({ name: "InvalidOutcome" }))).toBe(
      "crashed",
    );
    expect(verdictOn(rule, both(), traceOf().turn(call("look_up")).event(hung))).toBe("crashed");
    expect(verdictOn(rule, both(), traceOf().turn(call("look_up")).ends("answered"))).toBe("holds");
  });

  test("holds where the model's own error is passed on, or waited for", () => {
    const error = { name: "ModelError", message: "the model's request failed: overloaded" };
    expect(verdictOn(rule, ran().asks().event(failed).crashes(error))).toBe("holds");
    expect(verdictOn(rule, ran().asks().event(failed).event(again).event(failed).crashes({ name: "Error" }))).toBe(
      "holds",
    );
    expect(verdictOn(rule, ran().asks().event(failed).event(hung))).toBe("holds");
  });

  test("holds where the run ends, by any stop", () => {
    for (const status of ["answered", "out-of-steps", "failed", "blocked"] as const) {
      expect(verdictOn(rule, ran().ends(status))).toBe("holds");
    }
  });

  test("leaves crashes after bad proposals, failing handlers or odd budgets to their rules", () => {
    expect(verdictOn(rule, traceOf().turn(call("nothing")).crashes())).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(call("look_up")).fails("look_up").crashes())).toBe("holds");
    const odd = traceOf({ world: { ...helpDesk, maxSteps: "NaN" } })
      .turn(call("look_up"))
      .runs("look_up");
    expect(verdictOn(rule, odd.crashes())).toBe("not exercised");
  });

  test("takes what comes after the kit's own refusal, an abort or a hanging handler for no evidence", () => {
    expect(verdictOn(rule, ran().asks().event(pastBudget).event(hung))).toBe("holds");
    expect(verdictOn(rule, ran().crashes({ kitMade: true }))).toBe("holds");
    expect(verdictOn(rule, ran().event({ type: "aborted" }).crashes())).toBe("holds");
    expect(verdictOn(rule, ran().event({ type: "handler-hangs", effect: 0, tool: "look_up" }).event(hung))).toBe(
      "holds",
    );
  });

  test("is not exercised where the model said nothing, and needs nothing", () => {
    expect(verdictOn(rule, traceOf().ends("answered"))).toBe("not exercised");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
