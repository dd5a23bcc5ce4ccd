import { describe, expect, test } from "vitest";
import { handlersGetTheProposedArguments as rule } from "./handlers-get-the-proposed-arguments.ts";
import { call, helpDesk, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const inputSchema = {
  type: "object",
  properties: { order: { type: "string" }, limit: { type: "number", default: 5 }, place: { $ref: "#/$defs/place" } },
  $defs: { place: { type: "object", properties: { city: { type: "string" }, floor: { type: "number", default: 0 } } } },
};
const permission = { rules: [{ when: { required: ["limit"] }, then: "deny" }], otherwise: "allow" } as const;
const world = {
  ...helpDesk,
  tools: [toolNamed("find", { inputSchema }), toolNamed("pay", { inputSchema, permission })],
};
const find = (proposed: object | string, received: object) =>
  traceOf({ world })
    .turn(call("find", typeof proposed === "string" ? { text: proposed } : { ...proposed }))
    .runs("find", { ...received });

describe("handlers-get-the-proposed-arguments", () => {
  test("is broken where a value was changed, made up or lost", () => {
    const changed = find({ order: "A-1" }, { order: "a-1" });
    expect(verdictOn(rule, changed)).toBe("changed-arguments");
    expect(rule.judge(changed.evidence())).toMatchObject([
      { at: 2, because: '"find" was called in turn 1 with {"order":"A-1"}, but its handler got {"order":"a-1"}.' },
    ]);
    expect(verdictOn(rule, find({}, { order: "A" }))).toBe("changed-arguments");
    expect(verdictOn(rule, find({ order: "A" }, {}))).toBe("changed-arguments");
  });

  test("is broken where an envelope was unwrapped, or another call's arguments merged in", () => {
    expect(verdictOn(rule, find({ type: "tool-call", args: { order: "A" } }, { order: "A" }))).toBe(
      "changed-arguments",
    );
    const merged = traceOf({ world }).turn(call("find", { order: "A" }), call("find", { place: { city: "Rome" } }));
    merged.runs("find", { order: "A" }).runs("find", { order: "A", place: { city: "Rome" } });
    expect(verdictOn(rule, merged)).toBe("changed-arguments");
  });

  test("is broken where arguments were mended until they fitted the schema", () => {
    const mended = traceOf({ world, claims: { argumentSchemas: true } });
    mended.turn(call("find", { limit: "7" })).runs("find", { limit: 7 });
    expect(verdictOn(rule, mended)).toBe("changed-arguments");
  });

  test("is broken where the policy of the tool has nothing against either", () => {
    const trace = traceOf({ world, claims: { argumentPolicies: true } });
    expect(verdictOn(rule, trace.turn(call("pay", { order: "A" })).runs("pay", { limit: 1 }))).toBe(
      "changed-arguments",
    );
  });

  test("holds where they arrive as proposed, or as the schema normalises them, also behind a reference", () => {
    expect(verdictOn(rule, find({ order: "A" }, { order: "A" }))).toBe("holds");
    expect(verdictOn(rule, find({ order: "A", x: 1 }, { order: "A", limit: 5 }))).toBe("holds");
    expect(verdictOn(rule, find({ place: { city: "Rome", x: 1 } }, { place: { city: "Rome", floor: 0 } }))).toBe(
      "holds",
    );
  });

  test("holds where the harness says that this is what its schema makes of them", () => {
    const trace = traceOf({ world }).asks();
    const proposal = call("find", { order: " A " }, { callId: "call-1" });
    trace.event({ type: "proposed", position: 0, proposal, stop: "tool-calls", normalised: { order: "A" } });
    expect(verdictOn(rule, trace.runs("find", { order: "A" }))).toBe("holds");
  });

  test("holds for either value of a doubled key, and without keys named __proto__", () => {
    expect(verdictOn(rule, find('{"order":"A","order":"B"}', { order: "A" }))).toBe("holds");
    expect(verdictOn(rule, find('{"order":"A","__proto__":{"x":1}}', { order: "A" }))).toBe("holds");
    expect(verdictOn(rule, find('{"order":"A","extra":{"__proto__":{}}}', { order: "A", extra: {} }))).toBe("holds");
  });

  test("holds for what a trace can't hold: numbers beyond JSON, and values too large to be recorded", () => {
    expect(verdictOn(rule, find('{"limit":1e999}', { limit: { "(number)": "Infinity" } }))).toBe("holds");
    expect(verdictOn(rule, find('{"limit":1e999}', { limit: 7 }))).toBe("changed-arguments");
    expect(verdictOn(rule, find({ order: "A", place: { city: "x" } }, { order: "A", place: { "(cut)": "" } }))).toBe(
      "holds",
    );
  });

  test("leaves calls that a gate forbids, malformed ones, cut-off ones and invented ones to other rules", () => {
    const all = { claims: { stopReason: true } };
    for (const name of ["secret", "wipe", "pay"]) {
      const trace = traceOf(all)
        .turn(call(name, { order: "A" }))
        .runs(name, { order: "B" });
      expect(verdictOn(rule, trace)).toBe("not exercised");
    }
    expect(
      verdictOn(
        rule,
        traceOf(all)
          .turn(call("look_up", { text: "{" }))
          .runs("look_up"),
      ),
    ).toBe("not exercised");
    const cut = traceOf(all).turnWith({ stop: "length" }, call("look_up", { order: "A" }));
    expect(verdictOn(rule, cut.runs("look_up", { order: "B" }))).toBe("not exercised");
    const invented = traceOf(all).turn(call("look_up")).runs("look_up").runs("notify", { order: "B" });
    expect(verdictOn(rule, invented)).toBe("holds");
  });

  test("is not exercised where nothing ran, and needs nothing", () => {
    expect(verdictOn(rule, traceOf().turn(call("wipe")).ends("blocked"))).toBe("not exercised");
    expect(rule.needs({ approvals: "none", deny: false, hiddenTools: "none" }, {})).toBeUndefined();
  });
});
