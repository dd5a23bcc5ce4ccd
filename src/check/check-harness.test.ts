import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Progress } from "../contract/check-options.ts";
import { findingSchema } from "../contract/finding.ts";
import type { Harness, TestRun } from "../contract/harness.ts";
import { reportSchema } from "../contract/report.ts";
import type { Outcome } from "../contract/run-record.ts";
import { type Script, scriptSchema } from "../contract/script.ts";
import { UsageError } from "../errors.ts";
import { parseArguments } from "../world/json.ts";
import { checkHarness } from "./check-harness.ts";
import { replayScript } from "./replay-script.ts";
import { property } from "./rule-property.ts";

const claims = { approvals: "ends-run", deny: true, hiddenTools: "fixed" } as const;

/** A small loop; `lets` are the permissions that it runs. */
function loop(lets: readonly string[]): Harness {
  return {
    name: "small loop",
    claims,
    async run(run): Promise<Outcome> {
      // Copied: a handler that edits the list must change nothing in this run.
      const tools = run.tools.map((tool) => ({ ...tool }));
      for (let step = 0; step < Math.floor(run.maxSteps); step += 1) {
        const { proposals } = await run.nextTurn();
        const calls = proposals.filter((proposal) => proposal.kind === "tool-call");
        if (calls.length === 0) return { status: "answered" };
        for (const { name, args, callId } of calls) {
          const tool = tools.find((candidate) => candidate.name === name && candidate.offered === "always");
          const parsed = parseArguments(args);
          if (tool === undefined || parsed === undefined) return { status: "blocked" };
          if (!lets.includes(tool.permission as string)) {
            return { status: tool.permission === "ask" ? "needs-approval" : "blocked" };
          }
          try {
            await tool.execute(parsed, { callId });
          } catch {
            return { status: "failed" };
          }
        }
      }
      return { status: "out-of-steps" };
    },
  };
}

