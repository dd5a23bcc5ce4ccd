import { describe, expect, test } from "vitest";
import type { Move } from "../src/contract/script-class.ts";
import type { World } from "../src/world/world.ts";
import { callOf, loadOf, turnOf } from "./draft.ts";
import { weave } from "./weave.ts";

const tool = { description: "", inputSchema: { type: "object" }, permission: "allow" } as const;
const world: World = {
  tools: [
    { ...tool, name: "look", offered: "always" },
    { ...tool, name: "deep", offered: { afterSkill: "digging" } },
    { ...tool, name: "wipe", offered: "always", permission: "deny" },
  ],
  skills: ["digging"],
  maxSteps: 8,
};
const look: Move = { turns: [turnOf(callOf("look", {}))] };
const deep: Move = { turns: [turnOf(loadOf("digging")), turnOf(callOf("deep", {}))] };
const failing: Move = { ...look, handlers: { look: [{ kind: "throw", message: "down" }] } };
const done = { kind: "return", value: "done" };

const shapeOf = (moves: readonly Move[], options = {}) =>
  weave(world, moves, options).turns.map((turn) =>
    "kind" in turn ? [] : turn.proposals.map((proposal) => (proposal.kind === "text" ? "text" : proposal.callId)),
  );

describe("weave", () => {
  test("plays moves one after another and mints call ids", () => {
    expect(shapeOf([look, deep])).toEqual([["call-1"], ["call-2"], ["call-3"]]);
  });

  test("plays the first calls together, after what they load", () => {
    const { turns } = weave(world, [look, deep], { together: true });
    expect(turns).toMatchObject([
      { proposals: [{ kind: "load-skill" }] },
      { proposals: [{ name: "look" }, { name: "deep" }] },
    ]);
  });

  test("joins a move to the turn before it where it is told to", () => {
    expect(shapeOf([look, look, look], { joined: [true, true, false] })).toEqual([["call-1", "call-2"], ["call-3"]]);
  });

  test("keeps the ids that a move brings and mints none of them again", () => {
    const brought: Move = { turns: [turnOf({ kind: "tool-call", name: "look", args: "{}", callId: "call-1" })] };
    expect(shapeOf([look, brought, look])).toEqual([["call-2"], ["call-1"], ["call-3"]]);
  });

  test("gives each move the behaviours of its own calls", () => {
    expect(weave(world, [look, failing, look]).handlers).toEqual({
      look: [done, { kind: "throw", message: "down" }, done],
    });
  });

  test("leaves no place for calls that are not due to run", () => {
    const cut: Move = { turns: [turnOf(callOf("look", "{"))] };
    const denied: Move = { turns: [turnOf(callOf("wipe", {}))] };
    expect(weave(world, [cut, denied, failing]).handlers).toEqual({ look: [{ kind: "throw", message: "down" }] });
  });

  test("counts a call behind a skill only once the skill is loaded", () => {
    const early: Move = { turns: [turnOf(callOf("deep", {}))] };
    const last: Move = { ...deep, handlers: { deep: [{ kind: "echo" }] } };
    expect(weave(world, [early, last]).handlers).toEqual({ deep: [{ kind: "echo" }] });
    expect(weave(world, [deep, last]).handlers).toEqual({ deep: [done, { kind: "echo" }] });
  });

  test("repeats the last turn where a move asks for it, and strings decisions together", () => {
    const script = weave(world, [
      { ...look, afterTurns: "repeat-last", decisions: ["deny"] },
      { ...look, decisions: ["approve"] },
    ]);
    expect(script).toMatchObject({ afterTurns: "repeat-last", decisions: ["deny", "approve"] });
    expect(weave(world, [look])).toMatchObject({ afterTurns: "end", decisions: [], handlers: {} });
  });

  test("puts the failed requests of a move before its turn, and lets all of them fail after the last where a move asks for it", () => {
    const late: Move = { turns: [{ ...look.turns[0]!, failing: ["timeout", "rate-limit"] }] };
    const kinds = (script: ReturnType<typeof weave>) =>
      script.turns.map((turn) => ("kind" in turn ? turn.failure : "turn"));
    expect(kinds(weave(world, [look, late]))).toEqual(["turn", "timeout", "rate-limit", "turn"]);
    expect(kinds(weave(world, [look, late], { together: true }))).toEqual(["timeout", "rate-limit", "turn"]);
    const script = weave(world, [{ ...look, afterTurns: "keep-failing" }]);
    expect([kinds(script), script.afterTurns]).toEqual([["turn", "overloaded"], "repeat-last"]);
  });

  test("a turn that was cut off stays cut off when it is shared", () => {
    const cutOff: Move = { turns: [{ ...look.turns[0]!, stop: "length" }] };
    expect(weave(world, [look, cutOff], { together: true }).turns).toMatchObject([{ stop: "length" }]);
  });
});
