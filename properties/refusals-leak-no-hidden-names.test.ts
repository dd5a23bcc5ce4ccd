import { describe, expect, test } from "vitest";
import { refusalsLeakNoHiddenNames as rule } from "./refusals-leak-no-hidden-names.ts";
import { call, helpDesk, load, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const world = {
  ...helpDesk,
  tools: [
    ...helpDesk.tools,
    toolNamed("purge_ledger", { offered: "never" }),
    toolNamed("send", { offered: "never" }),
    toolNamed("order", { offered: "never" }),
    toolNamed("refund_all", { offered: { afterSkill: "refunds" } }),
  ],
};
const told = (text: string, callId = "call-1", isError = true) => ({ results: [{ callId, text, isError }] });
const refused = (text: string, name = "look_upp") => traceOf({ world }).turn(call(name)).turnWith(told(text));

describe("refusals-leak-no-hidden-names", () => {
  test.each([
    'Did you mean "purge_ledger"?',
    "Available tools: look_up, notify, purge_ledger",
    "purge_ledger is not offered.",
    "Known: (look_up, send)",
    "Did you mean `send`?",
    'Load a skill to use "refund_all".',
  ])("is broken where a refusal says: %s", (text) => {
    const trace = refused(text);
    expect(verdictOn(rule, trace)).toBe("hidden-name-leaked");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining("not offered") }]);
    expect(verdictOn(rule, refused(text, "wipe"))).toBe("hidden-name-leaked");
  });

  test("is broken where the load of an unknown skill is answered with hidden names", () => {
    const trace = traceOf({ world }).turn(load("nothing"));
    expect(verdictOn(rule, trace.turnWith(told("Skills: refunds (refund_all)")))).toBe("hidden-name-leaked");
  });

  test.each([
    "Available tools: look_up, notify, pay, wipe",
    "There is no such tool.",
    "The message could not be sent, send it again.",
    'The field "order" is missing.',
    "purge_ledgers and my_purge_ledger are none of ours.",
    "Known skills: refunds, reports",
  ])("holds where a refusal says: %s", (text) => {
    expect(verdictOn(rule, refused(text))).toBe("holds");
  });

  test("holds where the model has said the name itself, in whatever place or case", () => {
    expect(verdictOn(rule, refused('There is no tool "purge_ledger".', "purge_ledger"))).toBe("holds");
    expect(verdictOn(rule, refused('There is no tool "\tpurge_ledger".', "\tpurge_ledger"))).toBe("holds");
    expect(verdictOn(rule, refused('There is no tool "purge_ledger".', "PURGE_LEDGER"))).toBe("holds");
    const inArguments = traceOf({ world }).turn(call("wipe", { order: "purge_ledger" }));
    expect(verdictOn(rule, inArguments.turnWith(told("Not allowed: purge_ledger")))).toBe("holds");
    const before = traceOf({ world }).turn(call("purge_ledger")).turnWith(told("no"), call("wipe"));
    expect(verdictOn(rule, before.turnWith(told("Neither purge_ledger nor wipe.", "call-2")))).toBe("holds");
  });

  test("holds where a handler has given the name to read", () => {
    const trace = traceOf({ world }).turn(call("look_up")).runs("look_up", {}, { returns: "Now call purge_ledger." });
    trace.turnWith(told("Now call purge_ledger.", "call-1", false), call("wipe"));
    expect(verdictOn(rule, trace.turnWith(told("purge_ledger is no way out.", "call-2")))).toBe("holds");
  });

  test("holds where the tool was offered by then, or may have been", () => {
    const loaded = traceOf({ world })
      .turn(load("refunds"))
      .turnWith(told("ok", "call-1", false), call("nothing"));
    expect(verdictOn(rule, loaded.turnWith(told("Available: refund_all", "call-2")))).toBe("holds");
    const beside = traceOf({ world }).turn(load("refunds"), call("nothing"));
    expect(verdictOn(rule, beside.turnWith(told("Available: refund_all", "call-2")))).toBe("holds");
  });

  test("does not judge results of calls that ran, or may have run, and of loads", () => {
    const ran = traceOf({ world }).turn(call("look_up")).runs("look_up");
    expect(verdictOn(rule, ran.turnWith(told("purge_ledger", "call-1", false)))).toBe("not exercised");
    const failed = traceOf({ world }).turn(call("look_up")).fails("look_up");
    expect(verdictOn(rule, failed.turnWith(told("purge_ledger is down")))).toBe("not exercised");
    expect(verdictOn(rule, traceOf({ world }).turn(load("reports")).turnWith(told("purge_ledger")))).toBe(
      "not exercised",
    );
  });

  test("says what it needs", () => {
    const claims = { approvals: "none", deny: false, hiddenTools: "fixed", results: true } as const;
    expect(rule.needs(claims, {})).toBeUndefined();
    expect(rule.needs({ ...claims, hiddenTools: "none" }, {})).toBe("hidden tools are not claimed");
    expect(rule.needs({ ...claims, results: false }, {})).toBe("results are not claimed");
  });
});
