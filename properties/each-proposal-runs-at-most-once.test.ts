import { describe, expect, test } from "vitest";
import { eachProposalRunsAtMostOnce as rule } from "./each-proposal-runs-at-most-once.ts";
import { call, text, traceOf, verdictOn } from "./trace-of.ts";

const lookUp = call("look_up", { order: "A" });

describe("each-proposal-runs-at-most-once", () => {
  test("is broken where a call runs twice", () => {
    const trace = traceOf().turn(lookUp).runs("look_up", { order: "A" }).runs("look_up", { order: "A" });
    expect(verdictOn(rule, trace)).toBe("ran-twice");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 4, because: expect.stringContaining('"look_up"') }]);
  });

  test("is broken where a call that failed is tried again, at once or a turn later", () => {
    const failed = () => traceOf().turn(lookUp).fails("look_up", { order: "A" });
    expect(verdictOn(rule, failed().runs("look_up", { order: "A" }))).toBe("retried");
    expect(verdictOn(rule, failed().turn(text("ok")).runs("look_up", { order: "A" }))).toBe("retried");
  });

  test("is broken where a call runs again after a failed request of the model", () => {
    const trace = traceOf().turn(lookUp).runs("look_up", { order: "A" }).asks();
    trace.event({ type: "model-failed", failure: "timeout" }).runs("look_up", { order: "A" }, { step: 0 });
    expect(verdictOn(rule, trace)).toBe("ran-twice");
  });

  test("is broken where something runs that nobody proposed", () => {
    const trace = traceOf().turn(lookUp).runs("look_up", { order: "A" }).runs("notify", { order: "B" });
    expect(verdictOn(rule, trace)).toBe("ran-without-proposal");
  });

  test("holds where each of two equal calls runs once, in one turn or in two, with one id or two", () => {
    const twice = traceOf().turn(lookUp, lookUp).runs("look_up", { order: "A" }).runs("look_up", { order: "A" });
    expect(verdictOn(rule, twice)).toBe("holds");
    const later = traceOf().turn(lookUp).runs("look_up", { order: "A" }).turn(lookUp).runs("look_up", { order: "A" });
    expect(verdictOn(rule, later)).toBe("holds");
    const oneId = call("look_up", {}, { callId: "" });
    const same = { ...oneId, callId: "x" };
    expect(verdictOn(rule, traceOf().turn(same, same).runs("look_up").runs("look_up"))).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(same, same).runs("look_up"))).toBe("holds");
  });

  test("holds where a call runs once though its arguments can be read in two ways", () => {
    const doubled = call("look_up", { text: '{"order":"A","order":"B"}' });
    expect(verdictOn(rule, traceOf().turn(doubled).runs("look_up", { order: "A" }))).toBe("holds");
    expect(
      verdictOn(rule, traceOf().turn(doubled).runs("look_up", { order: "A" }).runs("look_up", { order: "B" })),
    ).toBe("ran-twice");
  });

  test("leaves what a gate forbids, what came late and what another name reached to other rules", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("look_up", { order: "A" }).runs("secret"))).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(call("wipe")).runs("wipe").runs("wipe"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(lookUp).ends("failed").runs("look_up", {}, { late: true }))).toBe(
      "not exercised",
    );
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("notify", { order: "A" }))).toBe("not exercised");
  });

  test("is not exercised where nothing ran, and needs nothing", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp).ends("blocked"))).toBe("not exercised");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
