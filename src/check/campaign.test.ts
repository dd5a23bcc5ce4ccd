import { describe, expect, it } from "vitest";
import type { Harness } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import { openStage } from "../run/stage.ts";
import { Campaign } from "./campaign.ts";

const harness: Harness = {
  name: "idle",
  claims: { approvals: "none", deny: false, hiddenTools: "none" },
  run: async () => ({ status: "answered" }),
};
const world = { tools: [], skills: [], maxSteps: 2 };
const script: Script = { format: 1, world, turns: [], afterTurns: "end", handlers: {}, decisions: [] };

describe("campaign", () => {
  it("counts the same scripts wherever it says that the time limit was reached, judged later or not", async () => {
    const stage = await openStage(harness, { runTimeoutMs: 1_000 });
    let hasPlayed = false;
    const playAll: typeof stage.playAll = (...given) => {
      hasPlayed = true;
      return stage.playAll(...given);
    };
    const campaign = new Campaign({
      harness,
      rules: [],
      stage: { play: stage.play.bind(stage), playAll, hints: () => [], close: () => stage.close() },
      runTimeoutMs: 1_000,
      get deadline() {
        return hasPlayed ? 0 : Number.POSITIVE_INFINITY;
      },
    });
    await campaign.playFirst(
      Array.from({ length: 50 }, () => script),
      (rest) => rest,
    );
    await stage.close();
    const { scripts, stoppedEarly } = campaign.report();
    expect(scripts).toBeGreaterThan(0);
    expect(stoppedEarly).toBe(`the time limit was reached after ${scripts} scripts`);
  });
});
