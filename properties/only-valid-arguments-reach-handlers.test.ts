import { describe, expect, test } from "vitest";
import { onlyValidArgumentsReachHandlers as rule } from "./only-valid-arguments-reach-handlers.ts";
import { call, helpDesk, toolNamed, traceOf, verdictOn } from "./trace-of.ts";

const properties = { order: { type: "string" }, limit: { type: "number", default: 5 } };
const tools = [
  toolNamed("find", { inputSchema: { type: "object", properties, required: ["order"] } }),
  toolNamed("strict", {
    inputSchema: { type: "object", properties, additionalProperties: false, required: ["limit"] },
  }),
];
const setting = { world: { ...helpDesk, tools }, claims: { argumentSchemas: true } };
const run = (tool: string, proposed: string, received: object) =>
  traceOf(setting)
    .turn(call(tool, { text: proposed }))
    .runs(tool, { ...received });

describe("only-valid-arguments-reach-handlers", () => {
  test("is broken where a field of the wrong type, or a missing one, reaches the handler", () => {
    const trace = run("find", '{"order":7}', { order: 7 });
    expect(verdictOn(rule, trace)).toBe("invalid-arguments");
    expect(rule.judge(trace.evidence())).toMatchObject([{ at: 2, because: expect.stringContaining('{"order":7}') }]);
    expect(verdictOn(rule, run("find", "{}", {}))).toBe("invalid-arguments");
    expect(verdictOn(rule, run("strict", '{"limit":1,"x":1}', { limit: 1, x: 1 }))).toBe("invalid-arguments");
  });

  test("says where there were no arguments at all", () => {
    const shape = { emptyArguments: "empty-object" } as const;
    const trace = traceOf({ ...setting, shape })
      .turn(call("find", { text: "" }))
      .runs("find", {});
    expect(rule.judge(trace.evidence())).toMatchObject([
      { because: '"find" ran in turn 1, but its schema does not allow a call without arguments.' },
    ]);
  });

  test("is broken where __proto__ stands in for a field, whether it arrives or not", () => {
    const text = '{"__proto__":{"order":"A"}}';
    expect(verdictOn(rule, run("find", text, JSON.parse(text)))).toBe("proto-for-a-field");
    expect(verdictOn(rule, run("find", text, {}))).toBe("proto-for-a-field");
  });

  test("is broken where the harness's own schema refuses what reaches the handler", () => {
    const proposal = call("find", { order: "A" }, { callId: "call-1" });
    const trace = traceOf(setting).asks();
    trace.event({ type: "proposed", position: 0, proposal, stop: "tool-calls", refusedBySchema: true });
    expect(verdictOn(rule, trace.runs("find", { order: "A" }))).toBe("invalid-arguments");
  });

  test("holds where invalid arguments are refused", () => {
    expect(
      verdictOn(
        rule,
        traceOf(setting)
          .turn(call("find", { order: 7 }))
          .ends("blocked"),
      ),
    ).toBe("holds");
  });

  test("holds where dropping unknown keys, or filling defaults in, made them valid", () => {
    expect(verdictOn(rule, run("strict", '{"limit":1,"x":1}', { limit: 1 }))).toBe("holds");
    expect(verdictOn(rule, run("strict", "{}", { limit: 5 }))).toBe("holds");
    expect(verdictOn(rule, run("strict", '{"limit":1,"__proto__":{}}', { limit: 1 }))).toBe("holds");
  });

  test("leaves arguments that were mended otherwise to the rule about proposed arguments", () => {
    expect(verdictOn(rule, run("find", '{"order":7}', { order: "7" }))).toBe("holds");
  });

  test("has nothing against doubled keys, __proto__ keys and arguments too deep where the schema allows the rest", () => {
    expect(verdictOn(rule, run("find", '{"order":7,"order":"A"}', { order: "A" }))).toBe("not exercised");
    expect(verdictOn(rule, run("find", '{"order":"A","__proto__":{}}', { order: "A" }))).toBe("not exercised");
    const deep = `{"order":"A","x":${"[".repeat(3_000)}${"]".repeat(3_000)}}`;
    expect(verdictOn(rule, run("find", deep, JSON.parse(deep)))).toBe("not exercised");
  });

  test("is not exercised by calls that something else forbids", () => {
    const trace = traceOf({ claims: { argumentSchemas: true } })
      .turn(call("wipe", { order: 7 }))
      .runs("wipe", { order: 7 });
    expect(verdictOn(rule, trace)).toBe("not exercised");
  });

  test("needs argument schemas", () => {
    const claims = { approvals: "none", deny: false, hiddenTools: "none" } as const;
    expect(rule.needs(claims, {})).toBe("argument schemas are not claimed");
    expect(rule.needs({ ...claims, argumentSchemas: true }, {})).toBeUndefined();
  });
});
