import { describe, expect, test } from "vitest";
import { malformedProposalsRunNothing as rule } from "./malformed-proposals-run-nothing.ts";
import { call, traceOf, verdictOn } from "./trace-of.ts";

const cut = call("look_up", { text: '{"order":"A-1"' });

describe("malformed-proposals-run-nothing", () => {
  test.each(["", "null", "[]", "7", '"{}"', "{}{}", "```json\n{}\n```", "{'order':'A'}", '{"order":"A",}', "\uFEFF{}"])(
    "is broken where a call with the arguments %j runs",
    (args) => {
      const trace = traceOf()
        .turn(call("look_up", { text: args }))
        .runs("look_up", {});
      expect(verdictOn(rule, trace)).toBe("malformed-arguments");
    },
  );

  test("is broken where the text was repaired, and says what it was", () => {
    const trace = traceOf().turn(cut).runs("look_up", { order: "A-1" });
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('{"order":"A-1"') }]);
  });

  test("is broken where the repaired call runs beside a sound one that ran", () => {
    const trace = traceOf().turn(call("look_up"), cut).runs("look_up").runs("look_up", { order: "A-1" });
    expect(verdictOn(rule, trace)).toBe("malformed-arguments");
  });

  test("holds where only the sound one beside it runs", () => {
    expect(verdictOn(rule, traceOf().turn(cut, call("look_up")).runs("look_up"))).toBe("holds");
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(cut)
          .turn(call("look_up", { order: "A-1" }))
          .runs("look_up", { order: "A-1" }),
      ),
    ).toBe("holds");
  });

  test("does not suspect a malformed call where the id says that another ran twice", () => {
    const trace = traceOf().turn(call("look_up"), cut);
    trace.runs("look_up", {}, { callId: "call-1" }).runs("look_up", {}, { callId: "call-1" });
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("leaves room for empty text where it means an empty object", () => {
    const trace = traceOf({ shape: { emptyArguments: "empty-object" } })
      .turn(call("look_up", { text: "" }))
      .runs("look_up");
    expect(verdictOn(rule, trace)).toBe("not exercised");
  });

  test("leaves deep and doubled-key arguments alone, since they are well formed", () => {
    const deep = `{"order":${"[".repeat(3000)}${"]".repeat(3000)}}`;
    const trace = traceOf().turn(
      call("look_up", { text: deep }),
      call("notify", { text: '{"order":"A","order":"B"}' }),
    );
    trace.runs("look_up", JSON.parse(deep)).runs("notify", { order: "A" });
    expect(verdictOn(rule, trace)).toBe("not exercised");
  });

  test("is not exercised where the call was refused for another reason", () => {
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("wipe", { text: "" }))
          .ends("blocked"),
      ),
    ).toBe("not exercised");
  });

  test("needs nothing", () => {
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
