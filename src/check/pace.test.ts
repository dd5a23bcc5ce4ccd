import { afterEach, describe, expect, it, vi } from "vitest";
import type { Harness } from "../contract/harness.ts";
import type { World } from "../world/world.ts";
import { checkHarness } from "./check-harness.ts";
import { Pace, thinned } from "./pace.ts";
import { planned } from "./phases.ts";
import type { Plan } from "./plan.ts";

const world: World = {
  tools: [
    { name: "look_up", description: "", inputSchema: { type: "object" }, permission: "allow", offered: "always" },
    { name: "erase", description: "", inputSchema: { type: "object" }, permission: "deny", offered: "always" },
  ],
  skills: [],
  maxSteps: 2,
};

function plans(pairs: number, triples: number): readonly Plan[] {
  const plan = (moves: number): Plan => ({
    world,
    moves: Array.from({ length: moves }, () => ({ turns: [] })),
    together: false,
    repeated: false,
  });
  return [...Array.from({ length: pairs }, () => plan(2)), ...Array.from({ length: triples }, () => plan(3))];
}

/** Whose clock and whose measure say what the test says. */
function paceAt(facts: { elapsed?: number; ms?: number }) {
  const now = { elapsed: 0, ms: 18, ...facts };
  const pace = new Pace({ timeLimitMs: 120_000, elapsed: () => now.elapsed, msPerRun: () => now.ms });
  return { pace, now };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("pace", () => {
  it("gives up triples before pairs, each evenly, the first of all kept", () => {
    const all = plans(100, 50);
    const places = (most: number) => thinned(all, most).map((plan) => all.indexOf(plan));
    expect(places(150)).toHaveLength(150);
    expect(places(125).slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, at) => at));
    expect(places(125).slice(100)).toEqual(Array.from({ length: 25 }, (_, at) => 100 + 2 * at));
    expect(places(25)).toEqual(Array.from({ length: 25 }, (_, at) => 4 * at));
    for (let most = 0; most <= 150; most += 1) expect(places(most)).toHaveLength(most);
    expect(places(1)).toEqual([0]);
  });

  it("lets all of them be played where there is time, and says nothing", () => {
    const { pace } = paceAt({ ms: 2, elapsed: 5_000 });
    const all = plans(8_000, 1_000);
    expect(pace.fit(all)).toBe(all);
    expect(pace.leftOut).toBe(0);
    expect(pace.hints()).toEqual([]);
  });

  it("plays a part where a run takes long, and says which", () => {
    const { pace } = paceAt({ ms: 18, elapsed: 10_000 });
    // 70 % of the 110 seconds that are left.
    expect(pace.fit(plans(8_000, 1_000))).toHaveLength(4_277);
    expect(pace.leftOut).toBe(4_723);
    expect(pace.hints()).toEqual([
      "This harness takes 18 ms a run: 4,277 of 9,000 pairs and triples were played. Raise `timeLimitMs` to play all.",
    ]);
  });

  it("thins out again where the harness gets slower, and not for a little", () => {
    const { pace, now } = paceAt({ ms: 18, elapsed: 10_000 });
    const rest = pace.fit(plans(8_000, 1_000)).slice(1_000);
    Object.assign(now, { elapsed: 29_000, ms: 19 });
    expect(pace.fit(rest)).toBe(rest);
    Object.assign(now, { elapsed: 50_000, ms: 40 });
    expect(pace.fit(rest)).toHaveLength(1_225);
    expect(pace.hints()[0]).toContain("40 ms a run: 2,225 of 9,000");
  });

  it("leaves none out as long as nothing was measured", () => {
    const pace = new Pace({ timeLimitMs: 1, elapsed: () => 5, msPerRun: () => undefined });
    expect(pace.fit(plans(10, 10))).toHaveLength(20);
  });

  it("lets a slow harness be judged within the time limit", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const slow: Harness = {
      name: "over HTTP",
      claims: { approvals: "none", deny: true, hiddenTools: "none", budget: "none" },
      world,
      async run(run) {
        vi.advanceTimersByTime(20);
        await run.nextTurn();
        return { status: "blocked" };
      },
    };
    const singles = planned(slow).filter(({ moves }) => moves.length === 1).length;
    const timeLimitMs = (singles + 300) * 20;
    const report = await checkHarness(slow, { timeLimitMs, runs: 10, seed: 1, only: ["denied-tools-never-run"] });
    expect(report).not.toHaveProperty("stoppedEarly");
    expect(report.hints.join()).toMatch(/takes 20(\.\d)? ms a run: [\d,]+ of [\d,]+ pairs and triples were played/);
    expect(report.scripts).toBeGreaterThan(singles + 50);
    expect(report.ok).toBe(true);
  });
});
