import { describe, expect, test } from "vitest";
import type { LogEntry } from "../src/contract/run-record.ts";
import { failuresAreNotReportedAsSuccess as rule } from "./failures-are-not-reported-as-success.ts";
import { call, load, text, traceOf, verdictOn } from "./trace-of.ts";

const lookUp = call("look_up");
const told = (callId: string, words = "done", isError?: boolean) => ({
  results: [{ callId, text: words, ...(isError === undefined ? {} : { isError }) }],
});
const logged = { claims: { results: false, log: true } };
const log = (type: LogEntry["type"], callId = "call-1"): { log: readonly LogEntry[] } => ({
  log: [
    { type: "proposal", callId },
    { type, callId },
  ],
});
const noFlag = { shape: { errorFlag: false } };

describe("failures-are-not-reported-as-success", () => {
  test("is broken where a refused call has a result without an error flag", () => {
    const trace = traceOf().turn(call("wipe")).turnWith(told("call-1", "That is denied."));
    expect(verdictOn(rule, trace)).toBe("refusal-as-success");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"wipe"') }]);
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("wipe"))
          .turnWith(told("call-1", "", false)),
      ),
    ).toBe("refusal-as-success");
    const denied = traceOf({ claims: { approvals: "asked" } })
      .turn(call("pay"))
      .human("deny", "pay");
    expect(verdictOn(rule, denied.turnWith(told("call-1", "paid")))).toBe("refusal-as-success");
  });

  test("is broken where a failed call has a result without an error flag", () => {
    const trace = traceOf().turn(lookUp).fails("look_up").turnWith(told("call-1", "no connection"));
    expect(verdictOn(rule, trace)).toBe("failure-as-success");
  });

  test("is broken where work is reported before its handler has settled", () => {
    const trace = traceOf().turn(lookUp).runs("look_up", {}, { settles: false }).turnWith(told("call-1"));
    trace.event({ type: "handler-settled", effect: 0, tool: "look_up", outcome: "returned", value: "done" });
    expect(verdictOn(rule, trace)).toBe("reported-before-it-settled");
  });

  test("is broken where the log has a result of a refused, a failed or an unsettled call", () => {
    expect(verdictOn(rule, traceOf(logged).turn(call("wipe")).ends("blocked", log("result")))).toBe(
      "refusal-as-success",
    );
    expect(verdictOn(rule, traceOf(logged).turn(call("nothing")).ends("blocked", log("result")))).toBe(
      "refusal-as-success",
    );
    expect(verdictOn(rule, traceOf(logged).turn(lookUp).fails("look_up").ends("failed", log("result")))).toBe(
      "failure-as-success",
    );
    const early = traceOf(logged).turn(lookUp).runs("look_up", {}, { settles: false }).turnWith(log("result"));
    early.event({ type: "handler-settled", effect: 0, tool: "look_up", outcome: "returned", value: "done", step: 0 });
    expect(verdictOn(rule, early.ends("answered", log("result")))).toBe("reported-before-it-settled");
  });

  test("is broken where, without a flag, a refused or failed call is answered with what a handler returned", () => {
    const stale = (name: string) => {
      const trace = traceOf(noFlag).turn(lookUp).runs("look_up", {}, { returns: "12 kg" });
      return trace.turnWith(told("call-1", "12 kg"), call(name, { order: "B" }));
    };
    expect(verdictOn(rule, stale("wipe").turnWith(told("call-2", "12 kg")))).toBe("refusal-as-success");
    const failed = stale("look_up").fails("look_up", { order: "B" });
    expect(verdictOn(rule, failed.turnWith(told("call-2", "12 kg")))).toBe("failure-as-success");
  });

  test("holds where refused and failed calls have error results, or none", () => {
    const trace = traceOf().turn(call("wipe"), lookUp).fails("look_up");
    trace.turnWith({ results: [...told("call-1", "denied", true).results, ...told("call-2", "failed", true).results] });
    expect(verdictOn(rule, trace)).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(call("wipe")).turnWith({ results: [] }))).toBe("holds");
    expect(verdictOn(rule, traceOf(logged).turn(call("wipe")).ends("blocked", log("blocked")))).toBe("holds");
    expect(verdictOn(rule, traceOf(logged).turn(call("wipe")).ends("blocked", log("error")))).toBe("holds");
    expect(verdictOn(rule, traceOf(logged).turn(lookUp).fails("look_up").ends("failed", log("error")))).toBe("holds");
  });

  test("tells by the text alone where there is no flag, whatever the words", () => {
    expect(verdictOn(rule, traceOf(noFlag).turn(call("wipe")).turnWith(told("call-1", "That is denied.")))).toBe(
      "holds",
    );
    const failed = traceOf(noFlag).turn(lookUp).fails("look_up").turnWith(told("call-1", "Error: no connection"));
    expect(verdictOn(rule, failed)).toBe("holds");
  });

  test("holds where a call that failed was done in a second attempt", () => {
    const trace = traceOf().turn(lookUp).fails("look_up").runs("look_up").turnWith(told("call-1"));
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("leaves loads, odd values and calls that wait for a human free", () => {
    expect(verdictOn(rule, traceOf().turn(load("nothing")).turnWith(told("call-1")))).toBe("not exercised");
    const odd = traceOf().turn(lookUp).runs("look_up", {}, { settles: false });
    odd.event({ type: "handler-settled", effect: 0, tool: "look_up", outcome: "returned", odd: "cyclic" });
    expect(verdictOn(rule, odd.turnWith(told("call-1", "")))).toBe("not exercised");
    const waits = traceOf({ claims: { approvals: "asked" } })
      .turn(call("pay"))
      .human("later", "pay");
    expect(verdictOn(rule, waits.turnWith(told("call-1", "waiting for approval")))).toBe("holds");
  });

  test("leaves names that no tool declares to the rule about them, and ids that several calls share", () => {
    expect(verdictOn(rule, traceOf().turn(call("nothing")).turnWith(told("call-1")))).toBe("holds");
    const same = { callId: "same" };
    const trace = traceOf()
      .turn(call("look_up", {}, same), call("wipe", {}, same))
      .runs("look_up");
    expect(verdictOn(rule, trace.turnWith(told("same")))).toBe("holds");
  });

  test("blames nobody where it can't be told whose run it was", () => {
    const trace = traceOf().turn(lookUp, lookUp).runs("look_up").fails("look_up");
    trace.turnWith({ results: [...told("call-1", "no connection", true).results, ...told("call-2").results] });
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("is not exercised where all went well, or nobody was told", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("look_up").turnWith(told("call-1"), text("ok")))).toBe(
      "not exercised",
    );
    expect(verdictOn(rule, traceOf().turn(call("wipe")).ends("blocked"))).toBe("not exercised");
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(claims, {})).toBe("neither results nor a log are claimed");
    expect(rule.needs({ ...claims, log: true }, {})).toBeUndefined();
    expect(rule.needs({ ...claims, results: true }, {})).toBeUndefined();
  });
});
