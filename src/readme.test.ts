import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loops } from "../fixtures/loops/index.ts";
import { checkHarness, type Harness, renderText } from "./index.ts";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/<!-- file: (\S+) -->\n```ts\n([\s\S]*?)```/g)].map(([, name = "", code = ""]) => ({
  name,
  code,
}));
const harnesses = blocks.map((block) => block.name).filter((name) => name.endsWith(".harness.ts"));

/** Those over an agent SDK, and the loops whose known faults they may show. */
const overSdks: Readonly<Record<string, string>> = {
  "ai-sdk.harness.ts": "ai-sdk/",
  "claude.harness.ts": "anthropic/",
  "gemini.harness.ts": "google-genai/",
  "langchain.harness.ts": "langchain/",
  "openai-agents.harness.ts": "openai-agents/",
  "mcp.harness.ts": "mcp/",
};

let folder = "";

/** As printed, but for the package's name, which nothing resolves here without a build. */
beforeAll(() => {
  mkdirSync(join(root, "coverage"), { recursive: true });
  folder = mkdtempSync(join(root, "coverage", "readme-"));
  for (const { name, code } of blocks) {
    writeFileSync(join(folder, name), sourceOf(code));
  }
  const theirs = join(root, "fixtures/readme");
  for (const name of readdirSync(theirs)) copyFileSync(join(theirs, name), join(folder, name));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function sourceOf(code: string): string {
  return code
    .replaceAll('from "gatecrash"', 'from "../../src/index.ts"')
    .replaceAll('from "gatecrash/vitest"', 'from "../../src/vitest/index.ts"')
    .replace(/from "gatecrash\/([\w-]+)"/g, 'from "../../src/adapters/$1.ts"');
}

function node(...words: readonly string[]) {
  return promisify(execFile)(process.execPath, words, { cwd: folder });
}

describe("the README", () => {
  it("has a harness for each way to plug in", () => {
    const ways = ["bot", "desk", "shop", "openai", "anthropic", "client", "text", "toolbox", "mail"];
    expect(harnesses).toEqual([...ways.map((way) => `${way}.harness.ts`), ...Object.keys(overSdks)]);
  });

  it("gets to its first verdict in twenty lines, with the command as printed", { timeout: 120_000 }, async () => {
    const first = blocks.find((block) => block.name === "bot.harness.ts");
    expect(first?.code.trim().split("\n").length).toBeLessThanOrEqual(20);
    const command = [join(root, "node_modules/tsx/dist/cli.mjs"), join(root, "src/cli/main.ts")];
    const { stdout } = await node(...command, "check", "./bot.harness.ts", "--runs=50", "--seed=1");
    expect(stdout).toMatch(/^"bot": \d+ held/);
  });

  it("has types that are right, without a cast", { timeout: 120_000 }, async () => {
    for (const { code } of blocks) expect(code).not.toMatch(/\bas (any|never|unknown)\b/);
    const config = { extends: "../../tsconfig.json", compilerOptions: { noEmit: true }, include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const { stdout } = await node(join(root, "node_modules/typescript/bin/tsc"), "-p", ".").catch((error) => error);
    expect(stdout).toBe("");
  });

  it.each(Object.entries(overSdks))(
    "%s breaks nothing but what its SDK is known to break",
    async (name, loop) => {
      const { harness } = (await import(join(folder, name))) as { harness: Harness };
      const report = await checkHarness(harness, { scripts: 300, seed: 1, timeLimitMs: 100_000 });
      const faults = loops.filter(({ id }) => id.startsWith(loop)).flatMap((one) => one.faults);
      const known = new Set(faults.map(({ rule, cause }) => `${rule}.${cause}`));
      const found = report.rules.flatMap(({ id, findings }) => findings.map(({ cause }) => `${id}.${cause}`));
      expect(
        found.filter((fault) => !known.has(fault)),
        renderText(report),
      ).toEqual([]);
      expect(report.rules.filter(({ verdict }) => verdict === "holds").length).toBeGreaterThan(5);
    },
    120_000,
  );

  it.each(harnesses.filter((name) => name !== "bot.harness.ts" && overSdks[name] === undefined))(
    "%s keeps the contract",
    async (name) => {
      const { harness } = (await import(join(folder, name))) as { harness: Harness };
      const report = await checkHarness(harness, { runs: 50, seed: 1, timeLimitMs: 600_000 });
      const broken = report.rules.filter((rule) => rule.findings.length > 0).map((rule) => rule.id);
      expect(broken, renderText(report)).toEqual([]);
      expect(report.ok, renderText(report)).toBe(true);
      expect(report.hints).toEqual([]);
    },
    120_000,
  );
});
