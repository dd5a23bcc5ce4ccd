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
    { ...tool, name: "send", offered: "always", permission: "ask" },
  ],
  skills: ["digging"],
  maxSteps: 8,
};
const look: Move = { turns: [turnOf(callOf("look", {}))] };
const deep: Move = { turns: [turnOf(loadOf("digging")), turnOf(callOf("deep", {}))] };
const failing: Move = { ...look, handlers: { look: [{ kind: "throw", message: "down" }] } };
const wiping: Move = { turns: [turnOf(callOf("wipe", {}))] };
const sending: Move = { turns: [turnOf(callOf("send", {}))] };
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
    expect(weave(world, [cut, wiping, failing]).handlers).toEqual({ look: [{ kind: "throw", message: "down" }] });
  });

  test("counts a call behind a skill only once the skill is loaded", () => {
    const early: Move = { turns: [turnOf(callOf("deep", {}))] };
    const last: Move = { ...deep, handlers: { deep: [{ kind: "echo" }] } };
    expect(weave(world, [early, last]).handlers).toEqual({ deep: [{ kind: "echo" }] });
    expect(weave(world, [deep, last]).handlers).toEqual({ deep: [done, { kind: "echo" }] });
  });

  test("gives each move the behaviours of its own calls where the first turns are one", () => {
    const twice: Move = { turns: [...look.turns, ...look.turns], handlers: { look: [{ kind: "echo" }] } };
    expect(weave(world, [twice, failing], { together: true }).handlers).toEqual({
      look: [{ kind: "echo" }, { kind: "throw", message: "down" }, { kind: "echo" }],
    });
  });

  test("gives each call that is due to be asked about the answer of its own move", () => {
    const yes: Move = { ...sending, decisions: ["approve"] };
    const twice: Move = { turns: [...sending.turns, ...sending.turns], decisions: ["throw", "later"] };
    expect(weave(world, [sending, yes, look, sending, yes]).decisions).toEqual(["deny", "approve", "deny", "approve"]);
    expect(weave(world, [twice, yes], { together: true }).decisions).toEqual(["throw", "approve", "later"]);
    expect(weave(world, [sending]).decisions).toEqual([]);
  });

  test("puts answers about calls that are not due to be asked about behind all others", () => {
    const needless: Move = { ...wiping, decisions: ["approve", "approve"] };
    expect(weave(world, [needless, { ...sending, decisions: ["deny"] }]).decisions).toEqual([
      "deny",
      "approve",
      "approve",
    ]);
  });

  test("a call that was approved takes a place among the invocations, one that was denied takes none", () => {
    const throwing: Move = { ...sending, decisions: ["approve"], handlers: { send: [{ kind: "echo" }] } };
    expect(weave(world, [{ ...sending, decisions: ["approve"] }, throwing]).handlers).toEqual({
      send: [done, { kind: "echo" }],
    });
    expect(weave(world, [sending, throwing]).handlers).toEqual({ send: [{ kind: "echo" }] });
  });

  test("calls of a turn that was cut off take no place", () => {
    const cutOff: Move = { turns: [{ ...sending.turns[0]!, stop: "length" }] };
    expect(weave(world, [cutOff, { ...sending, decisions: ["approve"] }]).decisions).toEqual(["approve"]);
  });

  test("counts an abort over the whole run", () => {
    const aborting = (during: "model" | "handler" | "approval", at: number): Move => ({
      turns: [...look.turns, ...sending.turns, ...look.turns],
      decisions: ["approve"],
      abort: { during, at },
    });
    const before: Move = { turns: [...sending.turns, { ...look.turns[0]!, failing: ["timeout"] }] };
    const abortOf = (...moves: readonly Move[]) => weave(world, moves).abort;
    expect(abortOf(aborting("model", 1))).toEqual({ during: "model", at: 1 });
    expect(abortOf(before, aborting("model", 1), look)).toEqual({ during: "model", at: 4 });
    expect(abortOf(before, aborting("model", 3), look)).toEqual({ during: "model", at: 6 });
    expect(abortOf(before, aborting("handler", 1))).toEqual({ during: "handler", at: 2 });
    expect(abortOf(before, aborting("handler", 2), look)).toEqual({ during: "handler", at: 3 });
    expect(abortOf(before, aborting("approval", 0), sending)).toEqual({ during: "approval", at: 1 });
    expect(abortOf(before, aborting("approval", 1), sending)).toEqual({ during: "approval", at: 2 });
    const together = weave(world, [look, aborting("handler", 1), sending], { together: true });
    expect(together.abort).toEqual({ during: "handler", at: 2 });
    expect(weave(world, [sending, aborting("model", 1)], { together: true }).abort).toEqual({ during: "model", at: 1 });
  });

  test("plays the first of two aborts, and lets the model edit its input where one move does", () => {
    const first: Move = { ...look, abort: { during: "model", at: 0 } };
    const second: Move = { ...look, abort: { during: "handler", at: 0 }, modelEditsInput: true };
    expect(weave(world, [look, first, second])).toMatchObject({
      abort: { during: "model", at: 1 },
      modelEditsInput: true,
    });
    expect(Object.keys(weave(world, [look]))).not.toContain("modelEditsInput");
  });

  test("repeats the last turn where a move asks for it", () => {
    expect(weave(world, [{ ...look, afterTurns: "repeat-last" }, look]).afterTurns).toBe("repeat-last");
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
