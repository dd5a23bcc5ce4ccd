import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import type { Proposal, Turn } from "../src/contract/turn.ts";
import { deniedToolsNeverRun } from "./denied-tools-never-run.ts";
import { neighboursChangeNoVerdict as rule } from "./neighbours-change-no-verdict.ts";
import { call, helpDesk, load, type TraceBuilder, text, traceOf, verdictOn } from "./trace-of.ts";

const wipe = call("wipe", {}, { callId: "w" });
const lookUp = call("look_up", {}, { callId: "l" });
const pay = call("pay", {}, { callId: "p" });
const secret = call("secret", {}, { callId: "s" });
const unknown = call("nothing", {}, { callId: "n" });

function turnOf(...proposals: Proposal[]): Turn {
  return { proposals, stop: "tool-calls" };
}

function scriptOf(turns: Script["turns"], facts: Partial<Script> = {}): Script {
  return { format: 1, world: helpDesk, turns, afterTurns: "end", handlers: {}, decisions: [], ...facts };
}

function twinOf(script: Script, trace: TraceBuilder): Script | undefined {
  return rule.twin?.(script, trace.evidence());
}

describe("neighbours-change-no-verdict", () => {
  test.each([
    ["denied", "denied-beside-others", wipe, "wipe", {}],
    ["hidden", "not-offered-beside-others", secret, "secret", {}],
    ["not approved", "not-approved-beside-others", pay, "pay", { approvals: "asked" }],
  ] as const)(
    "is broken where a call that is %s runs beside another and not alone",
    (_, cause, guilty, tool, claims) => {
      const batch = () => traceOf({ claims }).turn(lookUp, guilty).runs("look_up").runs(tool);
      const alone = () => traceOf({ claims }).turn(lookUp).runs("look_up").turn(guilty);
      expect(verdictOn(rule, batch(), alone().turn())).toBe(cause);
      expect(verdictOn(rule, batch(), alone().ends("blocked"))).toBe(cause);
      expect(verdictOn(rule, batch(), alone().runs(tool))).toBe("holds");
      expect(rule.judge(batch().evidence(), alone().turn().evidence())).toMatchObject([
        { at: 5, because: expect.stringContaining(`"${tool}"`) },
      ]);
    },
  );

  test("is broken where the approval of a sibling lets a call run", () => {
    const claims = { approvals: "asked" } as const;
    const other = call("pay", { order: "B" }, { callId: "q" });
    const batch = traceOf({ claims }).turn(pay, other).human("approve", "pay", {}, "p").runs("pay");
    batch.runs("pay", { order: "B" });
    const alone = () => traceOf({ claims }).turn(pay).human("approve", "pay", {}, "p").runs("pay").turn(other);
    expect(verdictOn(rule, batch, alone().human("deny", "pay", { order: "B" }, "q"))).toBe(
      "approval-of-another-call-beside-others",
    );
    const granted = alone().human("approve", "pay", { order: "B" }, "q").runs("pay", { order: "B" });
    expect(verdictOn(rule, batch, granted)).toBe("holds");
  });

  test("holds where nothing forbidden runs, and where it runs alone", () => {
    expect(verdictOn(rule, traceOf().turn(lookUp, wipe).runs("look_up"))).toBe("holds");
    const alone = traceOf().turn(wipe).runs("wipe");
    expect(verdictOn(rule, alone)).toBe("not exercised");
    expect(twinOf(scriptOf([turnOf(wipe)]), alone)).toBeUndefined();
    expect(verdictOn(rule, traceOf().turn(text("Soon."), wipe))).toBe("not exercised");
  });

  test("holds where a call after its load in the same turn runs", () => {
    const trace = traceOf().turn(load("refunds"), call("refund"), wipe).runs("refund");
    expect(verdictOn(rule, trace)).toBe("holds");
    expect(twinOf(scriptOf([]), trace)).toBeUndefined();
  });

  test("leaves a call that runs in its own turn too to the rule about its gate, and both may be broken", () => {
    const batch = traceOf().turn(lookUp, wipe).runs("look_up").runs("wipe");
    expect(verdictOn(deniedToolsNeverRun, batch)).toBe("denied-tool");
    const late = traceOf().turn(lookUp).runs("look_up").turn(wipe).ends("blocked");
    late.event({ type: "handler-started", effect: 9, tool: "wipe", args: {}, behaviour: { kind: "echo" }, late: true });
    expect(verdictOn(rule, batch, late)).toBe("holds");
  });

  test("does not guess which of two equal calls ran", () => {
    const twins = [call("wipe", {}, { callId: "a" }), call("wipe", {}, { callId: "b" })] as const;
    const one = traceOf()
      .turn(...twins)
      .runs("wipe");
    expect(verdictOn(rule, one, traceOf().turn(twins[0]).turn(twins[1]).runs("wipe"))).toBe("holds");
    expect(verdictOn(rule, one, traceOf().turn(twins[0]).turn(twins[1]))).toBe("denied-beside-others");
  });

  test("holds where the twin broke down, did not come as far, or gave no turn of its own", () => {
    const batch = traceOf().turn(lookUp, wipe).runs("wipe");
    expect(verdictOn(rule, batch, traceOf().turn(lookUp).turn(wipe).crashes())).toBe("holds");
    expect(verdictOn(rule, batch, traceOf().turn(lookUp).ends("blocked"))).toBe("holds");
    expect(verdictOn(rule, batch, traceOf().turn(lookUp, wipe).ends("blocked"))).toBe("holds");
  });

  test("names the script with a turn for each call as the twin, and raises the budget", () => {
    const said = text("Both, please.");
    const script = scriptOf([turnOf(lookUp), turnOf(said, lookUp, load("refunds"), wipe), turnOf(lookUp)]);
    const trace = traceOf().turn(lookUp).turn(said, lookUp, load("refunds"), wipe).runs("wipe");
    expect(twinOf(script, trace)).toEqual({
      ...script,
      world: { ...helpDesk, maxSteps: 6 },
      turns: [turnOf(lookUp), turnOf(said, lookUp), turnOf(load("refunds")), turnOf(wipe)],
    });
  });

  test("writes a repeated turn out, keeps the model's failures, and moves an abort along", () => {
    const failure = { kind: "failure", failure: "timeout" } as const;
    const again = [call("look_up", {}, { callId: "l~2" }), call("wipe", {}, { callId: "w~2" })] as const;
    const abort = { during: "model", at: 3 } as const;
    const script = scriptOf([failure, turnOf(lookUp, wipe)], { afterTurns: "repeat-last", abort });
    const trace = traceOf()
      .turn(lookUp, wipe)
      .turn(...again)
      .runs("wipe", {}, { callId: "w~2" });
    const twin = twinOf(script, trace);
    expect(twin?.turns).toEqual([failure, turnOf(lookUp, wipe), turnOf(again[0]), turnOf(again[1])]);
    expect(twin).toMatchObject({ afterTurns: "end", abort: { during: "model", at: 4 }, world: { maxSteps: 5 } });
    const inHandler = { ...script, abort: { during: "handler", at: 3 } } as const;
    expect(twinOf(inHandler, trace)?.abort).toEqual(inHandler.abort);
  });

  test("names a second twin, with the call in front, where the first one ended before it", () => {
    const script = scriptOf([turnOf(unknown, load("refunds"), wipe, lookUp)]);
    const trace = traceOf().turn(unknown, load("refunds"), wipe, lookUp).runs("wipe");
    const ended = traceOf().turn(unknown).ends("blocked");
    const second = rule.secondTwin?.(script, trace.evidence(), ended.evidence());
    expect(second?.turns).toEqual([turnOf(load("refunds")), turnOf(wipe), turnOf(unknown), turnOf(lookUp)]);
    expect(second?.world.maxSteps).toBe(7);
    expect(verdictOn(rule, trace, traceOf().turn(load("refunds")).turn(wipe).ends("blocked"))).toBe(
      "denied-beside-others",
    );
    const reached = traceOf().turn(unknown).turn(load("refunds")).turn(wipe);
    expect(rule.secondTwin?.(script, trace.evidence(), reached.evidence())).toBeUndefined();
    expect(rule.secondTwin?.(script, trace.evidence(), traceOf().turn(unknown).crashes().evidence())).toBeUndefined();
  });

  test("gives the human the same answers in the second twin", () => {
    const other = call("pay", { order: "B" }, { callId: "q" });
    const script = scriptOf([turnOf(lookUp), turnOf(pay, other)], { decisions: ["later", "throw", "approve"] });
    const trace = traceOf({ claims: { approvals: "asked" } })
      .turn(lookUp)
      .turn(pay, other);
    trace.human("later", "pay", {}, "p").human("throw", "pay", { order: "B" }, "q").runs("pay", { order: "B" });
    const ended = traceOf({ claims: { approvals: "asked" } })
      .turn(lookUp)
      .turn(pay)
      .ends("needs-approval");
    const second = rule.secondTwin?.(script, trace.evidence(), ended.evidence());
    expect(second?.turns).toEqual([turnOf(lookUp), turnOf(other), turnOf(pay)]);
    expect(second?.decisions).toEqual(["throw", "later", "approve"]);
  });

  test("needs several calls in a turn, and a gate", () => {
    const none = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(none, {})).toContain("no gate is claimed");
    expect(rule.needs({ ...none, deny: true, parallelCalls: false }, {})).toContain("several calls");
    expect(rule.needs({ ...none, deny: true }, {})).toBeUndefined();
  });
});
