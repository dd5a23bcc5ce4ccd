import { describe, expect, it } from "vitest";
import type { Behaviour } from "../contract/behaviour.ts";
import type { Claims, Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { World } from "../world/world.ts";
import { replayScript } from "./replay-script.ts";
import { dependsOnTiming } from "./timing.ts";

const world: World = {
  tools: [{ name: "erase", description: "", inputSchema: { type: "object" }, permission: "deny", offered: "always" }],
  skills: [],
  maxSteps: 1,
};
const slow: Behaviour = { kind: "slow", value: "done" };
const claims: Claims = { approvals: "none", deny: true, hiddenTools: "none" };

function script(facts: Partial<Script> = {}): Script {
  const proposals = [{ kind: "tool-call", callId: "call-1", name: "erase", args: "{}" }] as const;
  const turns = [{ proposals, stop: "tool-calls" }] as const;
  return { format: 1, world, turns, afterTurns: "end", handlers: {}, decisions: [], ...facts };
}

/** Runs what it must not run, in its first runs or in all. */
function erasing({ times, deadlineMs }: { times: number; deadlineMs?: number }): Harness {
  let left = times;
  return {
    name: "moody",
    claims: deadlineMs === undefined ? claims : { ...claims, deadlineMs },
    async run(run) {
      const { proposals } = await run.nextTurn();
      left -= 1;
      if (left >= 0 && proposals.length > 0) await run.tools[0]?.execute({}, { callId: "call-1" });
      return { status: "blocked" };
    },
  };
}

async function verdictOn(harness: Harness, played: Script) {
  const { rules } = await replayScript(harness, played, { only: ["denied-tools-never-run"] });
  return rules[0]?.verdict;
}

describe("timing", () => {
  it("is what a script depends on where somebody hangs, is late, slow, or among others, and a deadline is claimed", () => {
    const timed = [
      script({ handlers: { erase: [slow] } }),
      script({ handlers: { erase: [{ kind: "hang" }] } }),
      script({ decisions: ["late-approve"] }),
      script({ abort: { during: "approval", at: 0 } }),
      script({ beside: [script()] }),
      script({ before: [script({ handlers: { erase: [slow] } })] }),
    ];
    expect(timed.map((one) => dependsOnTiming(one, { deadlineMs: 20 }))).toEqual(timed.map(() => true));
    expect(timed.filter((one) => dependsOnTiming(one, {}))).toEqual([]);
    const plain = [script(), script({ before: [script()] }), script({ abort: { during: "model", at: 0 } })];
    expect(plain.filter((one) => dependsOnTiming(one, { deadlineMs: 20 }))).toEqual([]);
  });

  it.each([1, 2, 3])("makes a failure no evidence that came %d times and then not again", async (times) => {
    const played = script({ handlers: { erase: [slow] } });
    expect(await verdictOn(erasing({ times, deadlineMs: 20 }), played)).toBe("holds");
  });

  it("excuses no failure that comes again every time", async () => {
    const played = script({ handlers: { erase: [slow] } });
    expect(await verdictOn(erasing({ times: Number.POSITIVE_INFINITY, deadlineMs: 20 }), played)).toBe("violated");
  });

  it("excuses nothing where no deadline is claimed, or none could pass", async () => {
    expect(await verdictOn(erasing({ times: 1 }), script({ handlers: { erase: [slow] } }))).toBe("flaky");
    expect(await verdictOn(erasing({ times: 1, deadlineMs: 20 }), script())).toBe("flaky");
  });

  it("makes a run no evidence that hung once and then not again", async () => {
    let runs = 0;
    const harness: Harness = {
      ...erasing({ times: 0 }),
      async run(run) {
        runs += 1;
        await run.nextTurn();
        return runs === 1 ? new Promise(() => {}) : { status: "blocked" };
      },
    };
    const only = ["every-run-ends", "bad-proposals-are-survived"];
    const { rules } = await replayScript(harness, script(), { only, runTimeoutMs: 30 });
    expect(runs).toBeGreaterThan(1);
    expect(rules.filter(({ verdict }) => verdict === "flaky" || verdict === "violated")).toEqual([]);
  });
});
