import { afterEach, describe, expect, it, vi } from "vitest";
import type { Harness } from "../contract/harness.ts";
import type { World } from "../world/world.ts";
import { checkHarness } from "./check-harness.ts";
import { comfortableMs, Pace, thinned } from "./pace.ts";
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

const isTriple = ({ moves }: Plan): boolean => moves.length > 2;

/** Whose clock and whose measure say what the test says. */
function paceAt(facts: { elapsed?: number; ms?: number }) {
  const now = { elapsed: 0, ms: 18, ...facts };
  const pace = new Pace({ timeMs: () => 120_000, elapsed: () => now.elapsed, msPerRun: () => now.ms });
  return { pace, now };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("pace", () => {
  it("gives up triples before pairs, each evenly, the first of all kept", () => {
    const all = plans(100, 50);
    const places = (most: number) => thinned(all, most, isTriple).map((plan) => all.indexOf(plan));
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
    expect(pace.fitTogether(all)).toBe(all);
    expect(pace.leftOut).toBe(0);
    expect(pace.hints()).toEqual([]);
  });

  it("plays a part where a run takes long, and says which", () => {
    const { pace } = paceAt({ ms: 18, elapsed: 10_000 });
    // By 65 % of the time, 78 seconds.
    expect(pace.fitTogether(plans(8_000, 1_000))).toHaveLength(3_777);
    expect(pace.leftOut).toBe(5_223);
    expect(pace.hints()).toEqual([
      "This harness takes 18 ms a run: 3,777 of 9,000 pairs and triples were played. Raise the time limit to play all.",
    ]);
  });

  it("leaves time for each part of a campaign", () => {
    const { pace, now } = paceAt({ ms: 60, elapsed: 1_000 });
    // By 18, 48, 78 and 108 seconds; what comes first is of two runs each.
    expect(pace.fitFirst(plans(200, 0))).toHaveLength(142);
    now.elapsed = 18_000;
    expect(pace.fitAlone(plans(3_000, 0))).toHaveLength(510);
    now.elapsed = 48_000;
    expect(pace.fitTogether(plans(3_000, 0))).toHaveLength(500);
    now.elapsed = 78_000;
    expect(pace.fitRandom(2_000)).toBe(500);
    expect(pace.hints()).toEqual([
      "This harness takes 60 ms a run: 142 of 200 runs after one another, 510 of 3,000 single cases, 500 of 3,000 pairs and triples and 500 of 2,000 random scripts were played. Raise the time limit to play all.",
    ]);
  });

  it("gives up what is repeated before what is played once, but not where scripts are counted", () => {
    const once = plans(100, 0);
    const all = [...once, ...once.map((plan): Plan => ({ ...plan, repeated: true }))];
    const repeated = (kept: readonly Plan[]) => kept.filter((plan) => plan.repeated).length;
    const facts = { elapsed: () => 0, msPerRun: () => 1 };
    const inTime = new Pace({ timeMs: () => 300, ...facts }).fitAlone(all);
    const inScripts = new Pace({ timeMs: () => 300, ...facts, inScripts: true }).fitAlone(all);
    expect([inTime.length, repeated(inTime)]).toEqual([120, 20]);
    expect([inScripts.length, repeated(inScripts)]).toEqual([120, 60]);
  });

  it("gives each part something, however long failures were looked into", () => {
    const { pace } = paceAt({ ms: 10, elapsed: 110_000 });
    expect(pace.fitAlone(plans(3_000, 0))).toHaveLength(300);
  });

  it("thins out again where the harness gets slower, and not for a little", () => {
    const { pace, now } = paceAt({ ms: 18, elapsed: 10_000 });
    const rest = pace.fitTogether(plans(8_000, 1_000)).slice(1_000);
    Object.assign(now, { elapsed: 29_000, ms: 19 });
    expect(pace.fitTogether(rest)).toBe(rest);
    Object.assign(now, { elapsed: 50_000, ms: 40 });
    expect(pace.fitTogether(rest)).toHaveLength(700);
    expect(pace.hints()[0]).toContain("40 ms a run: 1,700 of 9,000");
  });

  it("takes half a minute where nobody says how long, and longer only for a harness that is slow itself", () => {
    expect([0.3, 2.5, 2.6, 13, 20, 30, 500].map(comfortableMs)).toEqual([
      54_000, 54_000, 27_000, 27_000, 40_000, 54_000, 54_000,
    ]);
    const pace = new Pace({ timeMs: comfortableMs, elapsed: () => 6_000, msPerRun: () => 5 });
    // By 65 % of 27 seconds.
    expect(pace.fitTogether(plans(8_000, 1_000))).toHaveLength(2_310);
  });

  it("leaves none out as long as nothing was measured", () => {
    const pace = new Pace({ timeMs: () => 1, elapsed: () => 5, msPerRun: () => undefined });
    expect(pace.fitTogether(plans(10, 10))).toHaveLength(20);
  });

  it("plays the same scripts on every machine where they are counted", async () => {
    const fast: Harness = {
      name: "fast",
      claims: { approvals: "none", deny: true, hiddenTools: "none", budget: "none" },
      world,
      run: async (run) => {
        await run.nextTurn();
        return { status: "blocked" };
      },
    };
    const options = { scripts: 400, seed: 1, only: ["denied-tools-never-run"] };
    const [one, two] = [await checkHarness(fast, options), await checkHarness(fast, options)];
    expect(one).toEqual(two);
    expect(one.scripts).toBeGreaterThan(300);
    expect(one.scripts).toBeLessThanOrEqual(400);
    expect(one.hints.join()).toMatch(/Of all scripts, .* of 2,000 random scripts were played, as `scripts` asks\./);
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
    const plans = planned(slow);
    const singles = plans.filter(({ moves }) => moves.length === 1).length;
    const timeLimitMs = singles * 2 * 20;
    const report = await checkHarness(slow, { timeLimitMs, runs: 10, seed: 1, only: ["denied-tools-never-run"] });
    expect(report).not.toHaveProperty("stoppedEarly");
    expect(report.hints.join()).toMatch(
      /takes 20(\.\d)? ms a run: [\d,]+ of [\d,]+ single cases and [\d,]+ of [\d,]+ pairs and triples were played/,
    );
    expect(report.scripts).toBeGreaterThan(singles / 2);
    expect(report.scripts).toBeLessThan(plans.length);
    expect(report.ok).toBe(true);
  });
});
