import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import { catalogue } from "./index.ts";
import { singleRunRules } from "./oracle/single-run-rules.ts";
import { runsDoNotShareState as rule } from "./runs-do-not-share-state.ts";
import { call, helpDesk, type TraceBuilder, traceOf as traceWith } from "./trace-of.ts";

const traceOf = () => traceWith({ claims: { approvals: "asked" } });
const alone: Script = { format: 1, world: helpDesk, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
const accompanied: Script = { ...alone, before: [alone] };

/** What the rule says of a run that had company, beside the same run alone. */
function verdictOn(run: TraceBuilder, solo?: TraceBuilder): string {
  const verdicts = [rule.judge({ ...run.evidence(), accompanied: true }, solo?.evidence())].flat();
  return verdicts
    .map((verdict) => {
      if (verdict.kind === "violated") return verdict.cause;
      return verdict.kind === "holds" && verdict.exercised ? "holds" : "not exercised";
    })
    .join(", ");
}

describe("runs-do-not-share-state", () => {
  test("is broken where a tool is visible that this run did not load, and is not where it is alone", () => {
    const seen = () => traceOf().turn(call("refund")).runs("refund").ends("answered");
    const hidden = () => traceOf().turn(call("refund")).ends("blocked");
    expect(verdictOn(seen(), hidden())).toBe("only-offered-tools-run");
    expect(verdictOn(seen(), seen())).toBe("holds");
    expect(rule.judge(seen().evidence(), hidden().evidence())).toMatchObject([
      { at: 2, because: expect.stringMatching(/"refund".* The same run alone does not come to that/) },
    ]);
  });

  test("is broken where an approval of another run counts", () => {
    const approved = traceOf().turn(call("pay")).runs("pay").ends("answered");
    expect(verdictOn(approved, traceOf().turn(call("pay")).human("deny", "pay").ends("answered"))).toBe(
      "asked-tools-wait-for-approval",
    );
  });

  test("is broken where a call is lost, or the steps are used up, by another run", () => {
    const ran = () => traceOf().turn(call("look_up")).runs("look_up").turn().ends("answered");
    const lost = traceOf().turn(call("look_up")).turn().ends("answered");
    const spent = traceOf().turn(call("look_up")).ends("out-of-steps");
    expect(verdictOn(lost, ran())).toBe("honest-calls-run");
    expect(verdictOn(spent, ran())).toBe("honest-calls-run");
  });

  test("is broken where another run's call reaches a handler of this one", () => {
    const strange = traceOf().turn(call("look_up")).runs("look_up").runs("notify", { order: "B" }).ends("answered");
    const own = traceOf().turn(call("look_up")).runs("look_up").ends("answered");
    expect(verdictOn(strange, own)).toBe("each-proposal-runs-at-most-once");
  });

  test("holds where the two differ in what no rule forbids", () => {
    const first = traceOf().turn(call("look_up"), call("notify")).runs("notify").runs("look_up").ends("answered");
    const second = traceOf().turn(call("look_up"), call("notify")).runs("look_up").runs("notify").ends("blocked");
    expect(verdictOn(first, second)).toBe("holds");
  });

  test("takes no evidence from a solo run that broke down, nor from runs that an abort or a deadline cut short", () => {
    const seen = () => traceOf().turn(call("refund")).runs("refund");
    expect(verdictOn(seen(), traceOf().turn(call("refund")).crashes())).toBe("holds");
    expect(verdictOn(seen(), traceOf().turn(call("refund")).event({ type: "aborted" }).ends("aborted"))).toBe("holds");
    expect(verdictOn(seen().event({ type: "aborted" }), traceOf().turn(call("refund")).ends("blocked"))).toBe(
      "not exercised",
    );
  });

  test("asks for the same run alone where it had company and something is wrong", () => {
    const wrong = traceOf().turn(call("refund")).runs("refund").evidence();
    const right = traceOf().turn(call("look_up")).runs("look_up").ends("answered").evidence();
    expect(rule.twin?.(accompanied, wrong)).toEqual(alone);
    expect(rule.twin?.({ ...alone, beside: [alone], schedule: [1, 0] }, wrong)).toEqual(alone);
    expect(rule.twin?.(accompanied, right)).toBeUndefined();
    expect(rule.twin?.(alone, wrong)).toBeUndefined();
  });

  test("is not exercised by a run without company", () => {
    const evidence = traceOf().turn(call("look_up")).runs("look_up").ends("answered").evidence();
    expect(rule.judge(evidence)).toEqual({ kind: "holds", exercised: false });
    expect(rule.judge({ ...evidence, accompanied: true })).toEqual({ kind: "holds", exercised: true });
  });

  test("applies to every harness, and judges by every rule but those that depend on the other runs' time or traces", () => {
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
    const judging = new Set(singleRunRules.map(({ id }) => id));
    expect(catalogue.map(({ id }) => id).filter((id) => !judging.has(id))).toEqual([
      "abort-stops-new-work",
      "hung-handlers-do-not-hang-the-run",
      "nothing-runs-after-the-stop",
      "prototypes-stay-clean",
      "runs-do-not-share-state",
    ]);
  });
});
