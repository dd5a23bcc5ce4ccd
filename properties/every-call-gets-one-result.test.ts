import { describe, expect, test } from "vitest";
import { everyCallGetsOneResult as rule } from "./every-call-gets-one-result.ts";
import { call, load, text, traceOf, verdictOn } from "./trace-of.ts";

const lookUp = call("look_up");
const told = (...results: readonly [callId: string, text?: string, isError?: true][]) => ({
  results: results.map(([callId, words = "done", isError]) => ({
    callId,
    text: words,
    ...(isError && { isError }),
  })),
});
const orderOf = (order: string) => call("look_up", { order });

describe("every-call-gets-one-result", () => {
  test("is broken where a call that ran has no result", () => {
    const trace = traceOf().turn(lookUp).runs("look_up").turnWith(told(), text("ok")).ends("answered");
    expect(verdictOn(rule, trace)).toBe("missing-result");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 4, because: expect.stringContaining('"look_up"') }]);
    const beside = traceOf().turn(lookUp, call("notify")).fails("look_up").runs("notify");
    expect(verdictOn(rule, beside.turnWith(told(["call-1", "failed", true])))).toBe("missing-result");
  });

  test.each(["wipe", "secret", "nothing"])("is broken where a refused call of %s has no result", (name) => {
    const trace = traceOf()
      .turn(lookUp, call(name))
      .runs("look_up")
      .turnWith(told(["call-1"]));
    expect(verdictOn(rule, trace)).toBe("refusal-without-result");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 5, because: expect.stringContaining("did not run") }]);
  });

  test("holds where what a handler returned is not known, since nobody could watch it", () => {
    const trace = traceOf()
      .turn(lookUp)
      .runs("look_up")
      .turnWith(told(["call-1", "something else"]));
    expect(verdictOn(rule, trace)).not.toBe("holds");
    const judged = rule.judge({ ...trace.evidence(), shape: { effects: "told" } });
    expect(judged).toEqual({ kind: "holds", exercised: true });
  });

  test("is broken where a call with malformed arguments, or in a cut-off turn, has no result", () => {
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("look_up", { text: "{" }))
          .turnWith(told()),
      ),
    ).toBe("refusal-without-result");
    expect(verdictOn(rule, traceOf().turnWith({ stop: "length" }, lookUp).turnWith(told()))).toBe(
      "refusal-without-result",
    );
  });

  test("is broken where results come one turn late", () => {
    const trace = traceOf().turn(orderOf("A")).runs("look_up", { order: "A" }).turnWith(told(), orderOf("B"));
    trace.runs("look_up", { order: "B" }).turnWith(told(["call-1"]));
    expect(verdictOn(rule, trace)).toBe("missing-result");
  });

  test("is broken where results went with a request that failed, and not with the one that was answered", () => {
    const trace = traceOf()
      .turn(lookUp)
      .runs("look_up")
      .turnWith(told(["call-1"]));
    trace.event({ type: "model-failed", failure: "timeout" }).event({ type: "asked", results: [] });
    expect(verdictOn(rule, trace.event({ type: "proposed", position: 0, proposal: text("ok"), stop: "end" }))).toBe(
      "missing-result",
    );
  });

  test("is broken where a result belongs to nobody", () => {
    const trace = traceOf()
      .turn(lookUp)
      .runs("look_up")
      .turnWith(told(["call-1"], ["call-7"]));
    expect(verdictOn(rule, trace)).toBe("result-of-nobody");
    expect(verdictOn(rule, traceOf().turnWith(told(["call-1"]), lookUp))).toBe("result-of-nobody");
  });

  test("is broken where one call has two results", () => {
    const trace = traceOf()
      .turn(lookUp)
      .runs("look_up")
      .turnWith(told(["call-1"], ["call-1"]));
    expect(verdictOn(rule, trace)).toBe("result-twice");
  });

  test("is broken where two calls get each other's results", () => {
    const trace = traceOf().turn(orderOf("A"), orderOf("B"));
    trace.runs("look_up", { order: "A" }, { returns: "sent" }).runs("look_up", { order: "B" }, { returns: "lost" });
    trace.turnWith(told(["call-1", "lost"], ["call-2", "sent"]));
    expect(verdictOn(rule, trace)).toBe("wrong-content");
    expect(rule.judge(trace.evidence())).toMatchObject([{ because: expect.stringContaining("returned sent") }]);
  });

  test("is broken where equal siblings get each other's results, though their handlers knew the ids", () => {
    const swapped = (named: boolean) => {
      const id = (callId: string) => (named ? { callId } : {});
      const trace = traceOf()
        .turn(lookUp, lookUp)
        .runs("look_up", {}, { returns: "first", ...id("call-1") });
      trace.runs("look_up", {}, { returns: "second", ...id("call-2") });
      return trace.turnWith(told(["call-1", "second"], ["call-2", "first"]));
    };
    expect(verdictOn(rule, swapped(true))).toBe("wrong-content");
    expect(verdictOn(rule, swapped(false))).toBe("holds");
  });

  test("is broken where a sibling's failure stands in for a result", () => {
    const trace = traceOf().turn(lookUp, call("notify")).runs("look_up").fails("notify");
    trace.turnWith(told(["call-1", "the batch was given up", true], ["call-2", "no connection", true]));
    expect(verdictOn(rule, trace)).toBe("wrong-content");
  });

  test("is broken where a value is sent as [object Object]", () => {
    const trace = traceOf()
      .turn(lookUp)
      .runs("look_up", {}, { returns: { weight: 12 } });
    expect(verdictOn(rule, trace.turnWith(told(["call-1", "[object Object]"])))).toBe("wrong-content");
  });

  test("holds where each call has its result, in any order", () => {
    const trace = traceOf()
      .turn(lookUp, call("wipe"), call("look_up", { text: "{" }))
      .runs("look_up");
    trace.turnWith(told(["call-3", "malformed", true], ["call-2", "denied", true], ["call-1"]), text("ok"));
    expect(verdictOn(rule, trace.ends("answered"))).toBe("holds");
  });

  test.each(['{"weight":12}', '{\n  "weight": 12\n}', '{"result":{"weight":12},"isError":false}', "weight: 12"])(
    "holds where a value is laid out as %s",
    (words) => {
      const trace = traceOf()
        .turn(lookUp)
        .runs("look_up", {}, { returns: { weight: 12 } });
      expect(verdictOn(rule, trace.turnWith(told(["call-1", words])))).toBe("holds");
    },
  );

  test("holds where an id that came several times in a turn has one result or as many", () => {
    const twice = () => {
      const trace = traceOf().turn(call("look_up", {}, { callId: "same" }), call("notify", {}, { callId: "same" }));
      return trace.runs("look_up", {}, { returns: "a" }).runs("notify", {}, { returns: "b" });
    };
    expect(verdictOn(rule, twice().turnWith(told(["same", "b"])))).toBe("holds");
    expect(verdictOn(rule, twice().turnWith(told(["same", "b"], ["same", "a"])))).toBe("holds");
    expect(verdictOn(rule, twice().turnWith(told(["same"], ["same"], ["same"])))).toBe("result-twice");
    expect(verdictOn(rule, twice().turnWith(told()))).toBe("missing-result");
  });

  test("holds where the whole history is sent, also where an id came again", () => {
    const again = (callId: string) => {
      const trace = traceOf()
        .turn(call("look_up", {}, { callId: "a" }))
        .runs("look_up", {}, { returns: "one" });
      trace.turnWith(told(["a", "one"]), call("look_up", {}, { callId }));
      trace.runs("look_up", {}, { returns: "two" });
      return trace.turnWith(told(["a", "one"], [callId, "two"]), text("ok"));
    };
    expect(verdictOn(rule, again("b"))).toBe("holds");
    expect(verdictOn(rule, again("a"))).toBe("holds");
  });

  test("holds where a failed request is made again with the same results", () => {
    const trace = traceOf()
      .turn(lookUp)
      .runs("look_up")
      .turnWith(told(["call-1"]));
    trace.event({ type: "model-failed", failure: "timeout" }).event({ type: "asked", ...told(["call-1"]) });
    expect(verdictOn(rule, trace)).toBe("holds");
    const givenUp = traceOf()
      .turn(lookUp)
      .runs("look_up")
      .turnWith(told(["call-1"]));
    expect(verdictOn(rule, givenUp.event({ type: "model-failed", failure: "timeout" }).ends("failed"))).toBe("holds");
  });

  test("holds where the request that is made again is refused, since the run was aborted in between", () => {
    const trace = traceOf()
      .turn(lookUp)
      .runs("look_up")
      .turnWith(told(["call-1"]));
    trace.event({ type: "model-failed", failure: "timeout" }).event({ type: "aborted" });
    trace.event({ type: "asked", ...told(["call-1"]) }).event({ type: "kit-refused", because: "aborted" });
    expect(verdictOn(rule, trace.ends("aborted"))).toBe("holds");
  });

  test("holds where a turn is asked for on the side, with results or without", () => {
    for (const aside of [{}, told(), told(["call-1"])]) {
      const trace = traceOf().turn(lookUp).runs("look_up").turnWith(aside, text("A title"));
      trace
        .turnWith(told(["call-1"]), lookUp)
        .runs("look_up")
        .ends("out-of-steps");
      expect(verdictOn(rule, trace)).toBe("holds");
    }
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("look_up").turn(text("A title")).ends("answered"))).toBe(
      "not exercised",
    );
  });

  test("owes nothing after a stop, an abort or the last step", () => {
    expect(verdictOn(rule, traceOf().turn(call("wipe")).ends("blocked"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("look_up").ends("out-of-steps"))).toBe("not exercised");
    const aborted = traceOf().turn(lookUp).event({ type: "aborted" }).turnWith(told());
    expect(verdictOn(rule, aborted.event({ type: "kit-refused", because: "aborted" }).ends("aborted"))).toBe(
      "not exercised",
    );
  });

  test("leaves the results of loads free, and those of calls beside an answer", () => {
    expect(verdictOn(rule, traceOf().turn(load("refunds")).turnWith(told()))).toBe("not exercised");
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(load("refunds"))
          .turnWith(told(["call-1", "anything"])),
      ),
    ).toBe("holds");
    expect(verdictOn(rule, traceOf().turnWith({ stop: "end" }, text("ok"), lookUp).turnWith(told()))).toBe(
      "not exercised",
    );
  });

  test("leaves open what is said of an odd value, a failure, or a call that was not waited for", () => {
    const odd = traceOf().turn(lookUp).runs("look_up", {}, { settles: false });
    odd.event({ type: "handler-settled", effect: 0, tool: "look_up", outcome: "returned", odd: "bigint" });
    expect(verdictOn(rule, odd.turnWith(told(["call-1", ""])))).toBe("holds");
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(lookUp)
          .fails("look_up")
          .turnWith(told(["call-1", "x", true])),
      ),
    ).toBe("holds");
    const open = traceOf().turn(lookUp).runs("look_up", {}, { settles: false });
    expect(verdictOn(rule, open.turnWith(told(["call-1", "too slow", true])))).toBe("holds");
  });

  test("lets a deadline end a slow call, where one is claimed", () => {
    const late = (claims: object) => {
      const behaviour = { kind: "slow", value: "done" } as const;
      const trace = traceOf({ claims }).turn(lookUp).runs("look_up", {}, { behaviour });
      return trace.turnWith(told(["call-1", "too slow", true]));
    };
    expect(verdictOn(rule, late({ deadlineMs: 20 }))).toBe("holds");
    expect(verdictOn(rule, late({}))).toBe("wrong-content");
  });

  test("lets a harness choose where it claims one call a turn, or one turn an id", () => {
    const crowded = traceOf({ claims: { parallelCalls: false } })
      .turn(lookUp, call("notify"))
      .runs("look_up");
    expect(verdictOn(rule, crowded.turnWith(told(["call-1"])))).toBe("holds");
    const same = call("look_up", {}, { callId: "same" });
    const repeated = traceOf({ shape: { idsAcrossTurns: false } })
      .turn(same)
      .runs("look_up");
    expect(verdictOn(rule, repeated.turnWith(told(["same"]), same).turnWith(told()))).toBe("holds");
  });

  test("needs results", () => {
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(claims, {})).toBe("results are not claimed");
    expect(rule.needs({ ...claims, results: true }, {})).toBeUndefined();
  });
});
