import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { validHarness } from "./valid-harness.ts";

const claims = { approvals: "none", deny: false, hiddenTools: "none" };
const harness = { name: "bot", claims, run: async () => ({ status: "answered" }) };
const tool = { name: "look", description: "", inputSchema: { type: "object" }, permission: "allow", offered: "always" };
const worldOf = (change: object, rest: object = {}) => ({
  ...harness,
  world: { tools: [{ ...tool, ...change }], skills: [], maxSteps: 3, ...rest },
});

function refusal(value: unknown): string {
  try {
    validHarness(value, "bot.ts");
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as UsageError).message;
  }
  return "no refusal";
}

describe("valid-harness", () => {
  it.each<readonly [string, unknown]>([
    ["the least", harness],
    ["a fixed world", worldOf({})],
    [
      "a class",
      new (class Bot {
        name = "bot";
        claims = claims;
        closed = false;
        async run() {}
      })(),
    ],
    ["members set to undefined", { ...harness, shape: undefined, claims: { ...claims, results: undefined } }],
    ["members of its own", { ...harness, clone() {}, opts: {}, data: { world: 1 } }],
    ["a method whose short name is like another", { ...harness, reopen() {}, onClose() {}, isOpen() {} }],
    [
      "a class with methods of its own",
      new (class Bot {
        name = "bot";
        claims = claims;
        async run() {}
        reopen() {}
        accept() {
          return true;
        }
        accepts() {
          return true;
        }
      })(),
    ],
    [
      "the longest waits",
      { ...harness, claims: { ...claims, deadlineMs: 86_400_000 }, shape: { settleMs: 86_400_000 } },
    ],
    ["the longest run", worldOf({}, { maxSteps: 10_000 })],
    ["a pattern of names", { ...harness, shape: { toolNames: /^[a-z]+$/i, settleMs: 0 } }],
    ["handlers that can't be watched", { ...harness, shape: { effects: "told" } }],
    ["a world whose tools ask", { ...worldOf({ permission: "ask" }), claims: { ...claims, approvals: "ends-run" } }],
    [
      "a world with hidden tools",
      {
        ...worldOf({ offered: { afterSkill: "s" } }, { skills: ["s"] }),
        claims: { ...claims, hiddenTools: "by-skill" },
      },
    ],
    ["a schema without a type", worldOf({ inputSchema: {} })],
  ])("takes %s as it is", (_, value) => {
    expect(validHarness(value)).toBe(value);
  });

  it.each<readonly [string, unknown, string, string]>([
    ["no object", 5, "the harness in `bot.ts` to be an object, got 5", "Do give an object"],
    [
      "no name",
      { ...harness, name: undefined },
      "`name` of the harness in `bot.ts` to be a text, got nothing",
      "Do name it",
    ],
    [
      "no run",
      { ...harness, run: "soon" },
      '`run` of the harness in `bot.ts` to be a function, got "soon"',
      "Do give a function",
    ],
    [
      "no claims",
      { ...harness, claims: undefined },
      "`claims` of the harness in `bot.ts` to be an object",
      "`approvals`, `deny`",
    ],
    [
      "a missing claim",
      { ...harness, claims: { approvals: "none", deny: false } },
      "`claims.hiddenTools`",
      'to be "by-skill", "fixed" or "none", got nothing',
    ],
    [
      "a mistyped claim",
      { ...harness, claims: { ...claims, result: true } },
      'got the unknown "result"',
      "Do write `results`",
    ],
    [
      "a claim of another type",
      { ...harness, claims: { ...claims, deny: "yes" } },
      "`claims.deny`",
      'to be true or false, got "yes"',
    ],
    [
      "an unknown word",
      { ...harness, claims: { ...claims, approvals: "ask" } },
      "`claims.approvals`",
      '"ends-run", "asked" or "none", got "ask"',
    ],
    ["a negative deadline", { ...harness, claims: { ...claims, deadlineMs: -1 } }, "`claims.deadlineMs`", "got -1"],
    [
      "a deadline that no timer can hold",
      { ...harness, claims: { ...claims, deadlineMs: 2 ** 31 } },
      "`claims.deadlineMs`",
      "from 1 to 86400000 (a day), got 2147483648",
    ],
    [
      "a wait that no timer can hold",
      { ...harness, shape: { settleMs: 2 ** 31 } },
      "`shape.settleMs`",
      "from 0 to 86400000 (a day), got 2147483648",
    ],
    ["a deadline as text", { ...harness, claims: { ...claims, deadlineMs: "5" } }, "`claims.deadlineMs`", 'got "5"'],
    ["a deadline as a bigint", { ...harness, claims: { ...claims, deadlineMs: 5n } }, "`claims.deadlineMs`", "got 5n"],
    ["a mistyped shape", { ...harness, shape: { loops: "own" } }, "`shape`", "Do write `loop`"],
    [
      "a pattern that remembers",
      { ...harness, shape: { toolNames: /a/g } },
      "`shape.toolNames`",
      "without the flags g and y, got /a/g",
    ],
    ["a mistyped member", { ...harness, normalize: () => 1 }, "`normalize`", "Do write `normalise`"],
    ["a mistyped stop", { ...harness, stopWith: () => "blocked" }, "`stopWith`", "Do write `stopsWith`"],
    [
      "a mistyped method of a class",
      new (class Bot {
        name = "bot";
        claims = claims;
        async run() {}
        accept() {
          return true;
        }
      })(),
      "`accept`",
      "Do write `accepts`",
    ],
    ["a member that is no function", { ...harness, open: 1 }, "`open`", "to be a function, got 1"],
    [
      "an unclaimed ask",
      worldOf({ permission: "ask" }),
      "`world.tools[0].permission`",
      'since `claims.approvals` is "none"',
    ],
    [
      "an unclaimed deny",
      worldOf({ permission: "deny" }),
      "`world.tools[0].permission`",
      "since `claims.deny` is false",
    ],
    [
      "an unclaimed hidden tool",
      worldOf({ offered: "never" }),
      "`world.tools[0].offered`",
      'since `claims.hiddenTools` is "none"',
    ],
    [
      "unclaimed policies",
      worldOf({ permission: { rules: [{ when: {}, then: "allow" }], otherwise: "allow" } }),
      "`world.tools[0].permission`",
      "argumentPolicies",
    ],
    [
      "two tools of one name",
      worldOf({}, { tools: [tool, tool] }),
      "`world.tools[1].name`",
      'a name of its own, got "look"',
    ],
    [
      "a schema that does not compile",
      worldOf({ inputSchema: { properties: { a: { type: "foo" } } } }),
      "`world.tools[0].inputSchema`",
      "does not compile",
    ],
    [
      "a schema of no object",
      worldOf({ inputSchema: { type: "string" } }),
      "`world.tools[0].inputSchema`",
      'got a schema of the type "string"',
    ],
    [
      "a schema object",
      worldOf({ inputSchema: { _zod: {} } }),
      "`world.tools[0].inputSchema`",
      "Do give JSON Schema 2020-12, or make the world with `defineWorld`",
    ],
    [
      "a skill that is not listed",
      worldOf({ offered: { afterSkill: "s" } }),
      "`world.tools[0].offered.afterSkill`",
      'got "s"',
    ],
    ["an unknown permission", worldOf({ permission: "maybe" }), "`world.tools[0].permission`", 'got "maybe"'],
    ["no tools", worldOf({}, { tools: [] }), "`world.tools`", "got an empty array"],
    [
      "steps that never end",
      worldOf({}, { maxSteps: Number.POSITIVE_INFINITY }),
      "`world.maxSteps`",
      'a number up to 10000, or the text "NaN" or "-Infinity", got Infinity',
    ],
    ["steps that are no number", worldOf({}, { maxSteps: Number.NaN }), "`world.maxSteps`", "a number up to 10000"],
    ["far too many steps", worldOf({}, { maxSteps: 1e5 }), "`world.maxSteps`", "a number up to 10000, or"],
    ["no steps", worldOf({}, { maxSteps: 0 }), "`world.maxSteps`", "at least 1, got 0"],
    [
      "a name outside its own pattern",
      { ...worldOf({ name: "Look!" }), shape: { toolNames: /^[a-z]+$/ } },
      "`world.tools[0].name`",
      'got "Look!"',
    ],
  ])("refuses %s in one sentence, and says what to do", (_, value, ...parts) => {
    const message = refusal(value);
    expect(message).toMatch(/^Expected .+, got .+\. Do .+\.$/);
    for (const part of parts) expect(message).toContain(part);
  });
});
