import { describe, expect, test } from "vitest";
import type { Claims } from "../src/contract/harness.ts";
import { satisfies } from "../src/world/input-schema.ts";
import type { JsonObject } from "../src/world/json.ts";
import { decide, type Policy } from "../src/world/policy.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import { policySides } from "./policy-sides.ts";
import { deniedTool } from "./proposals/denied-tool.ts";
import { honestCall } from "./proposals/honest-call.ts";
import { settingOf } from "./setting.ts";

const cents = { type: "integer", minimum: 1, maximum: 100_000 };
const payment = { type: "object", properties: { cents }, required: ["cents"], examples: [{ cents: 1500 }] };
const above = { properties: { cents: { exclusiveMinimum: 2000 } }, required: ["cents"] };

function toolOf(inputSchema: JsonObject, permission: Policy): ToolSpec {
  return { name: "pay", description: "", inputSchema, permission, offered: "always" };
}

function ruled(when: JsonObject, then: "ask" | "deny", inputSchema: JsonObject = payment): ToolSpec {
  return toolOf({ ...inputSchema }, { rules: [{ when, then }], otherwise: "allow" });
}

describe("policy-sides", () => {
  test("have more digits and fewer than the rule, its bound and both neighbours, and the ends of the schema", () => {
    const found = policySides(ruled(above, "ask")).map((args) => args.cents);
    expect(found.slice(0, 6)).toEqual([15_000, 100_000, 900, 2000, 2001, 1999]);
    expect(found).toEqual(expect.arrayContaining([1, 2, 10_000, 99_999]));
  });

  test("show a prefix that is compared as text, whichever side is asked about", () => {
    const prefix = ({ cents }: JsonObject) => String(cents).slice(0, 4) > "2000";
    const over = policySides(ruled(above, "ask")).slice(0, 6);
    expect(over.some((args) => Number(args.cents) > 2000 && !prefix(args))).toBe(true);
    const below = { properties: { cents: { maximum: 2000 } } };
    const under = policySides(ruled(below, "ask")).slice(0, 6);
    expect(under.some((args) => Number(args.cents) <= 2000 && prefix(args))).toBe(true);
  });

  test("are valid, and lie on both sides", () => {
    for (const when of [above, { not: above }, { properties: { cents: { const: 50 } } }]) {
      const tool = ruled(when, "ask");
      expect(policySides(tool).filter((args) => !satisfies(tool.inputSchema, args))).toEqual([]);
      expect(new Set(policySides(tool).map((args) => decide(tool.permission, args)))).toEqual(
        new Set(["ask", "allow"]),
      );
    }
  });

  test("keep to multiples, to numbers below zero and to fractions", () => {
    const stepped = { ...payment, properties: { cents: { ...cents, multipleOf: 50 } }, examples: [{ cents: 50 }] };
    const steps = policySides(ruled(above, "ask", stepped)).map((args) => Number(args.cents));
    expect(steps).toEqual(expect.arrayContaining([15_000, 900, 2000, 2050, 1950]));
    expect(steps.filter((value) => value % 50 !== 0)).toEqual([]);
    const degrees = { type: "object", properties: { cents: { type: "number" } }, required: ["cents"] };
    const cold = policySides(ruled({ properties: { cents: { exclusiveMaximum: -20 } } }, "ask", degrees));
    expect(cold.map((args) => args.cents)).toEqual(expect.arrayContaining([-150, -9, -20, -21, -19, -20.01]));
  });

  test("look into nested values, and make texts as long as rule and schema say", () => {
    const inner = { type: "object", properties: { cents }, required: ["cents"] };
    const nested = { type: "object", properties: { order: inner }, required: ["order"] };
    const deep = policySides(ruled({ properties: { order: above }, required: ["order"] }, "ask", nested));
    expect(deep).toContainEqual({ order: { cents: 15_000 } });
    const text = { type: "string", minLength: 2, maxLength: 40 };
    const note = { type: "object", properties: { note: text }, required: ["note"] };
    const long = policySides(ruled({ properties: { note: { minLength: 10 } } }, "ask", note));
    expect(long.map((args) => String(args.note).length).sort((a, b) => a - b)).toEqual([2, 9, 10, 11, 40]);
  });

  test("are none where one permission is for all calls, or the rule compares nothing", () => {
    expect(policySides(toolOf(payment, "ask"))).toEqual([]);
    expect(policySides(ruled({ required: ["cents"] }, "ask"))).toEqual([]);
  });

  test("are played: as honest calls what is allowed or asked about, and as denied ones what is denied", () => {
    const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "none", argumentPolicies: true };
    const worldWith = (tool: ToolSpec) => ({ tools: [tool], skills: [], maxSteps: 8 });
    const asked = JSON.stringify(honestCall.canonical(settingOf(worldWith(ruled(above, "ask")), claims)));
    const denied = JSON.stringify(deniedTool.canonical(settingOf(worldWith(ruled(above, "deny")), claims)));
    for (const text of ["15000", "100000"]) expect([asked, denied].every((all) => all.includes(text))).toBe(true);
    for (const text of ["900", "1999"]) expect(asked).toContain(`:${text}}`);
  });
});