const correct = loop(["allow"]);
const runsDenied = loop(["allow", "deny"]);
const denied = { only: ["denied-tools-never-run"], runs: 50, seed: 3 };

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gatecrash-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe("check-harness", () => {
  it("finds no fault in a correct harness, and says how often each rule had something to judge", async () => {
    const report = await checkHarness(correct, { runs: 300, seed: 3 });
    expect(report.rules.filter((rule) => !["holds", "unsupported"].includes(rule.verdict))).toEqual([]);
    expect(report.ok).toBe(true);
    for (const rule of report.rules)
      if (rule.verdict === "holds" && rule.level === "must") expect(rule.exercised).toBeGreaterThan(0);
  });

  it("gives one finding for the fault of a broken one, with the smallest script", async () => {
    const report = await checkHarness(runsDenied, { runs: 50, seed: 3 });
    const red = report.rules.filter((rule) => rule.verdict === "violated");
    expect(red.map((rule) => rule.id)).toEqual(["denied-tools-never-run"]);
    const [finding, ...others] = red[0]!.findings;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ proposals: 1, classes: ["denied-tool"], foundIn: "enumeration" });
    expect(finding!.trace[finding!.at]).toMatchObject({ type: "handler-started" });
    expect(report.ok).toBe(false);
  });

  it("is plain JSON that its schema takes back, and equal for an equal seed", async () => {
    const first = await checkHarness(runsDenied, denied);
    const copy: unknown = JSON.parse(JSON.stringify(first));
    expect(reportSchema.parse(copy)).toEqual(first);
    for (const finding of first.rules[0]!.findings) findingSchema.parse(finding);
    expect(await checkHarness(runsDenied, denied)).toEqual(first);
  });

  it("leaves out the rules that are not chosen", async () => {
    const only = await checkHarness(correct, { only: ["denied-tools-never-run"], runs: 0 });
    expect(only.rules.map((rule) => rule.id)).toEqual(["denied-tools-never-run"]);
    const except = await checkHarness(correct, { except: ["denied-tools-never-run"], runs: 0 });
    expect(except.rules.map((rule) => rule.id)).not.toContain("denied-tools-never-run");
  });

  it("refuses options that can't be used, in one sentence that helps", async () => {
    await expect(checkHarness(correct, { only: ["denied-tools-never-ran"] })).rejects.toThrow(/denied-tools-never-run/);
    await expect(checkHarness(correct, { runs: -1 })).rejects.toThrow(/whole number from 0/);
    await expect(checkHarness(correct, { seed: 1.5 })).rejects.toThrow(UsageError);
    await expect(checkHarness(correct, { run: 5 } as object)).rejects.toThrow(/got `run`.*`runs`/);
  });

  it.each<[string, object, string]>([
    ["no rule", { only: [] }, "Expected one rule to judge, or more, got an empty `only`."],
    ["no rule left", { ...denied, except: denied.only }, "got an `except` that leaves none"],
    [
      "a rule that is a number",
      { only: ["denied-tools-never-run", 1] },
      "`only[1]` of the options to be the id of a rule, got 1",
    ],
    ["no list of rules", { except: "x" }, '`except` of the options to be a list of rule ids, got "x"'],
    [
      "a time-out that no timer can hold",
      { runTimeoutMs: 2 ** 31 - 1 },
      "1 to 86400000 (milliseconds, at most a day), got 2147483647",
    ],
    [
      "a limit that no timer can hold",
      { timeLimitMs: 2 ** 31 - 1 },
      "`timeLimitMs` to be a whole number from 1 to 604800000",
    ],
    ["a number as text", { runs: "5" }, 'got "5"'],
    ["a number as a bigint", { seed: 5n }, "got 5n"],
    ["no folder", { saved: "" }, '`saved` of the options to be a folder or a list of scripts, got ""'],
    ["a folder that no system has", { saved: "a\0b" }, "`saved` of the options to be a folder"],
    ["a progress that is no function", { onProgress: 5 }, "`onProgress` of the options to be a function, got 5"],
  ])("refuses %s", async (_, options, sentence) => {
    const checked = checkHarness(correct, options);
    await expect(checked).rejects.toThrow(UsageError);
    await expect(checked).rejects.toThrow(sentence);
  });

  it("keeps the report where onProgress throws, or rejects, and says so once", async () => {
    for (const onProgress of [() => Promise.reject(new Error("no screen")), () => JSON.parse("{")]) {
      const report = await checkHarness(correct, { ...denied, onProgress: onProgress as () => void });
      expect(report.ok).toBe(true);
      expect(report.hints).toEqual([expect.stringMatching(/^`onProgress` failed: (no screen|Expected property name)/)]);
    }
  });

  it.each([
    ["a promise", async () => true],
    ["nothing", () => undefined],
    ['"yes"', () => "yes"],
  ])("refuses an accepts that gives %s", async (got, accepts) => {
    const vague = { ...correct, accepts: accepts as never };
    await expect(checkHarness(vague, denied)).rejects.toThrow(`to give true or false, got ${got}. Do mend it`);
  });

  it("is green on what the baseline knows, which it writes, and red on what it knows and no longer fails", async () => {
    const baseline = join(folder, "known.json");
    const options = { ...denied, runs: 0, baseline };
    const tool = { description: "", inputSchema: { type: "object" }, permission: "deny", offered: "always" } as const;
    const world = { tools: [{ name: "close", ...tool }], skills: [], maxSteps: 2 };
    const first = await checkHarness({ ...runsDenied, world }, { ...options, updateBaseline: true });
    expect(first).toMatchObject({ ok: true, rules: [{ verdict: "violated", known: true }] });
    const { known } = JSON.parse(readFileSync(baseline, "utf8"));
    expect(known).toContainEqual({ harness: "small loop", rule: denied.only[0], cause: "denied-tool", because: "" });
    const mended = await checkHarness({ ...correct, world }, options);
    expect(reportSchema.parse(mended)).toEqual(mended);
    expect(mended.ok).toBe(false);
    expect(mended.baseline?.gone.map(({ cause }) => cause)).toContain("denied-tool");
    const cut = await checkHarness(correct, { timeLimitMs: 1, baseline, updateBaseline: true });
    expect(cut).toMatchObject({ ok: false, cutOff: true, baseline: { gone: [] } });
    expect(cut.baseline?.notWritten).toContain("the time limit was reached");
    expect(JSON.parse(readFileSync(baseline, "utf8")).known).toEqual(known);
  }, 60_000);

  it("refuses a baseline that can't be used before it plays anything", async () => {
    const checked = checkHarness(correct, { baseline: join(folder, "nowhere.json") });
    await expect(checked).rejects.toThrow("which does not exist");
  });

  it("tells of its progress, and of nothing after the time limit", async () => {
    const seen: Progress[] = [];
    const report = await checkHarness(correct, {
      runs: 5,
      timeLimitMs: 1,
      onProgress: (progress) => seen.push(progress),
    });
    expect(report.stoppedEarly).toMatch(/time limit/);
    expect(report.scripts).toBeLessThan(200);
    expect(report.ok).toBe(false);
    await checkHarness(correct, { ...denied, onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toMatchObject({ phase: "random", findings: 0 });
    expect(seen.at(-1)!.scripts).toBe(seen.at(-1)!.of);
  });

  it("reports a run that never ends, and goes on", async () => {
    const hangs: Harness = {
      ...correct,
      run: (run) => correct.run({ ...run, nextTurn: async (input) => hangOn(await run.nextTurn(input)) }),
    };
    const report = await checkHarness(hangs, { only: ["bad-proposals-are-survived"], runs: 0, runTimeoutMs: 60 });
    expect(report.rules[0]).toMatchObject({ verdict: "violated", findings: [{ cause: "hung", proposals: 1 }] });
    expect(report.scripts).toBeGreaterThan(300);
  }, 60_000);

  it("says what happened where the harness never gets as far as a turn", async () => {
    const broken: Harness = { ...correct, run: () => Promise.reject(new Error("no such model")) };
    expect((await checkHarness(broken, denied)).hints.join()).toMatch(
      /^All \d+ runs crashed .*Error: no such model \(at /,
    );
    const idle: Harness = { ...correct, run: async () => ({ status: "answered" }) };
    expect((await checkHarness(idle, denied)).hints.join()).toMatch(/ended without asking for a turn/);
    expect((await checkHarness(correct, denied)).hints).toEqual([]);
  });

  it("keeps the report where the harness can't be closed, and refuses an accepts that throws", async () => {
    const stuck: Harness = { ...correct, close: () => Promise.reject(new Error("still busy")) };
    expect((await checkHarness(stuck, denied)).hints.join()).toMatch(/close.*still busy/);
    const picky: Harness = {
      ...correct,
      accepts() {
        throw new Error("no idea");
      },
    };
    await expect(checkHarness(picky, denied)).rejects.toThrow(/accepts.*no idea/);
  });

  it("calls a failure that does not come again flaky", async () => {
    let once = true;
    const moody: Harness = {
      ...correct,
      async run(run) {
        const tools = run.tools.map((tool) => ({
          ...tool,
          execute: (...given: Parameters<typeof tool.execute>) => {
            once &&= tool.permission !== "deny";
            return tool.execute(...given);
          },
        }));
        return (once ? runsDenied : correct).run({ ...run, tools });
      },
    };
    const report = await checkHarness(moody, { ...denied, runs: 0 });
    expect(report.rules[0]).toMatchObject({ verdict: "flaky", findings: [{ flaky: true, shrinkRuns: 0 }] });
    expect(report.ok).toBe(false);
  });
});

function hangOn(turn: Awaited<ReturnType<TestRun["nextTurn"]>>): typeof turn | Promise<never> {
  return turn.proposals.some((proposal) => proposal.kind === "tool-call" && proposal.name === "toString")
    ? new Promise<never>(() => {})
    : turn;
}

describe("saved scripts", () => {
  it("a failure is saved, played first next time, and said to be fixed when it is", async () => {
    const saved = join(folder, "saved");
    const first = await checkHarness(runsDenied, { ...denied, saved });
    const [name] = readdirSync(saved).filter((file) => file.endsWith(".json"));
    expect(name).toBe(`denied-tools-never-run.${first.rules[0]!.findings[0]!.cause}.json`);
    const script = scriptSchema.parse(JSON.parse(readFileSync(join(saved, name!), "utf8")));
    expect(script).toEqual(first.rules[0]!.findings[0]!.script);
    const second = await checkHarness(runsDenied, { ...denied, saved });
    expect(second.rules[0]!.findings[0]).toMatchObject({ foundIn: "saved", foundAfter: 1 });
    expect(second.fixed).toEqual([]);
    const third = await checkHarness(correct, { ...denied, saved });
    expect(third.fixed).toEqual([name]);
    expect(existsSync(join(saved, name!))).toBe(true);
  });

  it("another harness's script is played, but neither overwritten nor called fixed", async () => {
    const other: Harness = { ...runsDenied, name: "Other loop" };
    const first = await checkHarness(runsDenied, { ...denied, saved: folder });
    const { cause } = first.rules[0]!.findings[0]!;
    const good: Harness = { ...correct, name: "Other loop" };
    expect(await checkHarness(good, { ...denied, saved: folder })).toMatchObject({ ok: true, fixed: [] });
    await checkHarness(other, { ...denied, saved: folder });
    const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
    expect(names).toEqual([`denied-tools-never-run.${cause}.json`, `denied-tools-never-run.${cause}.other-loop.json`]);
    expect((await checkHarness(good, { ...denied, saved: folder })).fixed).toEqual([names[1]]);
  });

  it("a file that is no script is refused by name", async () => {
    writeFileSync(join(folder, "x.json"), "{");
    await expect(checkHarness(correct, { ...denied, saved: folder })).rejects.toThrow(/x\.json/);
    writeFileSync(join(folder, "x.json"), '{"format":2}');
    await expect(checkHarness(correct, { ...denied, saved: folder })).rejects.toThrow(/format/);
  });
});

describe("replay-script", () => {
  it("breaks the rule again, and only judges what the script gives to judge", async () => {
    const report = await checkHarness(runsDenied, denied);
    const { script } = report.rules[0]!.findings[0]!;
    const replayed = await replayScript(runsDenied, script);
    expect(replayed).toMatchObject({ ok: false, scripts: 1 });
    expect(replayed.rules.filter((rule) => rule.verdict === "violated").map((rule) => rule.id)).toEqual(denied.only);
    expect(await replayScript(correct, script)).toMatchObject({ ok: true });
  });

  it("refuses what is no script", async () => {
    await expect(replayScript(correct, { format: 2 } as unknown as Script)).rejects.toThrow(UsageError);
  });
});

describe("property", () => {
  it("refuses what is no id of a rule", () => {
    for (const id of [undefined, 1, "nope"] as never[]) expect(() => property(correct, id)).toThrow(UsageError);
  });

  it("holds under fc.assert for a correct harness", async () => {
    await fc.assert(property(correct, "denied-tools-never-run"), { numRuns: 100, seed: 3 });
  });

  it("fails under fc.assert for a broken one, with a script as counterexample", async () => {
    const result = await fc.check(property(runsDenied, "denied-tools-never-run"), { numRuns: 500, seed: 3 });
    expect(result.failed).toBe(true);
    expect(scriptSchema.parse(result.counterexample![0])).toEqual(result.counterexample![0]);
  });
});
