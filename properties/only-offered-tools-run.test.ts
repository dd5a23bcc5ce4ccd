import { describe, expect, test } from "vitest";
import { onlyOfferedToolsRun as rule } from "./only-offered-tools-run.ts";
import { call, helpDesk, load, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

describe("only-offered-tools-run", () => {
  test("is broken where a hidden tool runs", () => {
    const trace = traceOf().turn(call("secret")).runs("secret").ends("answered");
    expect(verdictOn(rule, trace)).toBe("hidden-tool");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"secret"') }]);
  });

  test("is broken where a tool runs before its skill was loaded", () => {
    expect(verdictOn(rule, traceOf().turn(call("refund")).runs("refund"))).toBe("skill-not-loaded");
    expect(verdictOn(rule, traceOf().turn(load("reports")).turn(call("refund")).runs("refund"))).toBe(
      "skill-not-loaded",
    );
    expect(verdictOn(rule, traceOf().turn(load("nothing")).turn(call("refund")).runs("refund"))).toBe(
      "skill-not-loaded",
    );
  });

  test("is broken where the load comes after the call in the same turn", () => {
    expect(verdictOn(rule, traceOf().turn(call("refund"), load("refunds")).runs("refund"))).toBe("skill-not-loaded");
  });

  test("is broken where a skill that the world does not have offers its tool", () => {
    const world = { ...helpDesk, tools: [toolNamed("ghost", { offered: { afterSkill: "ghosts" } })] };
    expect(verdictOn(rule, traceOf({ world }).turn(load("ghosts")).turn(call("ghost")).runs("ghost"))).toBe(
      "skill-not-loaded",
    );
  });

  test("is broken by both causes at once", () => {
    const trace = traceOf()
      .turn(call("refund"))
      .runs("refund")
      .turn(call("secret"))
      .runs("secret")
      .turn(call("secret"))
      .runs("secret");
    expect(verdictOn(rule, trace)).toBe("skill-not-loaded, hidden-tool");
  });

  test("is broken where a hidden tool runs with emptied, repaired or invented arguments", () => {
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("secret", { order: "A-1" }))
          .runs("secret", {}),
      ),
    ).toBe("hidden-tool");
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("secret", { text: '{"order":"A' }))
          .runs("secret", { order: "A" }),
      ),
    ).toBe("hidden-tool");
    expect(verdictOn(rule, traceOf().turn(call("look_up")).runs("secret", { order: "B-2" }))).toBe("hidden-tool");
  });

  test("holds where the hidden call is refused", () => {
    expect(verdictOn(rule, traceOf().turn(call("secret")).ends("blocked"))).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(call("secret")).turn().ends("answered"))).toBe("holds");
  });

  test("holds where the skill was loaded in an earlier turn, or earlier in this one", () => {
    const probe = call("secret");
    expect(verdictOn(rule, traceOf().turn(load("refunds")).turn(call("refund")).runs("refund").turn(probe))).toBe(
      "holds",
    );
    expect(verdictOn(rule, traceOf().turn(load("refunds"), call("refund")).runs("refund").turn(probe))).toBe("holds");
  });

  test("leaves room for a load in a cut-off turn, or beside a refusal", () => {
    const cut = traceOf({ claims: { stopReason: true } }).turnWith({ stop: "length" }, load("refunds"));
    expect(verdictOn(rule, cut.turn(call("refund")).runs("refund"))).toBe("not exercised");
    const beside = traceOf().turn(call("wipe"), load("refunds")).turn(call("refund")).runs("refund");
    expect(verdictOn(rule, beside)).toBe("not exercised");
  });

  test("is not exercised by a hidden call that is malformed as well", () => {
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("secret", { text: "{" }))
          .ends("blocked"),
      ),
    ).toBe("not exercised");
  });

  test("does not count what came after the end", () => {
    const trace = traceOf().turn(call("secret")).ends("blocked").runs("secret", {}, { late: true, settles: false });
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("needs hidden tools", () => {
    expect(rule.needs({ approvals: "none", deny: true, hiddenTools: "none" }, {})).toBe("hidden tools are not claimed");
    expect(rule.needs({ approvals: "none", deny: true, hiddenTools: "fixed" }, {})).toBeUndefined();
  });
});
