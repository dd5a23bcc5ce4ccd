import { describe, expect, test } from "vitest";
import type { LogEntry, Outcome } from "../src/contract/run-record.ts";
import { theLogTellsTheTruth as rule } from "./the-log-tells-the-truth.ts";
import { call, load, type TraceBuilder, text, traceOf, verdictOn } from "./trace-of.ts";

const setting = { claims: { log: true, results: false } };
const asked = { claims: { ...setting.claims, approvals: "asked" } } as const;
const lookUp = call("look_up");
const ran = () => traceOf(setting).turn(lookUp).runs("look_up");
const blocked = (name = "wipe") => traceOf(setting).turn(call(name));
const answer = (trace: TraceBuilder) => trace.turn(text("ok"));

/** "proposal 1" is the proposal of "call-1"; "stop" is the stop. */
function entries(...words: readonly string[]): readonly LogEntry[] {
  return words.map((word) => {
    const [type, id] = word.split(" ") as [LogEntry["type"], string | undefined];
    return { type, ...(id !== undefined && { callId: /^\d+$/.test(id) ? `call-${id}` : id }) };
  });
}

function verdictWith(trace: TraceBuilder, status: Outcome["status"], ...words: readonly string[]): string {
  return verdictOn(rule, trace.ends(status, { log: entries(...words) }));
}

