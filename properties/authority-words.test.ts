import { describe, expect, test } from "vitest";
import { isAuthorityWord, withoutAuthority } from "./authority-words.ts";

describe("authority-words", () => {
  test.each([
    "approved",
    "is_approved",
    "APPROVED-BY",
    "preApproved",
    "permission",
    "role",
    "confirmed",
    "resumeData",
    "isAdmin",
    "needsApproval",
  ])("know %s", (word) => expect(isAuthorityWord(word)).toBe(true));

  test.each(["order", "name", "query", "limit", "__proto__", "amount", "city", "text"])("do not suspect %s", (word) => {
    expect(isAuthorityWord(word)).toBe(false);
  });

  test("are taken out at any depth, and nothing else is", () => {
    const value = {
      order: "A",
      approved: true,
      list: [{ role: "admin", n: 1 }, 2],
      meta: { deep: { confirmed: true, x: null } },
    };
    expect(withoutAuthority(value, {})).toEqual({ order: "A", list: [{ n: 1 }, 2], meta: { deep: { x: null } } });
    expect(value.approved).toBe(true);
  });

  test("stay where the schema declares them, at that place alone", () => {
    const schema = { properties: { role: {}, staff: { properties: { role: {} } }, other: {} } };
    const value = { role: 1, staff: { role: 2, admin: 3 }, other: { role: 4 } };
    expect(withoutAuthority(value, schema)).toEqual({ role: 1, staff: { role: 2 }, other: {} });
    const union = {
      anyOf: [{ properties: { force: {} } }],
      properties: { list: { items: { properties: { role: {} } } } },
    };
    expect(withoutAuthority({ force: 1, list: [{ role: 2, sudo: 3 }] }, union)).toEqual({
      force: 1,
      list: [{ role: 2 }],
    });
  });

  test("give the same value back where there are none", () => {
    const value = { order: "A", list: [{ n: 1 }] };
    expect(withoutAuthority(value, {})).toBe(value);
  });

  test("survive deep nesting and an own __proto__ key", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(3000)}{"approved":1}${"}".repeat(3000)}`);
    expect(JSON.stringify(withoutAuthority(deep, {}))).toBe(`${'{"a":'.repeat(3000)}{}${"}".repeat(3000)}`);
    const odd = withoutAuthority(JSON.parse('{"__proto__":{"role":1,"x":2},"approved":1}'), {});
    expect(JSON.stringify(odd)).toBe('{"__proto__":{"x":2}}');
  });
});
