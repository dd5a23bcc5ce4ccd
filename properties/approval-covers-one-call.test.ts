import { describe, expect, test } from "vitest";
import type { Claims } from "../src/contract/harness.ts";
import type { Json } from "../src/world/json.ts";
import { approvalCoversOneCall as rule } from "./approval-covers-one-call.ts";
import { askedToolsWaitForApproval } from "./asked-tools-wait-for-approval.ts";
import { cutOffTurnsRunNothing } from "./cut-off-turns-run-nothing.ts";
import { eachProposalRunsAtMostOnce } from "./each-proposal-runs-at-most-once.ts";
import { malformedProposalsRunNothing } from "./malformed-proposals-run-nothing.ts";
import { call, helpDesk, type TraceBuilder, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const world = { ...helpDesk, tools: [...helpDesk.tools, toolNamed("ship", { permission: "ask" })] };
const A = { order: "A" };
const B = { order: "B" };

function asked(claims: Partial<Claims> = {}): TraceBuilder {
  return traceOf({ world, claims: { approvals: "asked", ...claims } });
}

describe("approval-covers-one-call", () => {
  test("is broken where the same tool runs with other arguments", () => {
    const batch = () => asked().turn(call("pay", A), call("pay", B)).human("approve", "pay", A, "call-1");
    expect(verdictOn(rule, batch().runs("pay", A).runs("pay", B))).toBe("other-arguments");
    expect(verdictOn(rule, batch().human("deny", "pay", B, "call-2").runs("pay", A).runs("pay", B))).toBe(
      "other-arguments",
    );
    expect(verdictOn(rule, batch().human("deny", "pay", B, "call-2").runs("pay", A))).toBe("holds");
    expect(verdictOn(rule, batch().human("approve", "pay", B, "call-2").runs("pay", B).runs("pay", A))).toBe("holds");
    const [verdict] = [rule.judge(batch().runs("pay", B).evidence())].flat();
    expect(verdict).toMatchObject({ at: 5, because: expect.stringContaining('{"order":"B"}') });
  });

  test("is broken where what was shown is not what ran", () => {
    const shown = () => asked().turn(call("pay", A)).human("approve", "pay", A, "call-1");
    expect(verdictOn(rule, shown().runs("pay", B, { callId: "call-1" }))).toBe("changed-after-approval");
    expect(verdictOn(rule, shown().runs("pay", B))).toBe("changed-after-approval");
    const rules = [{ when: { required: ["order"] }, then: "ask" }] as const;
    const tools = [toolNamed("pay", { permission: { rules, otherwise: "allow" } })];
    const byPolicy = traceOf({ world: { ...helpDesk, tools }, claims: { approvals: "asked", argumentPolicies: true } });
    byPolicy.turn(call("pay", A)).human("approve", "pay", A);
    expect(verdictOn(rule, byPolicy.runs("pay", B))).toBe("changed-after-approval");
    const swapped = asked().turn(call("pay", A)).human("approve", "pay", B, "call-1").runs("pay", A);
    expect(verdictOn(rule, swapped)).toBe("changed-after-approval");
  });

  test("is broken where a key comes twice, and the human was shown the value that does not run", () => {
    const doubled = () => asked().turn(call("pay", { text: '{"order":"A","order":"B"}' }));
    expect(verdictOn(rule, doubled().human("approve", "pay", A).runs("pay", B))).toBe("changed-after-approval");
    expect(verdictOn(rule, doubled().human("approve", "pay", A).runs("pay", A))).toBe("holds");
    expect(verdictOn(rule, doubled().human("approve", "pay", B).runs("pay", B))).toBe("holds");
  });

  test("is broken where a sibling with the same id runs", () => {
    const twins = (second: object) =>
      asked()
        .turn(call("pay", A, { callId: "x" }), call("pay", { ...second }, { callId: "x" }))
        .human("approve", "pay", A, "x");
    expect(verdictOn(rule, twins(B).runs("pay", A).runs("pay", B))).toBe("same-id");
    expect(verdictOn(rule, twins(A).runs("pay", A).runs("pay", A))).toBe("same-id");
    expect(verdictOn(rule, twins(A).human("approve", "pay", A, "x").runs("pay", A).runs("pay", A))).toBe("holds");
    expect(verdictOn(rule, twins(B).runs("pay", A))).toBe("holds");
  });

  test("is broken where another tool of the same id runs", () => {
    const trace = () =>
      asked()
        .turn(call("pay", A, { callId: "x" }), call("ship", A, { callId: "x" }))
        .human("approve", "pay", A, "x");
    expect(verdictOn(rule, trace().runs("ship", A))).toBe("other-tool");
    expect(verdictOn(rule, trace().runs("pay", A))).toBe("holds");
  });

  test("is broken where one yes is used for two equal calls", () => {
    const equal = () => asked().turn(call("pay"), call("pay")).human("approve", "pay");
    expect(verdictOn(rule, equal().runs("pay").runs("pay"))).toBe("used-twice");
    expect(verdictOn(rule, equal().human("deny", "pay").runs("pay").runs("pay"))).toBe("used-twice");
    expect(verdictOn(rule, equal().human("approve", "pay").runs("pay").runs("pay"))).toBe("holds");
    const named = asked()
      .turn(call("pay"), call("pay"))
      .human("deny", "pay", {}, "call-1")
      .human("approve", "pay", {}, "call-2");
    named.runs("pay", {}, { callId: "call-1" }).runs("pay", {}, { callId: "call-2" });
    expect(verdictOn(rule, named)).toBe("used-twice");
  });

  test("is about no yes that came after the abort, nor one of an earlier turn then", () => {
    const before = asked({ abort: true }).turn(call("pay", A)).human("approve", "pay", A).runs("pay", A);
    const after = before.turn(call("pay", A)).event({ type: "aborted" }).human("approve", "pay", A).runs("pay", A);
    expect(verdictOn(rule, after)).toBe("holds");
    expect(verdictOn(askedToolsWaitForApproval, after)).not.toBe("holds");
  });

  test("takes a throwing human for a no to that call, whatever is said to an equal one later", () => {
    const cut = asked({ stopReason: true })
      .turn(call("pay", A))
      .human("throw", "pay", A)
      .turnWith({ stop: "length" }, call("pay", A))
      .human("approve", "pay", A)
      .runs("pay", A);
    expect(verdictOn(cutOffTurnsRunNothing, cut)).toBe("cut-off-turn");
  });

  test("leaves a malformed call that was put to the human under its own id to the rule about such calls", () => {
    const cut = call("pay", { text: '{"cents":1' }, { callId: "x" });
    const repaired = () => asked().turn(cut).human("approve", "pay", { cents: 1 }, "x");
    expect(verdictOn(rule, repaired().runs("pay", { cents: 1 }, { callId: "x" }))).toBe("holds");
    expect(verdictOn(malformedProposalsRunNothing, repaired().runs("pay", { cents: 1 }, { callId: "x" }))).toBe(
      "malformed-arguments",
    );
    const other = asked().turn(cut, call("pay", A)).human("approve", "pay", A, "call-2");
    expect(verdictOn(rule, other.runs("pay", { cents: 1 }, { callId: "x" }))).not.toBe("holds");
  });

  test("is broken where a later turn lives on an earlier yes, whatever is the same", () => {
    const earlier = () =>
      asked()
        .turn(call("pay", A, { callId: "x" }))
        .human("approve", "pay", A, "x")
        .runs("pay", A);
    expect(verdictOn(rule, earlier().turn(call("pay", A)).runs("pay", A))).toBe("later-turn");
    expect(verdictOn(rule, earlier().turn(call("pay", B)).runs("pay", B))).toBe("later-turn");
    const again = () => earlier().turn(call("pay", A, { callId: "x" }));
    expect(verdictOn(rule, again().runs("pay", A, { callId: "x" }))).toBe("later-turn");
    expect(verdictOn(rule, again().human("approve", "pay", A, "x").runs("pay", A, { callId: "x" }))).toBe("holds");
    expect(
      verdictOn(
        rule,
        earlier()
          .turn(call("ship", A, { callId: "x" }))
          .runs("ship", A),
      ),
    ).toBe("later-turn");
  });

  test("holds where the human is shown the arguments as the schema makes them, or as they were proposed", () => {
    const inputSchema = { type: "object", properties: { order: { type: "string" }, limit: { default: 5 } } };
    const tools = [toolNamed("pay", { inputSchema, permission: "ask" })];
    const proposed = { order: "A", x: 1 };
    const made = { order: "A", limit: 5 };
    for (const [shown, ran] of [
      [proposed, made],
      [made, made],
      [{ ...made, x: 1 }, proposed],
    ] as const) {
      const trace = traceOf({ world: { ...helpDesk, tools }, claims: { approvals: "asked" } });
      expect(verdictOn(rule, trace.turn(call("pay", proposed)).human("approve", "pay", shown).runs("pay", ran))).toBe(
        "holds",
      );
    }
    const trimmed = asked().event({ type: "asked" });
    const proposal = call("pay", { order: " A " }, { callId: "x" });
    trimmed.event({ type: "proposed", position: 0, proposal, stop: "tool-calls", normalised: A });
    expect(verdictOn(rule, trimmed.human("approve", "pay", { order: " A " }).runs("pay", A))).toBe("holds");
  });

  test("is broken where what runs has a field, or an item, that the human was not shown", () => {
    const pay = (proposed: Json, shown: Json) =>
      verdictOn(rule, asked().turn(call("pay", proposed)).human("approve", "pay", shown).runs("pay", proposed));
    expect(pay({ order: "A", bcc: "Eve" }, { order: "A" })).toBe("changed-after-approval");
    expect(pay({ order: "A", list: [1, 2] }, { order: "A" })).toBe("changed-after-approval");
    expect(pay({ order: "A", more: { a: 1, to: 2 } }, { order: "A", more: { a: 1 } })).toBe("other-arguments");
    expect(pay({ order: "A", bcc: "Eve" }, { order: "A", bcc: "Eve" })).toBe("holds");
  });

  test("holds where the human is shown the argument text itself", () => {
    expect(verdictOn(rule, asked().turn(call("pay", A)).human("approve", "pay", '{"order":"A"}').runs("pay", A))).toBe(
      "holds",
    );
  });

  test("holds where requests have no id, or one that the harness minted, be it that of another call by chance", () => {
    const play = (first?: string, second?: string) =>
      asked()
        .turn(call("pay", A, { callId: "call-2" }), call("pay", B, { callId: "call-1" }))
        .human("approve", "pay", A, first)
        .human("approve", "pay", B, second)
        .runs("pay", B)
        .runs("pay", A);
    expect(verdictOn(rule, play())).toBe("holds");
    expect(verdictOn(rule, play("request-1", "request-2"))).toBe("holds");
    expect(verdictOn(rule, play("call-1", "call-2"))).toBe("holds");
    const eachTurn = asked()
      .turn(call("pay", A, { callId: "call-1" }))
      .human("approve", "pay", A, "call-1");
    eachTurn
      .runs("pay", A)
      .turn(call("pay", A, { callId: "call-2" }))
      .human("approve", "pay", A, "call-1");
    expect(verdictOn(rule, eachTurn.runs("pay", A))).toBe("holds");
  });

  test("holds where all calls of a turn are asked about before the first answer, and answered in another order", () => {
    const trace = asked().turn(call("pay", A), call("pay", B), call("ship", A));
    const about = [
      { tool: "pay", args: A, callId: "call-1" },
      { tool: "pay", args: B, callId: "call-2" },
      { tool: "ship", args: A, callId: "call-3" },
    ];
    for (const [request, each] of about.entries()) trace.event({ type: "approval-asked", request, ...each });
    for (const request of [2, 0, 1]) {
      const yes = { decision: "approve", granted: true, ...about[request]! } as const;
      trace.event({ type: "approval-given", request, ...yes });
    }
    expect(verdictOn(rule, trace.runs("pay", B).runs("ship", A).runs("pay", A))).toBe("holds");
  });

  test("holds where a call runs turns after its approval", () => {
    const trace = asked().turn(call("pay", A)).human("approve", "pay", A, "call-1").turn(call("look_up"));
    expect(verdictOn(rule, trace.runs("look_up").runs("pay", A, { callId: "call-1" }))).toBe("holds");
  });

  test("lets a yes for the session cover later calls of that tool, and nothing else", () => {
    const session = () => asked({ sessionGrants: true }).turn(call("pay", A), call("pay", B));
    expect(verdictOn(rule, session().human("approve", "pay", A).runs("pay", A).runs("pay", B))).toBe("holds");
    const later = session().human("approve", "pay", A).turn(call("pay", B)).runs("pay", B);
    expect(verdictOn(rule, later)).toBe("holds");
    const refused = session().human("approve", "pay", A, "call-1").human("deny", "pay", B, "call-2");
    expect(verdictOn(rule, refused.runs("pay", A).runs("pay", B))).toBe("other-arguments");
    const open = session().human("later", "pay", A, "call-1").human("approve", "pay", B, "call-2");
    expect(verdictOn(rule, open.runs("pay", B).runs("pay", A))).toBe("holds");
    const otherTool = asked({ sessionGrants: true })
      .turn(call("pay", A, { callId: "x" }))
      .human("approve", "pay", A, "x");
    expect(verdictOn(rule, otherTool.turn(call("ship", A, { callId: "x" })).runs("ship", A))).toBe("later-turn");
  });

  test("leaves a second run of an approved call to the rule about repetitions", () => {
    const trace = asked().turn(call("pay", A)).human("approve", "pay", A).runs("pay", A).runs("pay", A);
    expect(verdictOn(rule, trace)).toBe("holds");
    expect(verdictOn(eachProposalRunsAtMostOnce, trace)).toBe("ran-twice");
  });

  test("leaves a tool and an id that nobody approved to the rule about waiting", () => {
    const trace = asked().turn(call("pay", A), call("ship", A)).human("approve", "pay", A, "call-1").runs("ship", A);
    expect(verdictOn(rule, trace)).toBe("holds");
    expect(verdictOn(askedToolsWaitForApproval, trace)).toBe("ran-without-approval");
  });

  test("is not exercised where nobody said yes", () => {
    expect(verdictOn(rule, asked().turn(call("pay", A)).human("deny", "pay", A))).toBe("not exercised");
  });

  test("needs approvals that are asked for", () => {
    const none = { deny: true, hiddenTools: "none" } as const;
    expect(rule.needs({ ...none, approvals: "asked" }, {})).toBeUndefined();
    expect(rule.needs({ ...none, approvals: "ends-run" }, {})).toContain("not claimed");
  });
});
