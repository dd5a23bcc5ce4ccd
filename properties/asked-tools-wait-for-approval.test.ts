import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import { askedToolsWaitForApproval as rule } from "./asked-tools-wait-for-approval.ts";
import { call, helpDesk, type TraceBuilder, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const asked = { claims: { approvals: "asked" } } as const;
const deadline = { claims: { approvals: "asked", deadlineMs: 20 } } as const;
const twoAsk = { ...helpDesk, tools: [...helpDesk.tools, toolNamed("ship", { permission: "ask" })] };

function asks(trace: TraceBuilder, tool = "pay", request = 0): TraceBuilder {
  return trace.event({ type: "approval-asked", request, tool, args: {} });
}

function answers(trace: TraceBuilder, decision: "approve" | "deny", tool: string, request: number): TraceBuilder {
  return trace.event({ type: "approval-given", request, tool, args: {}, decision, granted: decision === "approve" });
}

/** The human says yes, after the deadline where there is one. */
function late(trace: TraceBuilder): TraceBuilder {
  const about = { request: 0, tool: "pay", args: {} };
  return asks(trace).event({ type: "approval-given", ...about, decision: "late-approve", granted: true });
}

describe("asked-tools-wait-for-approval", () => {
  test("is broken where approvals end the run and the call runs", () => {
    const trace = traceOf().turn(call("pay")).runs("pay").ends("needs-approval");
    expect(verdictOn(rule, trace)).toBe("ran-without-approval");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"pay"') }]);
  });

  test("is broken where nobody was asked", () => {
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).runs("pay"))).toBe("ran-without-approval");
  });

  test.each([
    ["deny", "ran-though-denied"],
    ["later", "ran-though-undecided"],
    ["throw", "ran-though-asking-failed"],
  ] as const)("is broken where the human said %s and the call runs, and holds where it does not", (decision, cause) => {
    const trace = () => traceOf(asked).turn(call("pay")).human(decision, "pay");
    expect(verdictOn(rule, trace().runs("pay"))).toBe(cause);
    expect(verdictOn(rule, trace().ends("answered"))).toBe("holds");
    expect(verdictOn(rule, trace().turn(call("look_up")).runs("look_up").ends("answered"))).toBe("holds");
  });

  test("is broken where a yes that came after the deadline was taken for one, and holds where nothing runs", () => {
    const trace = () => late(traceOf(deadline).turn(call("pay")));
    expect(verdictOn(rule, trace().runs("pay"))).toBe("ran-though-too-late");
    expect(verdictOn(rule, trace().ends("needs-approval"))).toBe("holds");
  });

  test("is broken where the call did not wait for an answer, and holds where it waits for ever", () => {
    const hangs = () =>
      asks(traceOf(deadline).turn(call("pay"))).event({ type: "human-hangs", request: 0, tool: "pay" });
    expect(verdictOn(rule, hangs().runs("pay"))).toBe("ran-while-waiting");
    expect(verdictOn(rule, hangs().ends("failed"))).toBe("holds");
  });

  test("holds where the human takes time and no deadline is claimed", () => {
    expect(verdictOn(rule, late(traceOf(asked).turn(call("pay"))).runs("pay"))).toBe("holds");
  });

  test("tells calls that wait side by side apart", () => {
    const batch = () => asks(asks(traceOf({ ...asked, world: twoAsk }).turn(call("pay"), call("ship"))), "ship", 1);
    const answered = () => answers(answers(batch(), "deny", "ship", 1), "approve", "pay", 0);
    expect(verdictOn(rule, answered().runs("pay"))).toBe("holds");
    expect(verdictOn(rule, answered().runs("pay").runs("ship"))).toBe("ran-though-denied");
    const open = () => answers(batch(), "approve", "pay", 0);
    expect(verdictOn(rule, open().runs("ship"))).toBe("ran-while-waiting");
  });

  test("holds where a run pauses for an open question, asks again, and goes on", () => {
    const paused = () => traceOf(asked).turn(call("pay")).human("later", "pay", {}, "call-1");
    expect(verdictOn(rule, paused().human("approve", "pay", {}, "call-1").runs("pay"))).toBe("holds");
    expect(verdictOn(rule, paused().human("deny", "pay", {}, "call-1").runs("pay"))).toBe("ran-though-denied");
    expect(verdictOn(rule, paused().human("throw", "pay").ends("needs-approval"))).toBe("holds");
  });

  test("holds where a yes for the session covers a later call, and is broken where there was none", () => {
    const session = (decision: "approve" | "deny") =>
      traceOf({ claims: { approvals: "asked", sessionGrants: true } })
        .turn(call("pay"))
        .human(decision, "pay")
        .turn(call("pay", { order: "B" }))
        .runs("pay", { order: "B" });
    expect(verdictOn(rule, session("approve"))).toBe("holds");
    expect(verdictOn(rule, session("deny"))).toBe("ran-without-approval");
  });

  test("holds where the budget starts again at an approval, and is broken where that lets the next call run", () => {
    const resumed = () =>
      traceOf({ claims: { approvals: "asked", budget: "resume" }, world: { ...twoAsk, maxSteps: 1 } })
        .turn(call("pay"))
        .human("approve", "pay")
        .runs("pay")
        .turn(call("ship"));
    expect(verdictOn(rule, resumed().ends("out-of-steps"))).toBe("holds");
    expect(verdictOn(rule, resumed().runs("ship"))).toBe("ran-without-approval");
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
      "ran-though-denied",
    );
  });

  test("holds where a harness that does not claim to obey the signal runs what was approved after the abort", () => {
    const aborted = traceOf(asked).turn(call("pay")).event({ type: "aborted" });
    expect(verdictOn(rule, aborted.human("approve", "pay").runs("pay"))).toBe("holds");
    const denied = traceOf(asked).turn(call("pay")).event({ type: "aborted" }).human("deny", "pay");
    expect(verdictOn(rule, denied.runs("pay"))).toBe("ran-though-denied");
  });

  test("is broken where the yes came after the call had run, or after the abort", () => {
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).runs("pay").human("approve", "pay"))).toBe(
      "ran-without-approval",
    );
    const obeys = { claims: { approvals: "asked", abort: true } } as const;
    const aborted = traceOf(obeys).turn(call("pay")).event({ type: "aborted" });
    expect(verdictOn(rule, aborted.human("approve", "pay").runs("pay"))).toBe("ran-though-aborted");
    const obeyed = traceOf(obeys).turn(call("pay")).event({ type: "aborted" }).human("approve", "pay");
    expect(verdictOn(rule, obeyed.ends("aborted"))).toBe("holds");
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
