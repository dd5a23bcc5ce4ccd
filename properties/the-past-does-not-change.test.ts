import { describe, expect, test } from "vitest";
import type { LogEntry } from "../src/contract/run-record.ts";
import { thePastDoesNotChange as rule } from "./the-past-does-not-change.ts";
import { call, text, traceOf, verdictOn } from "./trace-of.ts";

const claims = { log: true, results: false };
const proposal: LogEntry = { type: "proposal", callId: "call-1", tool: "look_up", step: 0, detail: "{}" };
const result: LogEntry = { type: "result", callId: "call-1" };
const stop: LogEntry = { type: "stop" };
const shown = (...log: readonly LogEntry[]) =>
  traceOf({ claims }).turnWith({ log: [] }, call("look_up")).runs("look_up").turnWith({ log }, text("ok"));

describe("the-past-does-not-change", () => {
  test.each(["type", "callId", "tool", "step", "detail"] as const)(
    "is broken where the %s of an entry changes",
    (key) => {
      const edited = { ...proposal, [key]: key === "step" ? 9 : "edited" } as LogEntry;
      const trace = shown(proposal, result).ends("answered", { log: [edited, result, stop] });
      expect(verdictOn(rule, trace)).toBe("past-edited");
      expect(rule.judge(trace.evidence())).toMatchObject([{ at: 6, because: expect.stringContaining("Entry 1") }]);
    },
  );

  test("is broken where entries are gone, or others stand in their place", () => {
    expect(verdictOn(rule, shown(proposal, result).ends("answered", { log: [proposal] }))).toBe("snapshot-shrank");
    expect(verdictOn(rule, shown(proposal, result).ends("answered", { log: [result, stop] }))).toBe("past-edited");
    expect(verdictOn(rule, shown(proposal, result).turnWith({ log: [] }))).toBe("snapshot-shrank");
  });

  test("holds where each log extends the one before, also by nothing", () => {
    const trace = shown(proposal, result).turnWith({ log: [proposal, result] }, text("ok"));
    expect(verdictOn(rule, trace.ends("answered", { log: [proposal, result, stop] }))).toBe("holds");
  });

  test("passes over requests on the side that show no log, and an end without one", () => {
    const trace = shown(proposal, result)
      .turn(text("A title"))
      .turnWith({ log: [proposal, result] });
    expect(verdictOn(rule, trace)).toBe("holds");
    expect(verdictOn(rule, shown(proposal, result).turn().ends("aborted"))).toBe("not exercised");
  });

  test("is not exercised by one log alone, and needs one", () => {
    expect(verdictOn(rule, shown(proposal))).toBe("not exercised");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBe("a log is not claimed");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none", log: true }, {})).toBeUndefined();
  });
});
