import { describe, expect, test } from "vitest";
import type { Json } from "../src/world/json.ts";
import { policiesReadTheRealArguments as rule } from "./policies-read-the-real-arguments.ts";
import { call, helpDesk, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const permission = {
  rules: [
    { when: { properties: { order: { const: "big" } }, required: ["order"] }, then: "ask" },
    { when: { properties: { order: { const: "all" } }, required: ["order"] }, then: "deny" },
  ],
  otherwise: "allow",
} as const;
const inputSchema = { type: "object", properties: { order: { type: "string", default: "all" } } };
const tools = [
  toolNamed("pay", { permission }),
  toolNamed("pay_all", { permission, inputSchema }),
  toolNamed("wipe", { permission: "deny" }),
];
const world = { ...helpDesk, tools };
const setting = { world, claims: { argumentPolicies: true } };
const asked = { world, claims: { argumentPolicies: true, approvals: "asked" } } as const;
const pay = (order: string) => call("pay", { order });

describe("policies-read-the-real-arguments", () => {
  test("is broken where arguments run that the policy denies", () => {
    const trace = traceOf(setting).turn(pay("all")).runs("pay", { order: "all" });
    expect(verdictOn(rule, trace)).toBe("denied-arguments");
    expect(rule.judge(trace.evidence())).toMatchObject([
      { at: 2, because: expect.stringContaining('{"order":"all"}') },
    ]);
  });

  test("is broken where arguments run that the policy asks about, and nobody approved", () => {
    expect(verdictOn(rule, traceOf(setting).turn(pay("big")).runs("pay", { order: "big" }))).toBe(
      "unapproved-arguments",
    );
    expect(verdictOn(rule, traceOf(asked).turn(pay("big")).runs("pay", { order: "big" }))).toBe("unapproved-arguments");
    const asksTooLate = traceOf(asked).turn(pay("big")).runs("pay", { order: "big" });
    expect(verdictOn(rule, asksTooLate.human("deny", "pay", { order: "big" }))).toBe("unapproved-arguments");
    const asksAboutOther = traceOf(asked).turn(pay("big")).human("deny", "pay", { order: "small" });
    expect(verdictOn(rule, asksAboutOther.runs("pay", { order: "big" }))).toBe("unapproved-arguments");
  });

  test("leaves it to the rule about approvals where the human was asked about these arguments", () => {
    const denied = traceOf(asked).turn(pay("big")).human("deny", "pay", { order: "big" });
    expect(verdictOn(rule, denied.runs("pay", { order: "big" }))).toBe("holds");
    const failed = traceOf(asked).turn(pay("big")).human("throw", "pay", { order: "big" });
    expect(verdictOn(rule, failed.runs("pay", { order: "big" }))).toBe("holds");
  });

  test("is broken where another of two equal keys runs than the policy read", () => {
    const doubled = call("pay", { text: '{"order":"small","order":"all"}' });
    expect(verdictOn(rule, traceOf(setting).turn(doubled).runs("pay", { order: "all" }))).toBe("denied-arguments");
    expect(verdictOn(rule, traceOf(setting).turn(doubled).runs("pay", { order: "small" }))).toBe("not exercised");
  });

  test("is broken where the policy read arguments that a schema made something else of before they ran", () => {
    const runsWith = (order: string, normalised: object) => {
      const proposal = call("pay", { order: "ALL" }, { callId: "a" });
      const trace = traceOf(setting).event({ type: "asked" });
      trace.event({ type: "proposed", position: 0, proposal, stop: "tool-calls", normalised: normalised as Json });
      return trace.runs("pay", { order });
    };
    expect(verdictOn(rule, runsWith("all", { order: "all" }))).toBe("denied-arguments");
    expect(verdictOn(rule, runsWith("ALL", { order: "all" }))).toBe("not exercised");
    expect(verdictOn(rule, runsWith("other", { order: "all" }))).toBe("not exercised");
  });

  test("is broken where a default that is filled in later would have been denied", () => {
    expect(verdictOn(rule, traceOf(setting).turn(call("pay_all")).runs("pay_all", { order: "all" }))).toBe(
      "denied-arguments",
    );
    expect(verdictOn(rule, traceOf(setting).turn(call("pay_all")).runs("pay_all"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf(setting).turn(call("pay_all")).ends("blocked"))).toBe("not exercised");
  });

  test("holds where such calls are refused, put to a human or approved", () => {
    expect(verdictOn(rule, traceOf(setting).turn(pay("all")).ends("blocked"))).toBe("holds");
    expect(verdictOn(rule, traceOf(setting).turn(pay("big")).ends("needs-approval"))).toBe("holds");
    const approved = traceOf(asked).turn(pay("big")).human("approve", "pay", { order: "big" });
    expect(verdictOn(rule, approved.runs("pay", { order: "big" }))).toBe("holds");
  });

  test("leaves policies that say one thing of all arguments, and changed arguments, to their own rules", () => {
    expect(verdictOn(rule, traceOf(setting).turn(call("wipe")).runs("wipe"))).toBe("not exercised");
    expect(verdictOn(rule, traceOf(setting).turn(pay("small")).runs("pay", { order: "all" }))).toBe("not exercised");
  });

  test("is not exercised where the arguments are allowed or malformed", () => {
    expect(verdictOn(rule, traceOf(setting).turn(pay("small")).runs("pay", { order: "small" }))).toBe("not exercised");
    expect(
      verdictOn(
        rule,
        traceOf(setting)
          .turn(call("pay", { text: "{" }))
          .ends("blocked"),
      ),
    ).toBe("not exercised");
  });

  test("needs policies on arguments, and something that they can say beside allow", () => {
    const claims = { approvals: "none", deny: true, hiddenTools: "none" } as const;
    expect(rule.needs(claims, {})).toBe("policies on arguments are not claimed");
    expect(rule.needs({ ...claims, argumentPolicies: true }, {})).toBeUndefined();
    expect(rule.needs({ ...claims, deny: false, argumentPolicies: true }, {})).toBe(
      "neither approvals nor denied tools are claimed",
    );
  });
});
