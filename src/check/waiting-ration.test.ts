import { describe, expect, it } from "vitest";
import type { Behaviour } from "../contract/behaviour.ts";
import type { Claims } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { ToolCall } from "../contract/turn.ts";
import { WaitingRation, waitsIn, waitsInVain } from "./waiting-ration.ts";

const call: ToolCall = { kind: "tool-call", callId: "call-1", name: "look_up", args: "{}" };
const hang: Behaviour = { kind: "hang" };
const echo: Behaviour = { kind: "echo" };

function script(facts: Partial<Script> = {}, calls = 1): Script {
  const turn = { proposals: Array.from({ length: calls }, () => call), stop: "tool-calls" } as const;
  const world = { tools: [], skills: [], maxSteps: 4 };
  return { format: 1, world, turns: [turn], afterTurns: "end", handlers: {}, decisions: [], ...facts };
}

const hanging = script({ handlers: { look_up: [hang] } });
const many = (count: number) => Array.from({ length: count }, () => hanging);

function rationOf(claims: Partial<Claims>): WaitingRation {
  return new WaitingRation({ claims: { approvals: "none", deny: false, hiddenTools: "none", ...claims } });
}

describe("waiting-ration", () => {
  it("tells a move in which somebody is waited for in vain", () => {
    expect(waitsInVain({})).toBe(false);
    expect(waitsInVain({ handlers: { look_up: [echo] }, decisions: ["approve", "later", "throw"] })).toBe(false);
    expect(waitsInVain({ handlers: { look_up: [echo, hang] } })).toBe(true);
    expect(waitsInVain({ decisions: ["approve", "hang"] })).toBe(true);
    expect(waitsInVain({ decisions: ["late-approve"] })).toBe(true);
  });

  it("counts each wait in vain: of handlers, of the human, and of the runs before and beside", () => {
    expect(waitsIn(script())).toBe(0);
    expect(waitsIn(hanging)).toBe(1);
    expect(waitsIn(script({ handlers: { look_up: [hang] } }, 3))).toBe(3);
    expect(waitsIn(script({ handlers: { look_up: [hang, echo] } }, 3))).toBe(1);
    expect(waitsIn(script({ handlers: { look_up: [echo, hang] } }))).toBe(0);
    expect(waitsIn(script({ decisions: ["late-approve"] }))).toBe(1);
    expect(waitsIn(script({ before: [hanging], beside: [hanging] }))).toBe(2);
    expect(waitsIn({ ...hanging, afterTurns: "repeat-last" })).toBe(4);
  });

  it("lets all other scripts through", () => {
    const scripts = Array.from({ length: 1_000 }, () => script());
    expect(rationOf({ deadlineMs: 60_000 }).take(scripts, "random")).toHaveLength(1_000);
  });

  it("plays as many as their deadlines allow, some of them random, and says how many it left out", () => {
    const ration = rationOf({ deadlineMs: 50 });
    expect(ration.take(many(100), "enumeration")).toHaveLength(60);
    expect(ration.take(many(100), "random")).toHaveLength(20);
    expect(ration.hints()).toEqual([expect.stringContaining("120 scripts")]);
    expect(ration.hints()[0]).toContain("deadline of 50 ms; 80 were played");
  });

  it("tries a few with a long deadline, and none with one that is too long to wait for", () => {
    expect(rationOf({ deadlineMs: 5_000 }).take(many(10), "random")).toHaveLength(3);
    expect(rationOf({ deadlineMs: 60_000 }).take(many(10), "random")).toHaveLength(0);
  });

  it("counts the scripts where only an abort ends the wait", () => {
    const ration = rationOf({ abort: true });
    expect(ration.take(many(300), "enumeration")).toHaveLength(150);
    expect(ration.take(many(300), "random")).toHaveLength(50);
    expect(ration.hints()[0]).toContain("400 scripts");
  });

  it("says nothing where nothing was left out", () => {
    const ration = rationOf({ deadlineMs: 20 });
    ration.take(many(5), "enumeration");
    expect(ration.hints()).toEqual([]);
  });
});
