import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import { askedToolsWaitForApproval as rule } from "./asked-tools-wait-for-approval.ts";
import { call, helpDesk, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const asked = { claims: { approvals: "asked" } } as const;

describe("asked-tools-wait-for-approval", () => {
  test("is broken where approvals end the run and the call runs", () => {
    const trace = traceOf().turn(call("pay")).runs("pay").ends("needs-approval");
    expect(verdictOn(rule, trace)).toBe("ran-without-approval");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"pay"') }]);
  });

  test("is broken where nobody was asked", () => {
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).runs("pay"))).toBe("ran-without-approval");
  });

  test.each(["deny", "later", "throw", "late-approve"] as const)("is broken where the human said %s", (decision) => {
    const trace = traceOf(asked).turn(call("pay")).human(decision, "pay").runs("pay");
    expect(verdictOn(rule, trace)).toBe("ran-though-not-approved");
  });

  test("is broken where the human was asked about another call of that tool alone", () => {
    const trace = traceOf(asked)
      .turn(call("pay"))
      .human("deny", "pay")
      .turn(call("pay", { order: "B" }));
    expect(verdictOn(rule, trace.runs("pay", { order: "B" }))).toBe("ran-without-approval");
    const same = traceOf(asked).turn(call("pay")).human("deny", "pay", {}, "call-1").turn(call("pay"));
    expect(verdictOn(rule, same.runs("pay", {}, { callId: "call-2" }))).toBe("ran-without-approval");
    const own = traceOf(asked).turn(call("pay")).human("deny", "pay", {}, "call-1").turn(call("pay"));
    expect(verdictOn(rule, own.human("deny", "pay", {}, "call-2").runs("pay", {}, { callId: "call-2" }))).toBe(
      "ran-though-not-approved",
    );
  });

  test("is broken where a late yes was granted after all", () => {
    const trace = traceOf(asked).turn(call("pay"));
    trace.event({ type: "approval-asked", request: 0, tool: "pay", args: {} });
    trace.event({ type: "approval-given", request: 0, tool: "pay", args: {}, decision: "late-approve", granted: true });
    expect(verdictOn(rule, trace.runs("pay"))).toBe("ran-though-not-approved");
  });

  test("is broken where the yes came after the call had run, or after the abort", () => {
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).runs("pay").human("approve", "pay"))).toBe(
      "ran-without-approval",
    );
    const aborted = traceOf(asked).turn(call("pay")).event({ type: "aborted" });
    expect(verdictOn(rule, aborted.human("approve", "pay").runs("pay"))).toBe("ran-though-not-approved");
  });

  test("is broken where a malformed or changed call runs without approval", () => {
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("pay", { text: "" }))
          .runs("pay"),
      ),
    ).toBe("ran-without-approval");
    expect(
      verdictOn(
        rule,
        traceOf(asked)
          .turn(call("pay", { order: "A" }))
          .runs("pay", { order: "B" }),
      ),
    ).toBe("ran-without-approval");
  });

  test("leaves arguments that were misread to the rule about them, unless a policy without rules is broken too", () => {
    const permission = { rules: [{ when: { required: ["order"] }, then: "ask" }], otherwise: "allow" } as const;
    const world = { ...helpDesk, tools: [toolNamed("pay", { permission })] };
    const setting = { world, claims: { argumentPolicies: true } };
    const big = call("pay", { order: "big" });
    const trace = traceOf(setting).turn(big).runs("pay", { order: "big" });
    expect(verdictOn(rule, trace)).toBe("holds");
    const script: Script = { format: 1, world, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
    const strict = rule.twin?.(script, trace.evidence())?.world;
    expect(strict?.tools[0]?.permission).toBe("ask");
    const inTwin = traceOf({ ...setting, ...(strict && { world: strict }) }).turn(big);
    expect(verdictOn(rule, trace, inTwin)).toBe("holds");
    expect(verdictOn(rule, trace, inTwin.runs("pay", { order: "big" }))).toBe("ran-without-approval");
  });

  test("holds where the run ends, or the human said no and nothing runs", () => {
    expect(verdictOn(rule, traceOf().turn(call("pay")).ends("needs-approval"))).toBe("holds");
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).human("deny", "pay").turn().ends("answered"))).toBe(
      "holds",
    );
  });

  test("holds where the human said yes", () => {
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).human("approve", "pay").runs("pay"))).toBe("holds");
    const withDefaults = traceOf(asked).turn(call("pay", { order: "A", extra: 1 }));
    expect(verdictOn(rule, withDefaults.human("approve", "pay", { order: "A" }).runs("pay", { order: "A" }))).toBe(
      "holds",
    );
  });

  test("holds where the harness gives the request an id of its own", () => {
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).human("approve", "pay", {}, "request-7").runs("pay"))).toBe(
      "holds",
    );
  });

  test("holds where equal calls are answered in any order", () => {
    const trace = traceOf(asked).turn(call("pay"), call("pay")).human("deny", "pay").human("approve", "pay");
    expect(verdictOn(rule, trace.runs("pay", {}, { callId: "call-1" }))).toBe("holds");
  });

  test("leaves another call of an approved tool to the rule about approvals", () => {
    const trace = traceOf(asked)
      .turn(call("pay"))
      .human("approve", "pay")
      .runs("pay")
      .turn(call("pay", { order: "B" }));
    expect(verdictOn(rule, trace.runs("pay", { order: "B" }))).toBe("holds");
  });

  test("needs approvals", () => {
    expect(rule.needs({ approvals: "none", deny: true, hiddenTools: "none" }, {})).toBe("approvals are not claimed");
    expect(rule.needs({ approvals: "asked", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
