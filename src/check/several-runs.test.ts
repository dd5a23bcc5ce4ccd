import { describe, expect, it } from "vitest";
import { canonicalWorlds, settingOf } from "../../arbitraries/index.ts";
import type { Claims, Harness, TestRun } from "../contract/harness.ts";
import { isAccompanied, type Script, sizeOf, soloOf } from "../contract/script.ts";
import { parseArguments } from "../world/json.ts";
import type { ToolSpec } from "../world/tool.ts";
import type { World } from "../world/world.ts";
import { checkHarness } from "./check-harness.ts";
import { enumeration, randomScripts } from "./phases.ts";
import { scriptOf } from "./plan.ts";
import { replayScript } from "./replay-script.ts";
import { accompanied, runsAfterBreaks, runsAfterRuns, runsBesideRuns } from "./several-runs.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "by-skill" };
const only = { only: ["runs-do-not-share-state"], runs: 25, seed: 1 };

/** What lasts longer than a run, where it should not. */
interface Memory {
  readonly loaded: Set<string>;
  readonly approved: Set<string>;
  run: TestRun | undefined;
}

function tool(name: string, facts: Partial<ToolSpec> = {}): ToolSpec {
  return { name, description: name, inputSchema: { type: "object" }, permission: "allow", offered: "always", ...facts };
}

/** A world of its own is fuzzed in a fraction of the time. */
const shop: World = {
  tools: [tool("look_up"), tool("pay", { permission: "ask" }), tool("refund", { offered: { afterSkill: "refunds" } })],
  skills: ["refunds"],
  maxSteps: 3,
};

const fresh = (): Memory => ({ loaded: new Set(), approved: new Set(), run: undefined });

/** Runs what is offered and allowed, or approved. `remember` gives the memory that a run works with. */
function harnessWith(remember: (run: TestRun) => Memory): Harness {
  return {
    name: "assistant",
    claims,
    world: shop,
    async run(run) {
      const memory = remember(run);
      for (let step = 0; step < run.maxSteps; step += 1) {
        const { proposals } = await run.nextTurn();
        if (proposals.every(({ kind }) => kind === "text")) return { status: "answered" };
        for (const proposal of proposals) {
          if (proposal.kind === "load-skill" && run.skills.includes(proposal.skill)) memory.loaded.add(proposal.skill);
          if (proposal.kind === "tool-call") await answer(memory.run ?? run, memory, proposal);
        }
      }
      return { status: "out-of-steps" };
    },
  };
}

/** Works with the run that started last. */
function mixingRunsUp(): Harness {
  let current: TestRun | undefined;
  return harnessWith((run) => {
    current = run;
    return {
      ...fresh(),
      get run() {
        return current;
      },
    };
  });
}

async function answer(
  run: TestRun,
  memory: Memory,
  { name, args: text, callId }: { name: string; args: string; callId: string },
) {
  const tool = run.tools.find((one) => one.name === name);
  const args = parseArguments(text);
  if (tool === undefined || args === undefined || tool.offered === "never" || tool.permission === "deny") return;
  if (typeof tool.offered === "object" && !memory.loaded.has(tool.offered.afterSkill)) return;
  if (tool.permission === "ask" && !memory.approved.has(name)) {
    if (!(await run.requestApproval({ callId, tool: name, args }).catch(() => false))) return;
    memory.approved.add(name);
  }
  await tool.execute(args, { callId }).catch(() => {});
}

async function causesIn(harness: Harness) {
  const { rules, hints } = await checkHarness(harness, only);
  const findings = rules.flatMap((rule) => rule.findings);
  return { causes: findings.map(({ cause }) => cause), findings, hints };
}

