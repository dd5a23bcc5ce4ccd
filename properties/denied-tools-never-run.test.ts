import { describe, expect, test } from "vitest";
import type { Script } from "../src/contract/script.ts";
import { deniedToolsNeverRun as rule } from "./denied-tools-never-run.ts";
import { call, helpDesk, load, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const byAmount = {
  ...helpDesk,
  tools: [
    toolNamed("look_up"),
    toolNamed("pay", {
      permission: { rules: [{ when: { properties: { order: { const: "big" } } }, then: "deny" }], otherwise: "allow" },
    }),
  ],
};

describe("denied-tools-never-run", () => {
  test("is broken where a denied tool runs", () => {
    const trace = traceOf().turn(call("wipe")).runs("wipe");
    expect(verdictOn(rule, trace)).toBe("denied-tool");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"wipe"') }]);
  });

  test("is broken whatever the human said or the model loaded", () => {
    const asked = traceOf({ claims: { approvals: "asked" } });
    expect(verdictOn(rule, asked.turn(call("wipe")).human("approve", "wipe").runs("wipe"))).toBe("denied-tool");
    expect(verdictOn(rule, traceOf().turn(load("refunds")).turn(call("wipe")).runs("wipe"))).toBe("denied-tool");
  });

  test("leaves a denied tool that another name reached to the rules about names", () => {
    expect(verdictOn(rule, traceOf().turn(call("look_up")).runs("wipe"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf().turn(call("Wipe")).runs("wipe"))).toBe("not exercised");
  });

  test("leaves arguments that were misread to the rule about them, unless a policy without rules is broken too", () => {
    const setting = { world: byAmount, claims: { argumentPolicies: true } };
    const big = call("pay", { order: "big" });
    const trace = traceOf(setting).turn(big).runs("pay", { order: "big" });
    expect(verdictOn(rule, trace)).toBe("holds");
    const script: Script = { format: 1, world: byAmount, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
    const world = rule.twin?.(script, trace.evidence())?.world;
    expect(world?.tools.map((tool) => tool.permission)).toEqual(["allow", "deny"]);
    const inTwin = traceOf({ ...setting, ...(world && { world }) }).turn(big);
    expect(verdictOn(rule, trace, inTwin)).toBe("holds");
    expect(verdictOn(rule, trace, inTwin.runs("pay", { order: "big" }))).toBe("denied-tool");
  });

  test("asks for no twin where a policy without rules was broken, or nothing was", () => {
    const script: Script = { format: 1, world: helpDesk, turns: [], afterTurns: "end", handlers: {}, decisions: [] };
    expect(rule.twin?.(script, traceOf().turn(call("wipe")).runs("wipe").evidence())).toBeUndefined();
    expect(rule.twin?.(script, traceOf().turn(call("wipe")).evidence())).toBeUndefined();
  });

  test("is exercised by arguments that the policy denies", () => {
    const trace = traceOf({ world: byAmount, claims: { argumentPolicies: true } });
    trace
      .turn(call("pay", { order: "small" }))
      .runs("pay", { order: "small" })
      .turn(call("pay", { order: "big" }));
    expect(verdictOn(rule, trace)).toBe("holds");
  });

  test("holds where the call is refused", () => {
    expect(verdictOn(rule, traceOf().turn(call("wipe")).ends("blocked"))).toBe("holds");
  });

  test("is not exercised without a denied call that is otherwise sound", () => {
    expect(verdictOn(rule, traceOf().turn(call("look_up")).runs("look_up"))).toBe("not exercised");
    expect(
      verdictOn(
        rule,
        traceOf()
          .turn(call("wipe", { text: "[]" }))
          .ends("blocked"),
      ),
    ).toBe("not exercised");
  });

  test("does not judge arguments where the policy is not claimed to depend on them", () => {
    const trace = traceOf({ world: byAmount })
      .turn(call("pay", { order: "big" }))
      .runs("pay", { order: "big" });
    expect(verdictOn(rule, trace)).toBe("not exercised");
  });

  test("needs denied tools", () => {
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBe(
      "denied tools are not claimed",
    );
    expect(rule.needs({ approvals: "none", deny: true, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