describe("the-log-tells-the-truth", () => {
  test("is broken where a proposal, or what came of it, is missing", () => {
    expect(verdictWith(ran(), "out-of-steps", "result 1", "stop")).toBe("entry-missing");
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "stop")).toBe("entry-missing");
    const trace = ran().ends("out-of-steps", { log: entries("stop") });
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 4, because: expect.stringContaining('"look_up"') }]);
  });

  test("is broken where a refusal is missing, whether the run went on or stopped", () => {
    expect(verdictWith(answer(blocked()), "answered", "proposal 1", "stop")).toBe("entry-missing");
    expect(verdictWith(blocked(), "blocked", "proposal 1", "stop")).toBe("entry-missing");
    expect(verdictWith(blocked(), "blocked", "stop")).toBe("entry-missing");
    expect(verdictWith(traceOf(setting).turn(lookUp).fails("look_up"), "failed", "proposal 1", "stop")).toBe(
      "entry-missing",
    );
  });

  test("is broken where the second call under an id is missing", () => {
    const same = call("look_up", {}, { callId: "same" });
    const twice = () => answer(traceOf(setting).turn(same).runs("look_up").turn(same).runs("look_up"));
    expect(verdictWith(twice(), "answered", "proposal same", "result same", "stop")).toBe("entry-missing");
    const all = ["proposal same", "result same", "proposal same", "result same", "stop"];
    expect(verdictWith(twice(), "answered", ...all)).toBe("holds");
  });

  test("is broken where an entry is about nobody, or a stop stands in it while the run goes on", () => {
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "result 1", "result 7", "stop")).toBe("entry-invented");
    const early = traceOf(setting)
      .turnWith({ log: entries("proposal 1") }, lookUp)
      .runs("look_up");
    expect(verdictWith(early, "out-of-steps", "proposal 1", "result 1", "stop")).toBe("entry-invented");
    const log = entries("proposal 1", "result 1", "stop");
    expect(verdictWith(ran().turnWith({ log }, text("ok")), "answered", "proposal 1", "result 1", "stop")).toBe(
      "entry-invented",
    );
  });

  test("is broken where an entry comes twice", () => {
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "proposal 1", "result 1", "stop")).toBe("entry-twice");
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "result 1", "result 1", "stop")).toBe("entry-twice");
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "result 1", "error 1", "stop")).toContain("entry-twice");
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "result 1", "stop", "stop")).toBe("entry-twice");
  });

  test("is broken where entries are out of order", () => {
    expect(verdictWith(ran(), "out-of-steps", "result 1", "proposal 1", "stop")).toBe("out-of-order");
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "stop", "result 1")).toBe("out-of-order");
    const two = answer(ran().turn(call("notify")).runs("notify"));
    const words = ["proposal 1", "proposal 2", "result 2", "result 1", "stop"];
    expect(verdictWith(two, "answered", ...words)).toBe("out-of-order");
  });

  test("is broken where there is no stop, or no log at all", () => {
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "result 1")).toBe("no-stop-entry");
    expect(verdictOn(rule, ran().ends("out-of-steps"))).toBe("no-stop-entry");
  });

  test("is broken where an entry says something else than what happened", () => {
    expect(verdictWith(blocked(), "blocked", "proposal 1", "result 1", "stop")).toBe("entry-untrue");
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "blocked 1", "stop")).toBe("entry-untrue");
    expect(verdictWith(ran(), "out-of-steps", "proposal 1", "error 1", "stop")).toBe("entry-untrue");
    const failed = traceOf(setting).turn(lookUp).fails("look_up");
    expect(verdictWith(failed, "failed", "proposal 1", "result 1", "stop")).toBe("entry-untrue");
    const failedToo = traceOf(setting).turn(lookUp).fails("look_up");
    expect(verdictWith(failedToo, "failed", "proposal 1", "blocked 1", "stop")).toBe("entry-untrue");
    const log: readonly LogEntry[] = [
      { type: "proposal", callId: "call-1", tool: "notify" },
      ...entries("result 1", "stop"),
    ];
    expect(verdictOn(rule, ran().ends("out-of-steps", { log }))).toBe("entry-untrue");
  });

  test("holds where everything is told once and in order", () => {
    const trace = answer(ran().turn(call("wipe")).turn(lookUp).fails("look_up"));
    const words = ["proposal 1", "result 1", "proposal 2", "blocked 2", "proposal 3", "error 3", "stop"];
    expect(verdictWith(trace, "answered", ...words)).toBe("holds");
    expect(verdictWith(traceOf(setting).turn(text("ok")), "answered", "stop")).toBe("holds");
  });

  test("holds where a load and a later call have one id", () => {
    const unknown = { ...load("no-such"), callId: "same" };
    const log = entries("proposal same", "blocked same");
    const trace = traceOf(setting).turn(unknown);
    trace.turnWith({ log }, call("look_up", {}, { callId: "same" })).runs("look_up");
    const all = ["proposal same", "blocked same", "proposal same", "result same", "stop"];
    expect(verdictWith(trace, "out-of-steps", ...all)).toBe("holds");
  });

  test("holds in any order within a turn, and where a refusal is called an error", () => {
    const parallel = () => answer(traceOf(setting).turn(lookUp, call("wipe")).runs("look_up"));
    for (const words of [
      ["proposal 1", "proposal 2", "blocked 2", "result 1", "stop"],
      ["proposal 2", "error 2", "proposal 1", "result 1", "stop"],
    ]) {
      expect(verdictWith(parallel(), "answered", ...words)).toBe("holds");
    }
  });

  test("leaves text, loads, and what waits for a human free", () => {
    const loads = () => answer(traceOf(setting).turn(text("hm"), load("refunds")));
    for (const words of [["stop"], ["proposal", "proposal 1", "result 1", "stop"], ["proposal 1", "stop"]]) {
      expect(verdictWith(loads(), "answered", ...words)).toBe("holds");
    }
    const waiting = () => traceOf(setting).turn(call("pay"));
    expect(verdictWith(waiting(), "needs-approval", "proposal 1", "stop")).toBe("holds");
    expect(verdictWith(waiting(), "needs-approval", "stop")).toBe("holds");
    expect(verdictWith(waiting(), "needs-approval", "proposal 1", "blocked 1", "stop")).toBe("holds");
    const later = () => answer(traceOf(asked).turn(call("pay")).human("later", "pay"));
    expect(verdictWith(later(), "answered", "proposal 1", "stop")).toBe("holds");
    const granted = () => answer(traceOf(asked).turn(call("pay")).human("approve", "pay").runs("pay"));
    expect(verdictWith(granted(), "answered", "proposal 1", "blocked 1", "stop", "result 1", "stop")).toBe("holds");
  });

  test("leaves calls after the stop in the same turn free", () => {
    const stopped = () => traceOf(setting).turn(call("wipe"), lookUp).runs("look_up");
    expect(verdictWith(stopped(), "blocked", "proposal 1", "blocked 1", "stop")).toBe("holds");
    expect(verdictWith(stopped(), "blocked", "proposal 2", "result 2", "proposal 1", "blocked 1", "stop")).toBe(
      "holds",
    );
    expect(verdictWith(stopped(), "blocked", "proposal 2", "result 2", "stop")).toBe("entry-missing");
    expect(verdictWith(traceOf(setting).turn(lookUp), "out-of-steps", "stop")).toBe("holds");
  });

  test("leaves an odd value and a deep one, an abort and a deadline free", () => {
    for (const kind of ["result 1", "error 1"]) {
      const odd = traceOf(setting).turn(lookUp).runs("look_up", {}, { settles: false });
      odd.event({ type: "handler-settled", effect: 0, tool: "look_up", outcome: "returned", odd: "bigint" });
      expect(verdictWith(odd, "failed", "proposal 1", kind, "stop")).toBe("holds");
      let deep: readonly unknown[] = [];
      for (let level = 0; level < 200; level += 1) deep = [deep];
      const nested = traceOf(setting)
        .turn(lookUp)
        .runs("look_up", {}, { returns: deep as never });
      expect(verdictWith(nested, "failed", "proposal 1", kind, "stop")).toBe("holds");
      expect(verdictWith(ran().event({ type: "aborted" }), "aborted", "proposal 1", kind, "stop")).toBe("holds");
      const slow = traceOf({ claims: { ...setting.claims, deadlineMs: 20 } }).turn(lookUp);
      slow.runs("look_up", {}, { behaviour: { kind: "slow", value: "done" } });
      expect(verdictWith(slow, "out-of-steps", "proposal 1", kind, "stop")).toBe("holds");
    }
    expect(verdictWith(ran().event({ type: "aborted" }), "aborted", "stop")).toBe("holds");
  });

  test("lets calls that share an id in one turn be one, and reads entries without ids", () => {
    const same = { callId: "same" };
    const twice = () => answer(traceOf(setting).turn(call("look_up", {}, same), call("notify", {}, same)));
    expect(verdictWith(twice(), "answered", "proposal same", "result same", "stop")).toBe("holds");
    expect(verdictWith(twice(), "answered", "proposal same", "proposal same", "error same", "error same", "stop")).toBe(
      "holds",
    );
    expect(verdictWith(ran(), "out-of-steps", "proposal", "result", "stop")).toBe("holds");
  });

  test("takes what a handler returned for a failure where it says so", () => {
    const trace = traceOf(setting)
      .turn(lookUp)
      .runs("look_up", {}, { returns: { isError: true } });
    expect(verdictWith(trace, "out-of-steps", "proposal 1", "error 1", "stop")).toBe("holds");
  });

  test("is not exercised where no log was handed over at the end, and needs one", () => {
    expect(verdictOn(rule, ran().ends("failed", { thrown: "MaxTurns" }))).toBe("not exercised");
    expect(verdictOn(rule, ran().ends("aborted"))).toBe("not exercised");
    expect(verdictOn(rule, ran().crashes())).toBe("not exercised");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBe("a log is not claimed");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none", log: true }, {})).toBeUndefined();
  });
});
