import { describe, expect, test } from "vitest";
import { nothingRunsAfterTheStop as rule } from "./nothing-runs-after-the-stop.ts";
import { call, text, traceOf, verdictOn } from "./trace-of.ts";

const ended = () => traceOf().turn(call("look_up"), call("notify")).runs("look_up").ends("failed");

describe("nothing-runs-after-the-stop", () => {
  test("is broken where a handler starts late, allowed or not", () => {
    const trace = ended().runs("notify", {}, { late: true });
    expect(verdictOn(rule, trace)).toBe("late-handler");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 6, because: expect.stringContaining('"notify"') }]);
    expect(verdictOn(rule, ended().runs("wipe", {}, { late: true }))).toBe("late-handler");
    expect(verdictOn(rule, ended().event({ type: "inherited-called", name: "toString", late: true }))).toBe(
      "late-handler",
    );
  });

  test("is broken where a turn is asked for late", () => {
    expect(verdictOn(rule, ended().event({ type: "asked", late: true }))).toBe("late-turn");
  });

  test("is broken after a crash as well", () => {
    const crashed = traceOf().turn(call("look_up"), call("notify")).fails("look_up").crashes();
    expect(verdictOn(rule, crashed.runs("notify", {}, { late: true }))).toBe("late-handler");
  });

  test("holds where nothing starts any more, though something settles", () => {
    expect(verdictOn(rule, ended())).toBe("holds");
    const settles = { type: "handler-settled", effect: 0, tool: "look_up", outcome: "returned", late: true } as const;
    expect(verdictOn(rule, ended().event(settles))).toBe("holds");
    expect(verdictOn(rule, ended().event({ type: "unhandled-rejection", message: "x", late: true }))).toBe("holds");
  });

  test("takes what comes after the kit's own refusal for no evidence", () => {
    const refused = traceOf().turn(call("look_up")).asks().event({ type: "kit-refused", because: "past-the-budget" });
    expect(verdictOn(rule, refused.crashes({ kitMade: true }).runs("look_up", {}, { late: true }))).toBe(
      "not exercised",
    );
  });

  test("is not exercised without an end, or without a call", () => {
    expect(verdictOn(rule, traceOf().turn(call("look_up")).event({ type: "hung", afterMs: 1 }))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(text("ok")).ends("answered"))).toBe("not exercised");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
