import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const here = dirname(fileURLToPath(import.meta.url));
const root = resolve(here, "../..");

/** A loop without approvals; the broken one runs the first tool for a name that nobody declared. */
const source = `
  import { describeHarness } from ${JSON.stringify(join(here, "index.ts"))};
  const harness = (name, orElse) => ({
    name,
    claims: { approvals: "none", deny: false, hiddenTools: "none" },
    async run(run) {
      for (let step = 0; step < run.maxSteps; step += 1) {
        const turn = await run.nextTurn();
        const calls = turn.proposals.filter((proposal) => proposal.kind === "tool-call");
        if (calls.length === 0) return { status: "answered" };
        for (const call of calls) {
          const tool = run.tools.find((other) => other.name === call.name) ?? orElse(run.tools);
          if (tool === undefined) return { status: "blocked" };
          let args;
          try { args = JSON.parse(call.args); } catch { return { status: "blocked" }; }
          if (typeof args !== "object" || args === null || Array.isArray(args)) return { status: "blocked" };
          try { await tool.execute(args); } catch { return { status: "failed" }; }
        }
      }
      return { status: "out-of-steps" };
    },
  });
  const options = { runs: 0, only: ["denied-tools-never-run", "malformed-proposals-run-nothing", "undeclared-names-reach-nothing"], saved: [] };
  describeHarness(harness("correct", () => undefined), options);
  describeHarness(harness("broken", (tools) => tools[0]), options);
  const known = (harness, because) => ({ harness, rule: "undeclared-names-reach-nothing", cause: "undeclared-name", because });
  const baseline = { format: 1, known: [known("accepted", "the SDK does it"), known("mended", "")] };
  describeHarness(harness("accepted", (tools) => tools[0]), { ...options, baseline });
  describeHarness(harness("mended", () => undefined), { ...options, baseline });
`;

interface Result {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

let folder = "";
let results: readonly Result[] = [];
let output = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatecrash-vitest-"));
  writeFileSync(join(folder, "harness.test.mjs"), source);
  const command = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--root", folder];
  const reporters = ["--reporter=json", "--outputFile=results.json", "--reporter=default"];
  const ended = spawnSync(process.execPath, [...command, ...reporters], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, CI: "1", NO_COLOR: "1", VITEST: "", VITEST_WORKER_ID: "", NODE_OPTIONS: "" },
  });
  output = ended.stdout + ended.stderr;
  results = JSON.parse(readFileSync(join(folder, "results.json"), "utf8")).testResults[0].assertionResults;
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const resultOf = (name: string) => results.find((result) => result.fullName === name);

describe("describe-harness", () => {
  it("makes one test for each rule, named by its id", () => {
    expect(results.map((result) => result.fullName)).toEqual(
      ["correct", "broken", "accepted", "mended"].flatMap((name) =>
        ["denied-tools-never-run", "malformed-proposals-run-nothing", "undeclared-names-reach-nothing"].map(
          (id) => `${name} ${id}`,
        ),
      ),
    );
  });

  it("passes what holds, skips what is not claimed, fails what is broken", () => {
    expect(resultOf("correct undeclared-names-reach-nothing")?.status).toBe("passed");
    expect(resultOf("correct denied-tools-never-run")?.status).toMatch(/skipped|pending/);
    expect(resultOf("broken undeclared-names-reach-nothing")?.status).toBe("failed");
    expect(resultOf("broken denied-tools-never-run")?.status).toMatch(/skipped|pending/);
  });

  it("fails with the finding and without a frame of the kit", () => {
    const [message = ""] = resultOf("broken undeclared-names-reach-nothing")?.failureMessages ?? [];
    expect(message).toContain('BROKEN undeclared-names-reach-nothing in "broken"');
    expect(message).toContain("The smallest script");
    // Saved scripts were given and no folder, so there is no file to replay from.
    expect(message).not.toContain("npx gatecrash replay");
    expect(message).not.toMatch(/^\s+at .*(describe-harness|rule-outcome)/m);
  });

  it("skips what the baseline knows, and fails what it knows and no longer fails", () => {
    expect(resultOf("accepted undeclared-names-reach-nothing")?.status).toMatch(/skipped|pending/);
    expect(output).toMatch(/^accepted: 1 broken and known, 1 held, 1 not judged: /m);
    const mended = resultOf("mended undeclared-names-reach-nothing");
    expect(mended?.status).toBe("failed");
    expect(mended?.failureMessages[0]).toContain("undeclared-name no longer fails. Do take it out of the baseline.");
    expect(resultOf("mended malformed-proposals-run-nothing")?.status).toBe("passed");
  });

  it("prints the headline once", () => {
    expect(output.match(/^broken: \d broken, \d held, 1 not judged: .+ not claimed; seed 1$/gm)).toHaveLength(1);
  });
});
