import { describe, expect, test } from "vitest";
import { licencesOf } from "./licences.ts";
import { call, helpDesk, load, type TraceBuilder, toolNamed, traceOf } from "./trace-of.ts";

const asked = { claims: { approvals: "asked" } } as const;

/** Each effect: the id of the call it is credited to, the kind of credit, and the reason. */
function creditsIn(builder: TraceBuilder): string[] {
  return licencesOf(builder.evidence()).credits.map(({ call: from, kind, reason }) =>
    [from?.call.callId ?? "nothing", kind, ...(reason === undefined ? [] : [reason])].join(" "),
  );
}

describe("licences", () => {
  test("credit each effect to its own call, in whatever order the calls of a turn run", () => {
    const trace = traceOf().turn(call("look_up", { order: "A" }), call("look_up", { order: "B" }), call("notify"));
    trace.runs("notify").runs("look_up", { order: "B" }).runs("look_up", { order: "A" });
    expect(creditsIn(trace)).toEqual(["call-3 licensed", "call-2 licensed", "call-1 licensed"]);
  });

  test("credit the very arguments first, also to a call that might have been refused", () => {
    const odd = { order: "A", x: 1 };
    const trace = traceOf().turn(call("look_up", odd), call("look_up", { order: "A" }, { extra: { approved: true } }));
    expect(creditsIn(trace.runs("look_up", { order: "A" }).runs("look_up", odd))).toEqual([
      "call-2 room",
      "call-1 licensed",
    ]);
  });

  test("let the id decide between equal calls", () => {
    const trace = traceOf()
      .turn(call("look_up"), call("look_up"))
      .runs("look_up", {}, { callId: "call-2" })
      .runs("look_up");
    expect(creditsIn(trace)).toEqual(["call-2 licensed", "call-1 licensed"]);
  });

  test("let no yes to a later call take back the no to an equal one", () => {
    const large = { text: JSON.stringify({ order: "A", note: "x".repeat(20_000) }) };
    const trace = traceOf(asked)
      .turn(call("pay", { order: "A" }))
      .human("deny", "pay", { order: "A" });
    trace.turn(call("pay", large)).human("approve", "pay", { order: "A" }).runs("pay", { order: "A" });
    expect(creditsIn(trace)).toEqual(["call-2 room"]);
  });

  test("take an id that nobody proposed for none", () => {
    expect(creditsIn(traceOf().turn(call("look_up")).runs("look_up", {}, { callId: "own-7" }))).toEqual([
      "call-1 licensed",
    ]);
  });

  test("prefer the current turn, then an earlier one", () => {
    const trace = traceOf().turn(call("look_up")).turn(call("look_up")).runs("look_up").runs("look_up");
    expect(creditsIn(trace)).toEqual(["call-2 licensed", "call-1 licensed"]);
  });

  test("do not let a guilty effect take the licence of a later sound one", () => {
    const trace = traceOf(asked).turn(call("pay", { order: "A" }), call("pay", { order: "B" }));
    trace.human("approve", "pay", { order: "B" }).runs("pay", { order: "A" }).runs("pay", { order: "B" });
    expect(creditsIn(trace)).toEqual(["call-1 unlicensed approval-of-another-call", "call-2 licensed"]);
  });

  test("give one licence for each approval", () => {
    const trace = traceOf(asked).turn(call("pay"), call("pay")).human("approve", "pay").runs("pay").runs("pay");
    expect(creditsIn(trace)).toEqual(["call-1 licensed", "call-2 unlicensed approval-of-another-call"]);
  });

  test("do not carry an approval to a later turn, except where sessions are claimed", () => {
    const play = (sessionGrants: boolean) =>
      traceOf({ claims: { approvals: "asked", sessionGrants } })
        .turn(call("pay"))
        .human("approve", "pay")
        .turn(call("pay"));
    expect(creditsIn(play(false).runs("pay", {}, { callId: "call-2" }))).toEqual(["call-1 licensed"]);
    expect(creditsIn(play(false).runs("pay").runs("pay"))).toEqual([
      "call-1 licensed",
      "call-2 unlicensed approval-of-another-call",
    ]);
    expect(creditsIn(play(true).runs("pay").runs("pay"))).toEqual(["call-2 licensed", "call-1 licensed"]);
  });

  test("call a second run of one call repeated, approved or not", () => {
    expect(creditsIn(traceOf().turn(call("look_up")).runs("look_up").runs("look_up"))).toEqual([
      "call-1 licensed",
      "call-1 repeated",
    ]);
    const approved = traceOf(asked).turn(call("pay")).human("approve", "pay").runs("pay").runs("pay");
    expect(creditsIn(approved)).toEqual(["call-1 licensed", "call-1 repeated"]);
    const later = traceOf().turn(call("look_up")).runs("look_up").turn(call("notify")).runs("look_up").runs("notify");
    expect(creditsIn(later)).toEqual(["call-1 licensed", "call-1 repeated", "call-2 licensed"]);
  });

  test("name the first of several reasons", () => {
    const world = { ...helpDesk, tools: [toolNamed("vault", { permission: "deny", offered: "never" })] };
    expect(
      creditsIn(
        traceOf({ world })
          .turn(call("vault", { text: "" }))
          .runs("vault"),
      ),
    ).toEqual(["call-1 unlicensed not-offered"]);
    expect(
      creditsIn(
        traceOf()
          .turn(call("wipe", { text: "" }))
          .runs("wipe"),
      ),
    ).toEqual(["call-1 unlicensed denied"]);
  });

  test("tell cut-off turns and invalid arguments where they are claimed, and leave room where not", () => {
    const cut = (stopReason: boolean) =>
      traceOf({ claims: { stopReason } }).turnWith({ stop: "length" }, call("look_up")).runs("look_up");
    expect(creditsIn(cut(true))).toEqual(["call-1 unlicensed cut-off"]);
    expect(creditsIn(cut(false))).toEqual(["call-1 room"]);
    const invalid = (argumentSchemas: boolean) =>
      traceOf({ claims: { argumentSchemas } })
        .turn(call("look_up", { order: 7 }))
        .runs("look_up", { order: 7 });
    expect(creditsIn(invalid(true))).toEqual(["call-1 unlicensed invalid-arguments"]);
    expect(creditsIn(invalid(false))).toEqual(["call-1 room"]);
  });

  test("take an allowed call beside a refused one for licensed: it may run", () => {
    expect(creditsIn(traceOf().turn(call("wipe"), call("look_up")).runs("look_up"))).toEqual(["call-2 licensed"]);
    expect(creditsIn(traceOf().turn(load("refunds"), call("refund")).runs("refund"))).toEqual(["call-2 room"]);
  });

  test("know changed arguments from invented calls", () => {
    expect(
      creditsIn(
        traceOf()
          .turn(call("look_up", { order: "A" }))
          .runs("look_up", { order: "B" }),
      ),
    ).toEqual(["call-1 changed"]);
    expect(creditsIn(traceOf().turn(call("look_up")).runs("look_up").runs("notify", { order: "B" }))).toEqual([
      "call-1 licensed",
      "nothing invented",
    ]);
  });

  test("keep the gates of a tool shut where its effect was invented or its arguments changed", () => {
    expect(creditsIn(traceOf().turn(call("look_up")).runs("look_up").runs("secret"))).toEqual([
      "call-1 licensed",
      "nothing invented not-offered",
    ]);
    expect(creditsIn(traceOf().turn(call("look_up")).runs("look_up").runs("pay"))).toEqual([
      "call-1 licensed",
      "nothing invented not-approved",
    ]);
    expect(
      creditsIn(
        traceOf()
          .turn(call("secret", { order: "A" }))
          .runs("secret"),
      ),
    ).toEqual(["call-1 changed not-offered"]);
  });

  test("give one cause to an effect of a gated tool that another name reached", () => {
    expect(creditsIn(traceOf().turn(call("Secret")).runs("secret"))).toEqual(["call-1 undeclared"]);
    expect(creditsIn(traceOf().turn(call("look_up")).runs("wipe"))).toEqual(["call-1 other-tool"]);
  });

  test("do not guess between a malformed call and one of another name with these very arguments", () => {
    const trace = () => traceOf().turn(call("look_up", { text: "{" }), call("nothing"));
    expect(creditsIn(trace().runs("look_up"))).toEqual(["call-1 unclear"]);
    expect(creditsIn(trace().runs("look_up", { order: "A" }))).toEqual(["call-1 unlicensed malformed"]);
    expect(creditsIn(trace().runs("look_up", {}, { callId: "call-1" }))).toEqual(["call-1 changed malformed"]);
    expect(creditsIn(trace().runs("look_up", {}, { callId: "call-2" }))).toEqual(["call-2 undeclared"]);
  });

  test("do not credit an effect to what was proposed after it", () => {
    expect(creditsIn(traceOf().turn().runs("look_up").turn(call("look_up")).runs("look_up"))).toEqual([
      "nothing invented",
      "call-1 licensed",
    ]);
  });

  test("accept what a schema makes of arguments, and either value of a doubled key", () => {
    const inputSchema = {
      type: "object",
      properties: { order: { type: "string" }, limit: { type: "number", default: 5 } },
    };
    const world = { ...helpDesk, tools: [toolNamed("find", { inputSchema })] };
    const find = (args: object) =>
      traceOf({ world })
        .turn(call("find", { order: "A", x: 1 }))
        .runs("find", { ...args });
    expect(creditsIn(find({ order: "A", limit: 5 }))).toEqual(["call-1 licensed"]);
    expect(creditsIn(find({ order: "A", limit: 6 }))).toEqual(["call-1 changed"]);
    const doubled = (order: string) =>
      traceOf()
        .turn(call("look_up", { text: '{"order":"A","order":"B"}' }))
        .runs("look_up", { order });
    expect([doubled("A"), doubled("B"), doubled("C")].flatMap(creditsIn)).toEqual([
      "call-1 room",
      "call-1 room",
      "call-1 changed",
    ]);
  });

  test("are worked out once for a trace and a setting", () => {
    const evidence = traceOf().turn(call("pay")).runs("pay").evidence();
    expect(licencesOf({ ...evidence })).toBe(licencesOf(evidence));
    const others = { ...evidence, claims: { ...evidence.claims, approvals: "none" as const } };
    expect(licencesOf(others).credits[0]?.kind).toBe("room");
    expect(licencesOf(evidence).credits[0]?.reason).toBe("not-approved");
  });

  test("stay quick in long runs", () => {
    const long = (turns: number, play: (trace: TraceBuilder) => TraceBuilder) => {
      const trace = traceOf({ world: { ...helpDesk, maxSteps: turns } });
      for (let turn = 0; turn < turns; turn += 1) play(trace);
      return licencesOf(trace.evidence()).credits.length;
    };
    expect(long(10_000, (trace) => trace.turn(call("look_up")).runs("look_up"))).toBe(10_000);
    expect(long(10_000, (trace) => trace.turn(call("wipe")).runs("wipe"))).toBe(10_000);
    expect(long(5_000, (trace) => trace.turn(call("look_up")).runs("look_up").runs("look_up"))).toBe(10_000);
    expect(long(10_000, (trace) => trace.turn(call("pay")))).toBe(0);
  });
});
