import { describe, expect, test } from "vitest";
import { hungHandlersDoNotHangTheRun as rule } from "./hung-handlers-do-not-hang-the-run.ts";
import { call, traceOf as traceWith, verdictOn } from "./trace-of.ts";

const traceOf = () => traceWith({ claims: { approvals: "asked", deadlineMs: 50 } });
const hung = { type: "hung", afterMs: 2050 } as const;
const behaviour = { kind: "hang" } as const;

const handlerHangs = () =>
  traceOf()
    .turn(call("look_up"))
    .runs("look_up", {}, { behaviour, settles: false })
    .event({ type: "handler-hangs", effect: 0, tool: "look_up" });

const humanHangs = () =>
  traceOf()
    .turn(call("pay"))
    .event({ type: "approval-asked", request: 0, tool: "pay", args: {} })
    .event({ type: "human-hangs", request: 0, tool: "pay" });

describe("hung-handlers-do-not-hang-the-run", () => {
  test("is broken where the run never ends, and says who was waited for", () => {
    expect(verdictOn(rule, handlerHangs().event(hung))).toBe("hung-on-handler");
    expect(verdictOn(rule, humanHangs().event(hung))).toBe("hung-on-human");
    expect(rule.judge(handlerHangs().event(hung).evidence())).toMatchObject([
      { at: 4, because: expect.stringContaining('"look_up" in turn 1') },
    ]);
  });

  test("is broken where the deadline's error is caught by nobody", () => {
    expect(verdictOn(rule, handlerHangs().crashes({ name: "TimeoutError" }))).toBe("crashed-on-handler");
    expect(verdictOn(rule, humanHangs().crashes({ name: "TimeoutError" }))).toBe("crashed-on-human");
    const rejected = { type: "unhandled-rejection", message: "TimeoutError: 50 ms have passed" } as const;
    expect(verdictOn(rule, handlerHangs().event(rejected).ends("failed"))).toBe("unhandled-rejection-on-handler");
    expect(
      verdictOn(
        rule,
        humanHangs()
          .ends("failed")
          .event({ ...rejected, late: true }),
      ),
    ).toBe("unhandled-rejection-on-human");
  });

  test("holds where the run goes on, or ends by any stop", () => {
    const result = { callId: "call-1", text: "no answer in time", isError: true };
    expect(
      verdictOn(
        rule,
        handlerHangs()
          .turnWith({ results: [result] })
          .ends("answered"),
      ),
    ).toBe("holds");
    for (const status of ["failed", "blocked", "needs-approval"] as const) {
      expect(verdictOn(rule, humanHangs().ends(status))).toBe("holds");
    }
    expect(verdictOn(rule, handlerHangs().ends("failed", { thrown: "TimeoutError" }))).toBe("holds");
  });

  test("leaves aborts, refusals of the kit and a model that can't be reached to others", () => {
    expect(verdictOn(rule, handlerHangs().event({ type: "aborted" }).event(hung))).toBe("holds");
    expect(
      verdictOn(rule, handlerHangs().asks().event({ type: "kit-refused", because: "past-the-budget" }).event(hung)),
    ).toBe("holds");
    expect(verdictOn(rule, handlerHangs().crashes({ kitMade: true }))).toBe("holds");
    const offline = handlerHangs().asks().event({ type: "model-failed", failure: "connection" });
    expect(verdictOn(rule, offline.crashes({ name: "ModelError" }))).toBe("holds");
  });

  test("is not exercised where everybody answers, whatever becomes of the run", () => {
    expect(verdictOn(rule, traceOf().turn(call("look_up")).runs("look_up").ends("answered"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(call("look_up")).event(hung))).toBe("not exercised");
  });

  test("needs a deadline", () => {
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(claims, {})).toBe("deadlineMs is not claimed");
    expect(rule.needs({ ...claims, deadlineMs: 50 }, {})).toBeUndefined();
  });
});
