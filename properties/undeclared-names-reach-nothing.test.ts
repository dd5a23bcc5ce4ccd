import { describe, expect, test } from "vitest";
import { call, text, traceOf, verdictOn } from "./trace-of.ts";
import { undeclaredNamesReachNothing as rule } from "./undeclared-names-reach-nothing.ts";

const inherited = call("toString");
const refusal = { callId: "call-1", text: "no such tool", isError: true };

describe("undeclared-names-reach-nothing", () => {
  test("is broken where an inherited function is called", () => {
    const trace = traceOf().turn(inherited).event({ type: "inherited-called", name: "toString" }).turn();
    expect(verdictOn(rule, trace)).toBe("inherited-name");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"toString"') }]);
  });

  test("is broken where a look-alike reaches a handler", () => {
    expect(verdictOn(rule, traceOf().turn(call("Look_Up")).runs("look_up"))).toBe("undeclared-name");
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("look_up ", { order: "A", x: 1 }))
          .runs("look_up", { order: "A" }),
      ),
    ).toBe("undeclared-name");
  });

  test("asserts no more than is known where a declared name came with the same arguments", () => {
    const because = (callId?: string) => {
      const trace = traceOf().turn(call("notify"), call("nothing"));
      const [verdict] = [
        rule.judge(trace.runs("look_up", {}, callId === undefined ? {} : { callId }).evidence()),
      ].flat();
      return verdict?.kind === "violated" ? verdict.because : verdict;
    };
    expect(because()).toContain('"nothing", a name that no tool declares, or "notify" was called in turn 1');
    expect(because("call-2")).toContain('"nothing" was called in turn 1, a name that no tool declares, and');
  });

  test("is broken where the id shows it, though the sound call beside it has the same arguments", () => {
    const trace = traceOf().turn(call("look_up"), call("LOOK_UP"));
    trace.runs("look_up", {}, { callId: "call-1" }).runs("look_up", {}, { callId: "call-2" });
    expect(verdictOn(rule, trace)).toBe("undeclared-name");
  });

  test("is broken where an invocation is reported under the name itself", () => {
    expect(verdictOn(rule, traceOf().turn(call("nothing")).runs("nothing"))).toBe("undeclared-name");
  });

  test("is broken where the result is no error", () => {
    const answered = traceOf()
      .turn(inherited)
      .turnWith({ results: [{ callId: "call-1", text: "[object Object]" }] });
    expect(verdictOn(rule, answered)).toBe("answered-as-success");
  });

  test("is broken where the run ends in silence", () => {
    expect(verdictOn(rule, traceOf().turn(inherited).ends("answered"))).toBe("silence");
    expect(verdictOn(rule, traceOf().turn(inherited).ends("out-of-steps"))).toBe("silence");
  });

  test("does not guess about a silence that another bad proposal shares", () => {
    expect(verdictOn(rule, traceOf().turn(inherited, call("wipe")).ends("answered"))).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(inherited, call("look_up")).ends("answered"))).toBe("silence");
  });

  test("holds where the refusal is visible", () => {
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(inherited)
          .turnWith({ results: [refusal] }, text("ok"))
          .ends("answered"),
      ),
    ).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(inherited).ends("blocked"))).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(inherited).ends("answered", { thrown: "UnknownToolError" }))).toBe("holds");
  });

  test("holds where the refusal took the last step", () => {
    const world = { ...traceOf().evidence().world, maxSteps: 1 };
    expect(verdictOn(rule, traceOf({ world }).turn(inherited).ends("out-of-steps"))).toBe("holds");
  });

  test("judges no result where the wire has no error flag, results are not claimed, or an id came twice", () => {
    const said = { callId: "call-1", text: "no such tool" };
    expect(
      verdictOn(
        rule,
        traceOf({ shape: { errorFlag: false } })
          .turn(inherited)
          .turnWith({ results: [said] }),
      ),
    ).toBe("holds");
    expect(
      verdictOn(
        rule,
        traceOf({ claims: { results: false } })
          .turn(inherited)
          .turnWith({ results: [said] }),
      ),
    ).toBe("holds");
    const twice = traceOf().turn(call("look_up", {}, { callId: "call-1" }), call("toString", {}, { callId: "call-1" }));
    expect(verdictOn(rule, twice.runs("look_up").turnWith({ results: [said] }))).toBe("holds");
  });

  test("leaves crashes and late events to other rules", () => {
    expect(verdictOn(rule, traceOf().turn(inherited).crashes())).toBe("holds");
    const late = traceOf()
      .turn(inherited)
      .ends("blocked")
      .event({ type: "inherited-called", name: "toString", late: true });
    expect(verdictOn(rule, late)).toBe("holds");
  });

  test("a call that a stop called `end` goes with may be taken for an answer", () => {
    expect(verdictOn(rule, traceOf().turnWith({ stop: "end" }, inherited).ends("answered"))).toBe("holds");
  });

  test("is not exercised by declared names", () => {
    expect(verdictOn(rule, traceOf().turn(call("look_up")).runs("look_up"))).toBe("not exercised");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
