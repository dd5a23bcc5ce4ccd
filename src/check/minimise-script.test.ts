import { describe, expect, it } from "vitest";
import { type Script, sizeOf } from "../contract/script.ts";
import type { ToolCall, Turn } from "../contract/turn.ts";
import type { ToolSpec } from "../world/tool.ts";
import { minimiseScript } from "./minimise-script.ts";
import { simplificationsFor } from "./simplify-script.ts";

const forever = { runs: 10_000, until: () => false };

function tool(name: string): ToolSpec {
  return { name, description: name, inputSchema: { type: "object" }, permission: "allow", offered: "always" };
}

function call(callId: string, name: string, args = '{"note":"long enough to be made shorter"}'): ToolCall {
  return { kind: "tool-call", callId, name, args };
}

function turn(...proposals: Turn["proposals"]): Turn {
  return { proposals, stop: "tool-calls" };
}

const noisy: Script = {
  format: 1,
  world: { tools: [tool("a"), tool("b"), tool("c")], skills: ["unused"], maxSteps: 8 },
  turns: [
    turn(call("1", "a")),
    turn(call("2", "b"), call("3", "a"), call("4", "c")),
    { kind: "failure", failure: "timeout" },
    turn({ kind: "text", text: "hm" }, call("5", "b")),
    turn(call("6", "a")),
  ],
  afterTurns: "repeat-last",
  handlers: {
    a: [{ kind: "throw", message: "a long message that nobody needs" }],
    b: [{ kind: "return", value: [1, 2, 3] }],
  },
  decisions: ["approve", "deny"],
  modelEditsInput: true,
};

function callsOf(script: Script, name: string): number {
  return script.turns
    .flatMap((entry) => ("kind" in entry ? [] : entry.proposals))
    .filter((proposal) => proposal.kind === "tool-call" && proposal.name === name).length;
}

/** Fails where the script still has this many calls of `b`. */
function failsWith(count: number) {
  return async (candidate: Script) =>
    callsOf(candidate, "b") >= count ? { guiltyTurn: candidate.turns.length } : undefined;
}

async function smallest(count: number, worldIsFixed = false, limits = forever) {
  const failure = { guiltyTurn: 4 };
  return minimiseScript(noisy, failure, simplificationsFor(worldIsFixed), failsWith(count), limits);
}

describe("minimise-script", () => {
  it("keeps only the one call that matters, with the plainest arguments, world and handlers", async () => {
    const { script } = await smallest(1);
    expect(sizeOf(script)).toBe(1);
    expect(script.turns).toEqual([turn(call(callIdOf(script), "b", "{}"))]);
    expect(script.world).toEqual({ tools: [tool("b")], skills: [], maxSteps: 1 });
    expect(script).toMatchObject({ afterTurns: "end", handlers: {}, decisions: [] });
    expect(script).not.toHaveProperty("modelEditsInput");
  });

  it("keeps two calls where it takes two, one in each turn", async () => {
    const { script } = await smallest(2);
    expect(script.turns.map((entry) => ("kind" in entry ? 0 : entry.proposals.length))).toEqual([1, 1]);
  });

  it("writes a turn that comes twice once, and lets it repeat", async () => {
    const twice: Script = { ...noisy, turns: [turn(call("1", "b")), turn(call("2", "b"))], afterTurns: "end" };
    const stillFails = async (candidate: Script) =>
      callsOf(candidate, "b") === 2 || (callsOf(candidate, "b") === 1 && candidate.afterTurns === "repeat-last")
        ? { guiltyTurn: 1 }
        : undefined;
    const { script } = await minimiseScript(twice, { guiltyTurn: 1 }, simplificationsFor(false), stillFails, forever);
    expect(script.turns).toEqual([turn(call("1", "b", "{}"))]);
    expect(script.afterTurns).toBe("repeat-last");
  });

  it("leaves a user's own world as it is", async () => {
    const { script } = await smallest(1, true);
    expect(script.world).toEqual(noisy.world);
  });

  it("stops at the limit, with the smallest script found until then", async () => {
    const { script, runs } = await smallest(1, false, { runs: 3, until: () => false });
    expect(runs).toBe(3);
    expect(callsOf(script, "b")).toBeGreaterThanOrEqual(1);
    const none = await smallest(1, false, { runs: 10_000, until: () => true });
    expect(none).toMatchObject({ runs: 0, script: noisy });
  });

  it("gives the script as it is where nothing smaller fails", async () => {
    const { script } = await minimiseScript(
      noisy,
      { guiltyTurn: 4 },
      simplificationsFor(false),
      async () => undefined,
      forever,
    );
    expect(script).toBe(noisy);
  });

  it("drops the runs before and beside, their schedule and an abort, where it fails without them", async () => {
    const crowded: Script = {
      ...noisy,
      abort: { during: "handler", at: 0 },
      before: [noisy],
      beside: [noisy, noisy],
      schedule: [0, 1, 2],
    };
    const { script } = await minimiseScript(
      crowded,
      { guiltyTurn: 4 },
      simplificationsFor(false),
      failsWith(1),
      forever,
    );
    expect(script).toEqual((await smallest(1)).script);
  });

  it("makes the other runs as small as its own, counting the proposals of all of them", async () => {
    const crowded: Script = { ...noisy, beside: [noisy, noisy], schedule: [0, 1, 2, 1, 0] };
    const fails = async (candidate: Script) => {
      const others = [...(candidate.before ?? []), ...(candidate.beside ?? [])];
      const isKept = others.some((other) => callsOf(other, "a") > 0) && callsOf(candidate, "b") > 0;
      return isKept ? { guiltyTurn: candidate.turns.length } : undefined;
    };
    const { script } = await minimiseScript(crowded, { guiltyTurn: 4 }, simplificationsFor(false), fails, forever);
    expect(sizeOf(script)).toBe(2);
    // One after another is easier to follow than side by side.
    expect(script).toMatchObject({ before: [{ afterTurns: "end", handlers: {}, decisions: [] }] });
    expect(script).not.toHaveProperty("beside");
    expect(script).not.toHaveProperty("schedule");
    expect(script.world.tools.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(script.before?.[0]?.world).toEqual(script.world);
  });

  it("keeps runs side by side, and as much of the schedule as it takes", async () => {
    const crowded: Script = { ...noisy, beside: [noisy], schedule: [0, 0, 1, 0, 1] };
    const fails = async ({ beside = [], schedule = [], turns }: Script) =>
      beside.length > 0 && schedule.includes(1) ? { guiltyTurn: turns.length } : undefined;
    const { script } = await minimiseScript(crowded, { guiltyTurn: 4 }, simplificationsFor(false), fails, forever);
    expect(script.schedule).toEqual([1]);
    expect(sizeOf(script)).toBe(0);
  });

  it("counts the turns served, not the failures of the model between them", async () => {
    const kept: number[] = [];
    const fails = async (candidate: Script) => {
      kept.push(candidate.turns.length);
      return undefined;
    };
    await minimiseScript(noisy, { guiltyTurn: 2 }, simplificationsFor(false), fails, forever);
    expect(kept[0]).toBe(4);
  });
});

function callIdOf(script: Script): string {
  const [first] = script.turns;
  const proposal = first === undefined || "kind" in first ? undefined : first.proposals[0];
  return proposal?.kind === "tool-call" ? proposal.callId : "";
}
