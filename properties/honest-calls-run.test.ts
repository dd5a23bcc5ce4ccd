import { describe, expect, test } from "vitest";
import { honestCallsRun as rule } from "./honest-calls-run.ts";
import { call, helpDesk, load, text, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const lookUp = call("look_up");
const asked = { claims: { approvals: "asked" } } as const;
const shown = (callId: string) => ({ results: [{ callId, text: "done" }] });

describe("honest-calls-run", () => {
  test("is broken where the run goes on without the call", () => {
    const trace = traceOf().turn(lookUp).turn(text("ok")).ends("answered");
    expect(verdictOn(rule, trace)).toBe("not-run");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 1, because: expect.stringContaining('"look_up"') }]);
  });

  test("is broken where the second of two calls is left out", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp, call("notify")).runs("look_up").turnWith(shown("call-1")))).toBe(
      "not-run",
    );
    expect(verdictOn(rule, traceOf().turn(text("Let me see."), lookUp).turn())).toBe("not-run");
  });

  test.each(["blocked", "failed", "aborted", "needs-approval"] as const)(
    "is broken where the run ends %s on it",
    (status) => {
      expect(verdictOn(rule, traceOf().turn(lookUp).ends(status))).toBe("refused");
    },
  );

  test("is broken where the run ends in silence, or says that steps are used up", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp).ends("answered"))).toBe("silence");
    expect(verdictOn(rule, traceOf().turn(lookUp).ends("out-of-steps"))).toBe("untrue-out-of-steps");
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("look_up").ends("out-of-steps"))).toBe("untrue-out-of-steps");
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("look_up").ends("out-of-steps", { thrown: "MaxTurns" }))).toBe(
      "untrue-out-of-steps",
    );
  });

  test("is broken where the result does not come back", () => {
    const trace = traceOf().turn(lookUp).runs("look_up").turnWith({ results: [] });
    expect(verdictOn(rule, trace)).toBe("lost-result");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 4 }]);
  });

  test("is broken where a loaded tool is refused", () => {
    expect(verdictOn(rule, traceOf().turn(load("refunds")).turn(call("refund")).ends("blocked"))).toBe("refused");
  });

  test("is broken where a call that only lacks approval does not end the run so", () => {
    expect(verdictOn(rule, traceOf().turn(call("pay")).ends("blocked"))).toBe("did-not-stop-for-approval");
    expect(verdictOn(rule, traceOf().turn(call("pay")).turn().ends("needs-approval"))).toBe(
      "did-not-stop-for-approval",
    );
  });

  test("is broken where it is not put to the human, put twice, or approved and not run", () => {
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).turn())).toBe("not-put-to-the-human");
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).human("deny", "pay").human("deny", "pay").turn())).toBe(
      "asked-twice",
    );
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).human("approve", "pay").turn())).toBe("not-run");
  });

  test("holds where calls run and their results come back", () => {
    const trace = traceOf().turn(lookUp).runs("look_up").turnWith(shown("call-1"), text("ok")).ends("answered");
    expect(verdictOn(rule, trace)).toBe("holds");
    expect(
      verdictOn(rule, traceOf().turn(lookUp, call("notify")).runs("notify").runs("look_up").ends("answered")),
    ).toBe("holds");
  });

  test("holds where a circle is broken, or a no is remembered, and not before", () => {
    const again = (times: number) => {
      const trace = traceOf({ claims: { results: false } });
      for (let time = 1; time < times; time += 1) trace.turn(lookUp).runs("look_up");
      return trace.turn(lookUp);
    };
    expect(verdictOn(rule, again(3).turn(text("ok")).ends("answered"))).toBe("holds");
    expect(verdictOn(rule, again(3).ends("failed"))).toBe("holds");
    expect(verdictOn(rule, again(2).ends("failed"))).toBe("refused");
    expect(verdictOn(rule, again(3).ends("out-of-steps"))).toBe("untrue-out-of-steps");
    const paid = (order: string) =>
      traceOf(asked)
        .turn(call("pay", { order: "A" }))
        .human("deny", "pay", { order: "A" })
        .turn(call("pay", { order }));
    expect(verdictOn(rule, paid("A").turn())).toBe("holds");
    expect(verdictOn(rule, paid("B").turn())).toBe("not-put-to-the-human");
  });

  test("holds where a tool that took too long is out of service", () => {
    const behaviour = { kind: "hang" } as const;
    const later = (claims: object) => {
      const trace = traceOf({ claims }).turn(lookUp).runs("look_up", {}, { behaviour, settles: false });
      trace.event({ type: "handler-hangs", effect: 0, tool: "look_up" });
      return trace.turn(call("look_up", { order: "B" })).turn();
    };
    expect(verdictOn(rule, later({ deadlineMs: 20 }))).toBe("not exercised");
    expect(verdictOn(rule, later({}))).toBe("not-run");
  });

  test("holds where a turn asked for on the side comes before the results", () => {
    const trace = traceOf()
      .turn(lookUp)
      .runs("look_up")
      .turnWith({}, text("A title"))
      .turnWith(shown("call-1"), text("ok"));
    expect(verdictOn(rule, trace.ends("answered"))).toBe("holds");
  });

  test("holds where arguments are normalised or changed on the way: other rules judge that", () => {
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("look_up", { order: "A", x: 1 }))
          .runs("look_up", { order: "A" }),
      ),
    ).toBe("holds");
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("look_up", { order: "A" }))
          .runs("look_up", {}),
      ),
    ).toBe("holds");
  });

  test("holds where a call that needs approval is dealt with", () => {
    expect(verdictOn(rule, traceOf().turn(call("pay")).ends("needs-approval"))).toBe("holds");
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).human("deny", "pay").turn())).toBe("holds");
    expect(
      verdictOn(rule, traceOf(asked).turn(call("pay")).human("later", "pay").human("approve", "pay").runs("pay")),
    ).toBe("holds");
    expect(verdictOn(rule, traceOf(asked).turn(call("pay")).human("throw", "pay").ends("needs-approval"))).toBe(
      "holds",
    );
  });

  test("counts one session-wide approval for all calls where that is claimed", () => {
    const trace = traceOf({ claims: { approvals: "asked", sessionGrants: true, results: false } }).turn(call("pay"));
    trace
      .human("approve", "pay")
      .runs("pay")
      .turn(call("pay", { order: "B" }));
    expect(verdictOn(rule, trace.runs("pay", { order: "B" }).ends("answered"))).toBe("holds");
  });

  test("holds where calls whose arguments may be normalised to those of a sibling run in any order", () => {
    const forged = { approved: true };
    const both = () => traceOf({ claims: { results: false } }).turn(call("look_up", forged), call("look_up"));
    expect(verdictOn(rule, both().runs("look_up").runs("look_up", forged).turn())).toBe("holds");
    expect(verdictOn(rule, both().runs("look_up", forged).runs("look_up").turn())).toBe("holds");
    expect(verdictOn(rule, both().runs("look_up").runs("look_up").turn())).toBe("holds");
    expect(verdictOn(rule, both().runs("look_up").turn())).toBe("not-run");
    const inputSchema = { type: "object", properties: { page: { default: 1 } } };
    const world = { ...helpDesk, tools: [toolNamed("list", { inputSchema })] };
    const filling = () => traceOf({ world, claims: { results: false } }).turn(call("list", forged), call("list"));
    const filled = filling().runs("list", { page: 1 });
    expect(verdictOn(rule, filled.runs("list", { ...forged, page: 1 }).turn())).toBe("holds");
  });

  test("holds where the human is asked about such calls in any order", () => {
    const forged = { approved: true };
    const both = () =>
      traceOf({ claims: { approvals: "asked", results: false } }).turn(call("pay", forged), call("pay"));
    const approved = () => both().human("approve", "pay").human("approve", "pay", forged);
    expect(verdictOn(rule, approved().runs("pay").runs("pay", forged).turn())).toBe("holds");
    expect(verdictOn(rule, approved().runs("pay", forged).runs("pay").turn())).toBe("holds");
  });

  test("a yes for the session does not reach back to a call that was refused", () => {
    const session = () =>
      traceOf({ claims: { approvals: "asked", sessionGrants: true, results: false } }).turn(call("pay"));
    const refused = session()
      .human("deny", "pay", {}, "call-1")
      .turn(call("pay"))
      .human("approve", "pay", {}, "call-2");
    expect(verdictOn(rule, refused.runs("pay", {}, { callId: "call-2" }).turn().ends("answered"))).toBe("holds");
    const withoutIds = session().human("deny", "pay").turn(call("pay")).human("approve", "pay").runs("pay");
    expect(verdictOn(rule, withoutIds.turn().ends("answered"))).toBe("holds");
    const granted = () => session().human("approve", "pay").runs("pay").turn(call("pay"));
    expect(verdictOn(rule, granted().human("deny", "pay").turn().ends("answered"))).toBe("holds");
    expect(verdictOn(rule, granted().turn().ends("answered"))).toBe("not-run");
  });

  test("leaves room for a call whose sibling had no yes in time", () => {
    const claims = { approvals: "asked", deadlineMs: 20, results: false } as const;
    const batch = () =>
      traceOf({ claims })
        .turn(call("pay"), call("pay", { order: "B" }))
        .human("approve", "pay", {}, "call-1");
    const other = { request: 1, tool: "pay", args: { order: "B" }, callId: "call-2" };
    const late = { type: "approval-given", ...other, decision: "late-approve", granted: true } as const;
    const asked = () => batch().event({ type: "approval-asked", ...other });
    expect(verdictOn(rule, asked().event(late).turn().ends("answered"))).toBe("not exercised");
    expect(
      verdictOn(
        rule,
        asked()
          .ends("needs-approval")
          .event({ ...late, late: true }),
      ),
    ).toBe("not exercised");
    expect(verdictOn(rule, batch().human("approve", "pay", { order: "B" }, "call-2").turn())).toBe("not-run");
  });

  test("leaves room for a call with more fields beside its arguments", () => {
    const more = call("look_up", {}, { extra: { confirmed: true } });
    expect(verdictOn(rule, traceOf().turn(more).turn().ends("answered"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(more, lookUp).ends("blocked"))).toBe("not exercised");
    const bare = call("look_up", {}, { extra: {} });
    expect(verdictOn(rule, traceOf().turn(bare).ends("blocked"))).toBe("refused");
  });

  test("leaves room for calls beside a refusal, a failure or a pause", () => {
    expect(verdictOn(rule, traceOf().turn(call("wipe"), lookUp).ends("blocked"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(call("nothing"), lookUp).turn())).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(load("nothing"), lookUp).turn())).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(call("notify"), lookUp).fails("notify").ends("failed"))).toBe(
      "not exercised",
    );
    expect(verdictOn(rule, traceOf().turn(lookUp, call("pay")).ends("needs-approval"))).toBe("holds");
    expect(verdictOn(rule, traceOf(asked).turn(lookUp, call("pay")).human("deny", "pay").turn())).toBe("holds");
    const two = traceOf(asked)
      .turn(call("pay"), call("pay", { order: "B" }))
      .human("deny", "pay")
      .ends("blocked");
    expect(verdictOn(rule, two)).toBe("not exercised");
    const waiting = traceOf(asked)
      .turn(call("pay"), call("pay", { order: "B" }))
      .human("approve", "pay");
    waiting.event({ type: "approval-asked", request: 1, tool: "pay", args: { order: "B" } });
    waiting.event({ type: "human-hangs", request: 1, tool: "pay" });
    expect(verdictOn(rule, waiting.ends("failed"))).toBe("not exercised");
  });

  test("holds where a question that was left open is put again turns later, beside an equal call", () => {
    for (const ids of [["call-1", "call-2"], []]) {
      const trace = traceOf({ claims: { approvals: "asked", results: false } }).turn(call("pay"));
      trace.human("later", "pay", {}, ids[0]).turn(call("pay"));
      trace.human("approve", "pay", {}, ids[0]).human("approve", "pay", {}, ids[1]);
      expect(verdictOn(rule, trace.runs("pay").runs("pay").turn())).toBe("holds");
    }
  });

  test("holds where a question is put again under an id that the harness minted for its turn", () => {
    const trace = traceOf({ claims: { approvals: "asked", results: false } }).turn(call("pay"), call("pay"));
    trace.human("later", "pay", {}, "call-1").human("approve", "pay", {}, "call-1").runs("pay");
    trace.turn(call("pay")).human("approve", "pay", {}, "call-1").runs("pay").turn();
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("holds where a run pauses at the first question of a turn and drops the others, but what was approved runs", () => {
    const trace = () =>
      traceOf({ claims: { approvals: "asked", results: false } })
        .turn(call("pay"), call("pay", { order: "B" }))
        .human("approve", "pay");
    expect(verdictOn(rule, trace().runs("pay").turn())).toBe("holds");
    expect(verdictOn(rule, trace().turn())).toBe("not-run");
    expect(verdictOn(rule, trace().human("approve", "pay", { order: "B" }).runs("pay").turn())).toBe("not-run");
  });

  test("leaves room for loads that may not have counted", () => {
    expect(verdictOn(rule, traceOf().turn(load("refunds"), call("refund")).turn())).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(load("refunds"), call("wipe")).turn(call("refund")).turn())).toBe(
      "not exercised",
    );
    expect(verdictOn(rule, traceOf().turnWith({ stop: "length" }, load("refunds")).turn(call("refund")).turn())).toBe(
      "not exercised",
    );
  });

  test.each([
    ["stop end", () => traceOf().turnWith({ stop: "end" }, lookUp).ends("answered")],
    ["stop length", () => traceOf().turnWith({ stop: "length" }, lookUp).ends("answered")],
    [
      "doubled keys",
      () =>
        traceOf()
          .turn(call("look_up", { text: '{"order":"A","order":"B"}' }))
          .turn(),
    ],
    [
      "an own __proto__ key",
      () =>
        traceOf()
          .turn(call("look_up", { text: '{"__proto__":{}}' }))
          .turn(),
    ],
    [
      "a constructor key that holds a prototype",
      () =>
        traceOf()
          .turn(call("look_up", { text: '{"constructor":{"prototype":{}}}' }))
          .turn(),
    ],
    [
      "deep arguments",
      () =>
        traceOf()
          .turn(call("look_up", { text: `{"x":${"[".repeat(100)}${"]".repeat(100)}}` }))
          .turn(),
    ],
    [
      "long arguments",
      () =>
        traceOf()
          .turn(call("look_up", { order: "x".repeat(10_000) }))
          .turn(),
    ],
    [
      "invalid arguments",
      () =>
        traceOf()
          .turn(call("look_up", { order: 7 }))
          .turn(),
    ],
    [
      "an id that came twice",
      () =>
        traceOf()
          .turn(call("look_up", {}, { callId: "a" }), call("notify", {}, { callId: "a" }))
          .turn(),
    ],
    [
      "several calls",
      () =>
        traceOf({ claims: { parallelCalls: false } })
          .turn(lookUp, lookUp)
          .turn(),
    ],
    [
      "empty text",
      () =>
        traceOf({ shape: { emptyArguments: "empty-object" } })
          .turn(call("look_up", { text: "" }))
          .turn(),
    ],
  ])("leaves room for %s", (_, trace) => {
    expect(verdictOn(rule, trace())).toBe("not exercised");
  });

  test("leaves room for an id of an earlier turn only where ids do not come again", () => {
    const again = (shape: { idsAcrossTurns?: boolean }) =>
      traceOf({ shape, claims: { results: false } })
        .turn(call("look_up", {}, { callId: "a" }))
        .runs("look_up")
        .turn(call("notify", {}, { callId: "a" }))
        .turn();
    expect(verdictOn(rule, again({ idsAcrossTurns: false }))).toBe("holds");
    expect(verdictOn(rule, again({}))).toBe("not-run");
  });

  test("a run whose steps are used up need not act on its last turn", () => {
    const world = { ...helpDesk, maxSteps: 1 };
    expect(verdictOn(rule, traceOf({ world }).turn(lookUp).ends("out-of-steps"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf({ world }).turn(lookUp).ends("blocked"))).toBe("refused");
  });

  test("does not ask for more from a run that broke down", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp).crashes())).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(lookUp).event({ type: "hung", afterMs: 1 }))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(lookUp).event({ type: "aborted" }).ends("aborted"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(lookUp).runs("look_up").crashes())).toBe("holds");
    expect(verdictOn(rule, traceOf().turn(lookUp).turn().crashes())).toBe("not-run");
  });

  test("takes what the harness's own schema says for valid", () => {
    const proposal = { kind: "tool-call", callId: "a", name: "look_up", args: '{"order":7}' } as const;
    const event = { type: "proposed", position: 0, proposal, stop: "tool-calls" } as const;
    expect(
      verdictOn(
        rule,
        traceOf()
          .asks()
          .event({ ...event, normalised: { order: "7" } })
          .turn(),
      ),
    ).toBe("not-run");
    const plain = { ...proposal, args: "{}" };
    expect(
      verdictOn(
        rule,
        traceOf()
          .asks()
          .event({ ...event, proposal: plain, refusedBySchema: true })
          .turn(),
      ),
    ).toBe("not exercised");
  });

  test("does not judge what is not claimed", () => {
    const world = {
      ...helpDesk,
      tools: [toolNamed("pay", { permission: "ask" }), toolNamed("secret", { offered: "never" })],
    };
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(verdictOn(rule, traceOf({ world, claims }).turn(call("pay")).turn(call("secret")).turn())).toBe(
      "not exercised",
    );
  });

  test("leaves a call that ran after the end to the rule about that", () => {
    const late = traceOf().turn(call("look_up")).ends("answered").runs("look_up", {}, { late: true });
    expect(verdictOn(rule, late)).toBe("holds");
    const other = traceOf().turn(call("look_up")).ends("answered").runs("notify", {}, { late: true });
    expect(verdictOn(rule, other)).toBe("silence");
  });

  test("needs nothing", () => {
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
