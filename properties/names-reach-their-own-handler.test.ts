import { describe, expect, test } from "vitest";
import { namesReachTheirOwnHandler as rule } from "./names-reach-their-own-handler.ts";
import { call, helpDesk, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

describe("names-reach-their-own-handler", () => {
  test("is broken where another handler runs", () => {
    const trace = traceOf()
      .turn(call("look_up", { order: "A" }))
      .runs("notify", { order: "A" });
    expect(verdictOn(rule, trace)).toBe("another-handler");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"notify"') }]);
  });

  test("is broken where the id shows it, though the arguments were changed", () => {
    const trace = traceOf()
      .turn(call("look_up", { order: "A" }))
      .runs("notify", {}, { callId: "call-1" });
    expect(verdictOn(rule, trace)).toBe("another-handler");
  });

  test("holds where each handler runs its own calls, in any order", () => {
    const trace = traceOf().turn(call("look_up"), call("notify")).runs("notify").runs("look_up");
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("holds for odd but legal names", () => {
    const world = { ...helpDesk, tools: [toolNamed("__proto__"), toolNamed("constructor")] };
    const trace = traceOf({ world }).turn(call("__proto__"), call("constructor")).runs("__proto__").runs("constructor");
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("is not exercised where nothing ran", () => {
    expect(verdictOn(rule, traceOf().turn(call("wipe")).ends("blocked"))).toBe("not exercised");
  });

  test("needs nothing", () => {
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
