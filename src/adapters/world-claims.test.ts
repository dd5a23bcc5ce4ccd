import { describe, expect, it } from "vitest";
import type { Claims } from "../contract/harness.ts";
import type { ToolSpec } from "../world/tool.ts";
import { claimsIn } from "./world-claims.ts";

const all: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill", argumentPolicies: true, results: true };

function worldOf(...facts: readonly Partial<ToolSpec>[]) {
  const tool = { description: "", inputSchema: { type: "object" }, permission: "allow", offered: "always" } as const;
  return { tools: facts.map((fact, place) => ({ ...tool, name: `tool_${place}`, ...fact })), skills: [], maxSteps: 4 };
}

describe("claimsIn", () => {
  it("leaves the claims alone where worlds are generated", () => {
    expect(claimsIn(undefined, all)).toEqual(all);
  });

  it("drops those that no tool of the world is about", () => {
    const left = { approvals: "none", deny: false, hiddenTools: "none", argumentPolicies: false, results: true };
    expect(claimsIn(worldOf({}), all)).toEqual(left);
    expect(claimsIn(worldOf({ permission: "ask" }), all)).toEqual({ ...left, approvals: "asked" });
    expect(claimsIn(worldOf({ permission: "deny" }), all)).toEqual({ ...left, deny: true });
    expect(claimsIn(worldOf({ offered: "never" }), all)).toEqual({ ...left, hiddenTools: "fixed" });
    expect(claimsIn(worldOf({ offered: { afterSkill: "a" } }), all)).toEqual({ ...left, hiddenTools: "by-skill" });
  });

  it("looks into policies", () => {
    const permission = { rules: [{ when: {}, then: "deny" }], otherwise: "ask" } as const;
    expect(claimsIn(worldOf({ permission }), all)).toEqual({ ...all, hiddenTools: "none" });
  });

  it("adds none", () => {
    const none: Claims = { approvals: "none", deny: false, hiddenTools: "none" };
    expect(claimsIn(worldOf({ permission: "ask" }, { permission: "deny" }, { offered: "never" }), none)).toEqual(none);
  });
});