describe("several-runs", () => {
  const [world] = canonicalWorlds(claims, {});
  const setting = settingOf(world!, claims);

  it("plays each run alone before it plays it after another, and at once before all that it has met", () => {
    const scripts = runsAfterRuns(setting).map(scriptOf);
    const met = new Set<string>();
    for (const script of scripts) {
      const key = JSON.stringify(soloOf(script));
      if (!isAccompanied(script)) met.add(key);
      expect(met.has(key)).toBe(true);
      for (const earlier of script.before ?? []) expect(met.has(JSON.stringify(earlier))).toBe(true);
    }
    const pairs = new Set(scripts.filter(isAccompanied).map((script) => JSON.stringify(script)));
    expect(pairs.size).toBe(met.size ** 2);
  });

  it("plays after runs that broke off only what it has played alone before", () => {
    const alone = new Set(runsAfterRuns(setting).map((plan) => JSON.stringify(soloOf(scriptOf(plan)))));
    const scripts = runsAfterBreaks(setting).map(scriptOf);
    expect(scripts.length).toBeGreaterThan(10);
    for (const script of scripts) {
      expect(alone).toContain(JSON.stringify(soloOf(script)));
      expect(script.before).toHaveLength(1);
    }
  });

  it("judges each of two runs side by side, under several schedules, where they may go side by side", () => {
    const scripts = runsBesideRuns(setting).map(scriptOf);
    const judged = scripts.map((script) => JSON.stringify([soloOf(script), script.beside]));
    for (const { beside = [], ...script } of scripts) {
      if (beside.length > 1) continue;
      const swapped = JSON.stringify([beside[0], [soloOf(script)]]);
      expect(judged.filter((pair) => pair === swapped)).toHaveLength(3);
    }
    expect(scripts.some(({ beside }) => beside?.length === 2)).toBe(true);
    expect(runsBesideRuns(settingOf(world!, { ...claims, concurrentRuns: false }))).toEqual([]);
  });

  it("keeps to a few hundred scripts", () => {
    const scripts = enumeration({ name: "any", claims, run: async () => ({ status: "answered" }) });
    expect(scripts.filter(isAccompanied).length).toBeLessThan(500);
  });

  it("gives one random script in 25 company, the same with the same seed", () => {
    const harness = harnessWith(fresh);
    const drawn = () => [...randomScripts(harness, 7, 100, 50)].flat();
    expect(drawn()).toEqual(drawn());
    expect(drawn().filter(isAccompanied)).toHaveLength(4);
  });

  it("puts nothing side by side where runs may not go so", () => {
    const alone: Harness = { ...harnessWith(fresh), claims: { ...claims, concurrentRuns: false } };
    const script: Script = scriptOf(runsAfterRuns(setting)[0]!);
    for (let number = 0; number < 50; number += 1)
      expect(accompanied(script, alone, number)).not.toHaveProperty("beside");
    const kinds = new Set(
      Array.from({ length: 50 }, (_, number) => "beside" in accompanied(script, harnessWith(fresh), number)),
    );
    expect(kinds).toEqual(new Set([true, false]));
  });

  it("finds nothing where each run remembers for itself", async () => {
    expect((await causesIn(harnessWith(fresh))).causes).toEqual([]);
  });

  it("finds what lasts for ever, and gives the two runs that show it", async () => {
    const approvals = fresh().approved;
    const found = await causesIn(harnessWith(() => ({ ...fresh(), approved: approvals })));
    expect(found.causes).toEqual(["asked-tools-wait-for-approval"]);
    expect(found.findings[0]).toMatchObject({ proposals: 2, script: { before: [{ decisions: ["approve"] }] } });
    expect(found.findings[0]?.twin?.script).not.toHaveProperty("before");
    expect(found.findings[0]?.classes).toHaveLength(2);
    expect(found.hints.join()).toContain("stays in this harness for good");
  });

  it.each<Partial<Claims>>([{}, { parallelCalls: false }])(
    "finds approvals that are forgotten only by a run that ends well, with %j",
    async (more) => {
      let kept = new Set<string>();
      const forgetful = harnessWith(() => ({ ...fresh(), approved: kept }));
      const tidying: Harness = {
        ...forgetful,
        claims: { ...claims, ...more },
        async run(run) {
          const outcome = await forgetful.run(run);
          if (outcome.status === "answered") kept = new Set();
          return outcome;
        },
      };
      const found = await causesIn(tidying);
      expect(found.causes).toContain("asked-tools-wait-for-approval");
      expect(found.findings.find(({ cause }) => cause.startsWith("asked"))).toMatchObject({ proposals: 2 });
    },
  );

  it("finds a queue that the run before left half done", async () => {
    const queue: { name: string; args: string; callId: string }[] = [];
    const queueing: Harness = {
      ...harnessWith(fresh),
      async run(run) {
        for (let step = 0; step < run.maxSteps; step += 1) {
          const { proposals } = await run.nextTurn();
          if (proposals.every(({ kind }) => kind === "text")) return { status: "answered" };
          queue.push(...proposals.filter((proposal) => proposal.kind === "tool-call"));
          for (let call = queue.shift(); call !== undefined; call = queue.shift()) {
            if (run.tools.every(({ name }) => name !== call?.name)) return { status: "blocked" };
            await answer(run, fresh(), call);
          }
        }
        return { status: "out-of-steps" };
      },
    };
    expect((await causesIn(queueing)).causes).toContain("each-proposal-runs-at-most-once");
  });

  it("finds skills that stay loaded", async () => {
    const loaded = fresh().loaded;
    const found = await causesIn(harnessWith(() => ({ ...fresh(), loaded })));
    expect(found.causes).toContain("only-offered-tools-run");
  });

  it("finds what only runs side by side mix up, and shrinks and replays it like any other", async () => {
    const mixing = mixingRunsUp();
    const both = { ...only, only: [...only.only, "honest-calls-run"] };
    const { rules } = await checkHarness(mixing, both);
    // The run alone keeps the other rule, so that one is not blamed.
    expect(rules.map(({ verdict }) => verdict)).toEqual(["holds", "violated"]);
    const finding = rules[1]?.findings.find(({ cause }) => cause === "honest-calls-run");
    expect(finding?.script.beside).toHaveLength(1);
    expect(sizeOf(finding!.script)).toBe(1);
    const again = await replayScript(mixing, JSON.parse(JSON.stringify(finding?.script)), only);
    expect(again.ok).toBe(false);
    expect(again.rules[0]?.findings[0]).toMatchObject({ cause: finding?.cause, proposals: 1 });
  });
});
