import { describe, expect, test } from "vitest";
import { theMenuShowsWhatIsOffered as rule } from "./the-menu-shows-what-is-offered.ts";
import { call, helpDesk, load, text, traceOf, verdictOn } from "./trace-of.ts";

const open = ["look_up", "notify", "pay", "wipe"];
const setting = { claims: { menu: true } };
const first = (...menu: readonly string[]) => traceOf(setting).turnWith({ menu }, load("refunds"));

describe("the-menu-shows-what-is-offered", () => {
  test("is broken where a hidden tool stands on the menu", () => {
    const trace = first(...open, "secret");
    expect(verdictOn(rule, trace)).toBe("hidden-on-menu");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 0, because: expect.stringContaining('"secret"') }]);
    expect(verdictOn(rule, first(...open, "refund"))).toBe("hidden-on-menu");
  });

  test("is broken where an offered tool does not stand on it, loaded ones included", () => {
    expect(verdictOn(rule, first("look_up", "notify", "pay"))).toBe("offered-not-on-menu");
    const trace = first(...open).turnWith({ menu: open }, text("ok"));
    expect(verdictOn(rule, trace)).toBe("offered-not-on-menu");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('"refund"') }]);
  });

  test("is broken where an unknown or another skill opens a tool", () => {
    for (const skill of ["nothing", "reports"]) {
      const trace = traceOf(setting).turnWith({ menu: open }, load(skill));
      expect(verdictOn(rule, trace.turnWith({ menu: [...open, "refund"] }))).toBe("hidden-on-menu");
    }
  });

  test("holds where the menu follows the loads, in any order, with names of the harness's own", () => {
    const trace = first(...open.toReversed(), "load_skill");
    expect(verdictOn(rule, trace.turnWith({ menu: ["load_skill", "refund", ...open] }).ends("answered"))).toBe("holds");
  });

  test("reads names that are spelled in another way", () => {
    const spelledAs = { lookUp: "look_up", toString: "nothing" };
    const menu = ["lookUp", "notify", "pay", "wipe"];
    expect(verdictOn(rule, traceOf(setting).turnWith({ menu, spelledAs }, text("ok")))).toBe("holds");
    const hidden = { ...spelledAs, hush: "secret" };
    expect(verdictOn(rule, traceOf(setting).turnWith({ menu: [...menu, "hush"], spelledAs: hidden }))).toBe(
      "hidden-on-menu",
    );
  });

  test.each([
    ["in a cut-off turn", () => traceOf(setting).turnWith({ menu: open, stop: "length" }, load("refunds"))],
    ["beside an answer", () => traceOf(setting).turnWith({ menu: open, stop: "end" }, text("ok"), load("refunds"))],
    ["beside a refused call", () => traceOf(setting).turnWith({ menu: open }, load("refunds"), call("wipe"))],
    [
      "beside a failing call",
      () => traceOf(setting).turnWith({ menu: open }, load("refunds"), call("look_up")).fails("look_up"),
    ],
  ] as const)("leaves open whether a load %s counts", (_, loaded) => {
    expect(verdictOn(rule, loaded().turnWith({ menu: open }, text("ok")))).toBe("holds");
    expect(verdictOn(rule, loaded().turnWith({ menu: [...open, "refund"] }, text("ok")))).toBe("holds");
  });

  test("takes an empty menu of a request on the side for none", () => {
    const aside = first(...open).turnWith({ menu: [] }, text("A title"));
    expect(verdictOn(rule, aside.turnWith({ menu: [...open, "refund"] }))).toBe("holds");
    const acted = traceOf(setting).turnWith({ menu: [] }, call("look_up")).runs("look_up");
    expect(verdictOn(rule, acted)).toBe("offered-not-on-menu");
  });

  test("is not exercised without a menu or without a tool that is ever hidden, and says what it needs", () => {
    expect(verdictOn(rule, traceOf(setting).turn(text("ok")))).toBe("not exercised");
    const world = { ...helpDesk, tools: helpDesk.tools.slice(0, 2) };
    expect(verdictOn(rule, traceOf({ ...setting, world }).turnWith({ menu: [] }, text("ok")))).toBe("not exercised");
    const claims = { approvals: "none", deny: false, hiddenTools: "none", menu: true } as const;
    expect(rule.needs(claims, {})).toBe("hidden tools are not claimed");
    expect(rule.needs({ ...claims, menu: false }, {})).toBe("a menu is not claimed");
    expect(rule.needs({ ...claims, hiddenTools: "fixed" }, {})).toBeUndefined();
  });
});
