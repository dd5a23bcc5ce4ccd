import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import { handlerFailuresAreContained as rule } from "./handler-failures-are-contained.ts";
import { call, helpDesk, text, traceOf, verdictOn } from "./trace-of.ts";

const lookUp = call("look_up");
const odd = (kind: "throw-odd" | "return-odd", value: "cyclic" | "undefined") =>
  traceOf().turn(lookUp).runs("look_up", {}, { behaviour: { kind, value }, settles: false });
const script: Script = {
  format: 1,
  world: helpDesk,
  turns: [],
  afterTurns: "end",
  handlers: { look_up: [{ kind: "throw", message: "no connection" }, { kind: "echo" }] },
  decisions: [],
};

describe("handler-failures-are-contained", () => {
  test("is broken where the run crashes after a handler threw", () => {
    const trace = traceOf().turn(lookUp).fails("look_up").crashes({ name: "Error", message: "no connection" });
    expect(verdictOn(rule, trace)).toBe("crashed-on-throw");
    expect(rule.judge(trace.evidence())).toMatchObject([
      { at: 4, because: 'The run crashed with Error (no connection) after the handler of "look_up" threw an error.' },
    ]);
  });

  test("is broken by odd values, each with a cause of its own", () => {
    expect(verdictOn(rule, odd("throw-odd", "undefined").crashes())).toBe("crashed-on-odd-throw");
    expect(verdictOn(rule, odd("return-odd", "cyclic").crashes())).toBe("crashed-on-odd-return");
    const settled = {
      type: "handler-settled",
      effect: 0,
      tool: "look_up",
      outcome: "returned",
      odd: "bigint",
    } as const;
    expect(
      verdictOn(rule, traceOf().turn(lookUp).runs("look_up", {}, { settles: false }).event(settled).crashes()),
    ).toBe("crashed-on-odd-return");
  });

  test("is broken where the run hangs or leaves a rejection unhandled", () => {
    const failed = () => traceOf().turn(lookUp).fails("look_up");
    expect(verdictOn(rule, failed().event({ type: "hung", afterMs: 1_000 }))).toBe("hung-on-throw");
    const late = failed().ends("failed").event({ type: "unhandled-rejection", message: "x", late: true });
    expect(verdictOn(rule, late)).toBe("unhandled-rejection-on-throw");
  });

  test("blames no failing handler where the run breaks down with working ones too", () => {
    const odd = call("look_up", {}, { callId: "__proto__" });
    const failing = () => traceOf().turn(odd).fails("look_up").crashes();
    expect(verdictOn(rule, failing(), traceOf().turn(odd).crashes())).toBe("holds");
    expect(verdictOn(rule, failing(), traceOf().turn(odd).runs("look_up").crashes())).toBe("holds");
    expect(verdictOn(rule, failing(), traceOf().turn(odd).runs("look_up").ends("answered"))).toBe("crashed-on-throw");
  });

  test("holds where the run goes on or stops", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp).fails("look_up").turn(text("ok")).ends("answered"))).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(lookUp).fails("look_up").ends("failed"))).toBe("holds");
    expect(verdictOn(rule, odd("return-odd", "undefined").ends("answered"))).toBe("holds");
  });

  test("tries the script with handlers that work where a proposal was bad too", () => {
    const both = () => traceOf().turn(lookUp).fails("look_up").turn(call("nothing")).crashes();
    expect(rule.twin?.(script, both().evidence())?.handlers).toEqual({
      look_up: [{ kind: "return", value: "done" }, { kind: "echo" }],
    });
    expect(verdictOn(rule, both())).toBe("holds");
    const working = () => traceOf().turn(lookUp).runs("look_up");
    expect(verdictOn(rule, both(), working().turn(call("nothing")).ends("blocked"))).toBe("crashed-on-throw");
    expect(verdictOn(rule, both(), working().turn(call("nothing")).crashes())).toBe("holds");
    expect(verdictOn(rule, both(), working().ends("answered"))).toBe("holds");
  });

  test("tries it wherever the run broke down after a failure, and nowhere else", () => {
    const crashed = () => traceOf().turn(lookUp).fails("look_up").crashes();
    expect(rule.twin?.(script, crashed().evidence())).toBeDefined();
    expect(verdictOn(rule, crashed(), traceOf().turn(lookUp).runs("look_up").ends("answered"))).toBe(
      "crashed-on-throw",
    );
    expect(verdictOn(rule, crashed(), traceOf().turn(lookUp).runs("look_up").crashes())).toBe("holds");
    expect(rule.twin?.(script, traceOf().turn(lookUp).runs("look_up").crashes().evidence())).toBeUndefined();
    expect(rule.twin?.(script, traceOf().turn(lookUp).fails("look_up").ends("failed").evidence())).toBeUndefined();
  });

  test("waits for the other run where the model's own request failed too", () => {
    const trace = traceOf().turn(lookUp).fails("look_up").asks().event({ type: "model-failed", failure: "timeout" });
    expect(verdictOn(rule, trace.crashes())).toBe("holds");
    expect(verdictOn(rule, trace, traceOf().turn(lookUp).runs("look_up").ends("answered"))).toBe("crashed-on-throw");
  });

  test("leaves crashes before the failure, and those of the kit's making, alone", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("look_up").crashes())).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(lookUp).fails("look_up").crashes({ kitMade: true }))).toBe("holds");
    const late = { type: "handler-settled", effect: 0, tool: "look_up", outcome: "threw", late: true } as const;
    expect(verdictOn(rule, traceOf().turn(lookUp).crashes().event(late))).toBe("holds");
  });

  test("needs nothing", () => {
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
