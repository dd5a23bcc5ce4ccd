import { describe, expect, test } from "vitest";
import { abortStopsNewWork as rule } from "./abort-stops-new-work.ts";
import { call, traceOf as traceWith, verdictOn } from "./trace-of.ts";

const traceOf = () => traceWith({ claims: { abort: true } });
const aborted = { type: "aborted" } as const;
const refused = { type: "kit-refused", because: "aborted" } as const;

describe("abort-stops-new-work", () => {
  test("is broken where a handler starts after the abort", () => {
    const trace = traceOf().turn(call("look_up"), call("notify")).runs("look_up").event(aborted).runs("notify");
    expect(verdictOn(rule, trace.ends("aborted"))).toBe("handler-after-abort");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 6, because: expect.stringContaining('"notify"') }]);
  });

  test("is broken where more than one turn is asked for after the abort", () => {
    const swallowed = traceOf().turn(call("look_up")).event(aborted).asks().event(refused).asks().event(refused);
    expect(verdictOn(rule, swallowed.ends("failed"))).toBe("turns-after-abort");
  });

  test("blames the turns alone where the kit at last leaves one unanswered", () => {
    const trace = traceOf().asks().event(aborted).asks().event(refused).asks().event(refused);
    expect(verdictOn(rule, trace.event({ type: "hung", afterMs: 2000 }))).toBe("turns-after-abort");
  });

  test("is broken where the run does not end, or breaks down", () => {
    const hanging = () =>
      traceOf().turn(call("look_up")).event({ type: "handler-hangs", effect: 0, tool: "look_up" }).event(aborted);
    expect(verdictOn(rule, hanging().event({ type: "hung", afterMs: 2000 }))).toBe("hung-after-abort");
    expect(verdictOn(rule, hanging().crashes())).toBe("crashed-after-abort");
    expect(verdictOn(rule, hanging().ends("aborted"))).toBe("holds");
  });

  test("holds where one more turn is asked for, and refused", () => {
    const trace = traceOf().turn(call("look_up")).event(aborted).asks().event(refused).ends("aborted");
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("leaves it to the harness how the run ends: by any status, by the AbortError, or by an error that passes it on", () => {
    const trace = () => traceOf().turn(call("look_up")).event(aborted);
    for (const status of ["aborted", "failed", "blocked", "answered"] as const) {
      expect(verdictOn(rule, trace().ends(status))).toBe("holds");
    }
    expect(verdictOn(rule, trace().ends("aborted", { thrown: "AbortError" }))).toBe("holds");
    expect(verdictOn(rule, trace().crashes({ name: "Error", message: "stopped", kitMade: true }))).toBe("holds");
    expect(verdictOn(rule, trace().crashes({ name: "RunStopped", message: "the user pressed stop" }))).toBe("holds");
  });

  test("lets a handler that runs already settle, and leaves what comes after the end to its own rule", () => {
    const settled = { type: "handler-settled", effect: 0, tool: "look_up", outcome: "returned" } as const;
    const trace = traceOf().turn(call("look_up")).runs("look_up", {}, { settles: false }).event(aborted).event(settled);
    expect(verdictOn(rule, trace.ends("aborted"))).toBe("holds");
    const late = traceOf().turn(call("look_up")).event(aborted).ends("aborted");
    expect(verdictOn(rule, late.runs("look_up", {}, { late: true, settles: false }))).toBe("holds");
  });

  test("is not exercised where nothing was aborted before the end", () => {
    expect(verdictOn(rule, traceOf().turn(call("look_up")).runs("look_up").ends("answered"))).toBe("not exercised");
    const late = traceOf()
      .turn(call("look_up"))
      .runs("look_up")
      .ends("answered")
      .event({ ...aborted, late: true });
    expect(verdictOn(rule, late)).toBe("not exercised");
  });

  test("needs the claim that aborts are obeyed", () => {
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(claims, {})).toBe("abort is not claimed");
    expect(rule.needs({ ...claims, abort: true }, {})).toBeUndefined();
  });
});
