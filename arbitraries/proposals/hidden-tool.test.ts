import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { settingAfter, settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { hiddenTool } from "./hidden-tool.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const [world] = canonicalWorlds(claims);

describe("hidden-tool", () => {
  test("calls declared tools that are not offered at that moment", () => {
    const wrong = playedCalls(hiddenTool, claims)
      .flat()
      .filter(({ tool, offered }) => tool === undefined || offered);
    expect(wrong).toEqual([]);
  });

  test("loads other skills first, and the right one too late", () => {
    const cases = hiddenTool.canonical(settingOf(world!, claims));
    const loads = cases.flatMap(({ turns }) =>
      turns[0]!.proposals.flatMap((draft) => (draft.kind === "load-skill" ? [draft.skill] : [])),
    );
    expect(new Set(loads)).toEqual(new Set(world!.skills));
    expect(
      cases.some(
        ({ turns }) => turns[0]!.proposals[0]?.kind === "tool-call" && turns[0]!.proposals[1]?.kind === "load-skill",
      ),
    ).toBe(true);
  });

  test("loads nothing where hidden tools are not opened by skills", () => {
    const fixed: Claims = { ...claims, hiddenTools: "fixed" };
    const drafts = hiddenTool
      .canonical(settingOf(canonicalWorlds(fixed)[0]!, fixed))
      .flatMap(({ turns }) => turns.flatMap(({ proposals }) => proposals));
    expect(drafts.length).toBeGreaterThan(0);
    expect(drafts.every(({ kind }) => kind === "tool-call")).toBe(true);
  });

  test("leaves a tool alone once its skill is loaded", () => {
    const start = settingOf(world!, claims);
    const after = settingAfter(start, [{ proposals: [{ kind: "load-skill", skill: "refunds" }], stop: "tool-calls" }]);
    const call = { kind: "tool-call", callId: "call-1", name: "read_ledger", args: "{}" } as const;
    expect([hiddenTool.isOne(call, start), hiddenTool.isOne(call, after)]).toEqual([true, false]);
    expect(JSON.stringify(hiddenTool.canonical(after))).not.toContain("read_ledger");
  });

  test("needs hidden tools, claimed and in the world", () => {
    expect(hiddenTool.needs(settingOf(world!, { ...claims, hiddenTools: "none" }))).toMatch(/not claimed/);
    expect(hiddenTool.needs(settingOf(canonicalWorlds(claims)[1]!, claims))).toMatch(/no tool/);
  });
});
