import { describe, expect, it } from "vitest";
import type { Claims, Shape } from "../src/contract/harness.ts";
import type { Script } from "../src/contract/script.ts";
import { brokenOffRuns, runsAfterABreak } from "./broken-off-runs.ts";
import { settingOf } from "./setting.ts";
import { canonicalWorlds } from "./small-world.ts";
import { tellingRuns } from "./telling-runs.ts";
import { weave } from "./weave.ts";

const all: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill", abort: true };

function scriptsWith(claims: Partial<Claims> = {}, shape: Shape = {}) {
  const whole = { ...all, ...claims };
  const [world] = canonicalWorlds(whole, shape);
  return brokenOffRuns(settingOf(world!, whole, shape)).map((move) => weave(world!, [move]));
}

const text = (script: Script) => JSON.stringify({ ...script, world: undefined });

describe("broken-off-runs", () => {
  it("breaks off in every way: out of steps, undecided, failed, refused, aborted, without a model", () => {
    const scripts = scriptsWith();
    expect(scripts.some(({ afterTurns, turns }) => afterTurns === "repeat-last" && !("kind" in turns.at(-1)!))).toBe(
      true,
    );
    expect(scripts.some(({ turns }) => "kind" in turns.at(-1)!)).toBe(true);
    expect(scripts.some(({ decisions }) => decisions.at(-1) === "later")).toBe(true);
    expect(scripts.some((script) => text(script).includes('"throw"'))).toBe(true);
    expect(scripts.some(({ turns }) => "proposals" in turns[0]! && turns[0].proposals.length === 2)).toBe(true);
    const moments = scripts.flatMap(({ abort }) => (abort === undefined ? [] : [abort.during]));
    expect(moments).toEqual(["model", "approval", "handler"]);
  });

  it("says yes to the call whose id the next run's call has, and loads a skill", () => {
    const approving = scriptsWith().filter(({ decisions }) => decisions[0] === "approve");
    expect(approving.length).toBeGreaterThan(4);
    for (const { turns } of approving)
      expect(turns[0]).toMatchObject({ proposals: [{ kind: "tool-call", callId: "call-1" }] });
    expect(approving.some((script) => text(script).includes("load-skill"))).toBe(true);
  });

  it("holds only what is claimed", () => {
    expect(scriptsWith({ abort: false }).filter(({ abort }) => abort !== undefined)).toEqual([]);
    expect(scriptsWith({ approvals: "none" }).flatMap(({ decisions }) => decisions)).toEqual([]);
    expect(scriptsWith({ approvals: "ends-run" }).flatMap(({ decisions }) => decisions)).toEqual([]);
    const inOneCall = scriptsWith({ parallelCalls: false }).flatMap(({ turns }) => turns);
    expect(inOneCall.filter((turn) => "proposals" in turn && turn.proposals.length > 1)).toEqual([]);
    expect(scriptsWith({}, { loop: "none" }).filter(({ afterTurns }) => afterTurns !== "end")).toEqual([]);
  });

  it("is followed by runs that are telling", () => {
    const setting = settingOf(canonicalWorlds(all)[0]!, all);
    const telling = tellingRuns(setting).map(({ turns, decisions, handlers }) =>
      JSON.stringify([turns, decisions, handlers]),
    );
    const judged = runsAfterABreak(setting);
    expect(judged).toHaveLength(3);
    for (const { turns, decisions, handlers } of judged)
      expect(telling).toContain(JSON.stringify([turns, decisions, handlers]));
  });
});
