import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { validScript } from "./valid-script.ts";

const call = { kind: "tool-call", callId: "call-1", name: "look", args: "{" };
const turn = { stop: "tool-calls", proposals: [call] };
const tool = { name: "look", description: "", inputSchema: {}, permission: "allow", offered: "always" };
const script = {
  format: 1,
  world: { tools: [tool], skills: [], maxSteps: "NaN" },
  turns: [turn, { kind: "failure", failure: "timeout" }],
  afterTurns: "end",
  handlers: {},
  decisions: [],
};

function refusal(value: unknown): string {
  try {
    validScript(value, "s.json");
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  return "no refusal";
}

describe("valid-script", () => {
  it("gives a script back as it was written, __proto__ keys included", () => {
    const hostile = JSON.parse(
      JSON.stringify(script).replace('"args"', '"extra":{"__proto__":{"role":"admin"}},"args"'),
    );
    expect(validScript(hostile)).toBe(hostile);
    expect(validScript({ ...script, before: [script], beside: [script], schedule: [0, 1] }).before).toEqual([script]);
  });

  it("survives values of 3,000 levels", () => {
    const value = JSON.parse(`${"[".repeat(3_000)}${"]".repeat(3_000)}`);
    const deep = { ...script, handlers: { look: [{ kind: "return", value }] } };
    expect(validScript(deep)).toBe(deep);
  });

  it.each<readonly [string, unknown, string, string]>([
    ["no object", [], "the script in `s.json`", "got an empty array"],
    ["no format", {}, "`format`", "to be 1, got nothing"],
    ["another format", { ...script, format: 2 }, "`format`", "Do use the version of gatecrash that wrote it"],
    ["a missing part", { ...script, world: undefined }, "`world`", "to be an object, got nothing"],
    [
      "arguments that are no text",
      { ...script, turns: [{ ...turn, proposals: [{ ...call, args: {} }] }] },
      "`turns[0].proposals[0].args`",
      "to be a text, got an object",
    ],
    ["an unknown key", { ...script, extra: 1 }, "the script", 'without unknown keys, got "extra"'],
    [
      "an unknown behaviour",
      { ...script, handlers: { look: [{ kind: "explode" }] } },
      "`handlers.look[0].kind`",
      'got "explode"',
    ],
    [
      "a schedule of numbers that nobody has",
      { ...script, beside: [script], schedule: [1e300] },
      "`schedule[0]`",
      "to be a whole number up to 9007199254740991, got 1e+300",
    ],
    ["a schedule of parts", { ...script, schedule: [0.5] }, "`schedule[0]`", "to be a whole number, got 0.5"],
    [
      "a run of a million steps",
      { ...script, world: { ...script.world, maxSteps: 1e6 } },
      "`world.maxSteps`",
      "a number up to 10000",
    ],
    ["an unknown decision", { ...script, decisions: ["maybe"] }, "`decisions[0]`", 'got "maybe"'],
    [
      "a world whose schema does not compile",
      { ...script, world: { ...script.world, tools: [{ ...tool, inputSchema: { type: "foo" } }] } },
      "`world.tools[0].inputSchema`",
      '"foo"',
    ],
  ])("refuses %s in one sentence", (_, value, ...parts) => {
    const message = refusal(value);
    expect(message).toMatch(/^Expected .+, got .+\. Do .+\.$/);
    for (const part of parts) expect(message).toContain(part);
  });

  it("refuses runs inside runs that go on for ever, and does not overflow", () => {
    let nested: object = script;
    for (let level = 0; level < 20_000; level += 1) nested = { ...script, before: [nested] };
    expect(refusal(nested)).toContain("a few levels deep");
  });
});
