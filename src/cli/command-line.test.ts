import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reportSchema } from "../contract/report.ts";

const main = resolve(dirname(fileURLToPath(import.meta.url)), "main.ts");
const tsx = import.meta.resolve("tsx");
let folder = "";

/** A bare loop over allowed tools, and what may be changed in it to break it. */
const bot = (change = "") => `
  const claims = { approvals: "none", deny: false, hiddenTools: "none", parallelCalls: false, concurrentRuns: false };
  const schema = { type: "object", properties: { order: { type: "string" } } };
  const tool = (name) => ({ name, description: name, inputSchema: schema, permission: "allow", offered: "always" });
  const world = { tools: [tool("lookup_order")], skills: [], maxSteps: 3 };
  async function run(run) {
    const tools = new Map(run.tools.map((tool) => [tool.name, { ...tool }]));
    const loaded = new Set();
    for (let step = 1; step <= run.maxSteps; step += 1) {
      const turn = await run.nextTurn();
      const calls = turn.proposals.filter((proposal) => proposal.kind === "tool-call");
      if (turn.proposals.every((proposal) => proposal.kind === "text")) return { status: "answered" };
      for (const call of calls) {
        ${change}
        const tool = tools.get(call.name);
        let args;
        try { args = JSON.parse(call.args); } catch {}
        if (tool === undefined || typeof args !== "object" || args === null || Array.isArray(args)) return { status: "blocked" };
        try { await tool.execute(args, { callId: call.callId }); } catch { return { status: "failed" }; }
      }
    }
    return { status: "out-of-steps" };
  }
`;

const files: Record<string, string> = {
  "good.mjs": `${bot()} export const harness = { name: "good", claims, world, run };`,
  "broken.ts": `${bot("if (!tools.has(call.name)) for (const first of run.tools.slice(0, 1)) await first.execute({});")}
    const name: string = "broken"; export default { name, claims, world, run };`,
  "mended.mjs": `${bot()} export const harness = { name: "broken", claims, world, run };`,
  "common.cjs": `${bot()} module.exports = { harness: { name: "common", claims, world, run } };`,
  "common/plain.ts": `${bot()} export const harness = { name: "plain", claims, world, run };`,
  "common/package.json": '{ "type": "commonjs" }',
  "module/plain.js": `${bot()} export const harness = { name: "plain", claims, world, run };`,
  "module/package.json": '{ "type": "module" }',
  "open.mjs": `${bot()} setInterval(() => {}, 1000); console.log("noise"); export const harness = { name: "open", claims, world, run };`,
  "two.mjs": `${bot()} export const a = { name: "a", claims, world, run }; export const b = { name: "b", claims, world, run };`,
  "none.mjs": "export const limit = 3;",
  "unparsable.ts": "export const harness = {\n  name: ;\n};",
  "unparsable.mjs": "export const harness = {\n  name: ;\n};",
  "throws.ts": 'export const x = 1;\nthrow new Error("no key");',
  "imports.ts": 'import "nowhere-at-all";',
  "claims.mjs": `${bot()} export const harness = { name: "x", claims: { ...claims, deny: "yes" }, world, run };`,
  "exits.mjs": `${bot("process.exit(0);")} export const harness = { name: "exits", claims, world, run };`,
  "exits-once.mjs": `import { existsSync, writeFileSync } from "node:fs";
    ${bot('if (!existsSync("once")) { writeFileSync("once", ""); process.exit(0); }')}
    export const harness = { name: "exits-once", claims, world, run };`,
  "blocks.mjs": `${bot('if (call.args === "null") for (;;);')} export const harness = { name: "blocks", claims, world, run };`,
  "blocks-at-once.mjs": `${bot('console.error("blocking"); for (;;);')} export const harness = { name: "blocks", claims, world, run };`,
  "talks.mjs": `${bot('console.error("playing");')} export const harness = { name: "talks", claims, world, run };`,
  "format.json": '{ "format": 2 }',
  "rule.json": '{ "format": 1, "known": [{ "harness": "good", "rule": "run-ends", "cause": "x", "because": "" }] }',
  "cut.json": '{ "format": 1',
  "notes.md": "# notes",
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatecrash-cli-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = { ...process.env, CI: "1", NO_COLOR: "1" };

function gatecrash(...words: readonly string[]) {
  const ended = spawnSync(process.execPath, ["--import", tsx, main, ...words], {
    cwd: folder,
    encoding: "utf8",
    env: environment,
  });
  return { code: ended.status, out: ended.stdout, err: ended.stderr };
}

/** Many command lines in one process, since each process has to compile the kit first. */
function gatecrashEach(lines: readonly (readonly string[])[]): readonly { code: number; out: string; err: string }[] {
  const source = `
    import { commandLine } from ${JSON.stringify(pathToFileURL(resolve(dirname(main), "command-line.ts")).href)};
    for (const words of ${JSON.stringify(lines)}) {
      const code = await commandLine(words);
      process.stdout.write(code + "\\0");
      process.stderr.write("\\0");
    }
    process.exit();`;
  const flags = ["--import", tsx, "--input-type=module", "--eval", source];
  const ended = spawnSync(process.execPath, flags, { cwd: folder, encoding: "utf8", env: environment });
  const errors = ended.stderr.split("\0");
  return ended.stdout
    .split("\0")
    .slice(0, -1)
    .map((text, index) => ({
      code: Number(/\d+$/.exec(text)?.[0]),
      out: text.replace(/\d+$/, ""),
      err: errors[index]!,
    }));
}

const quick = ["--runs", "20", "--time-limit", "100"] as const;

// Each test starts processes that compile the kit first: seconds each, and more on a busy machine.
describe("command-line", { timeout: 300_000 }, () => {
  it("shows help and version on the standard output", () => {
    const help = gatecrash("--help");
    expect(help).toMatchObject({ code: 0, err: "" });
    for (const word of ["check", "replay", "list", "demo", "Exit codes"]) expect(help.out).toContain(word);
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(gatecrash("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
    expect(gatecrash()).toMatchObject({ code: 2, out: "" });
  });

  it("lists each rule and each class on one line", () => {
    const { code, out } = gatecrash("list");
    expect(code).toBe(0);
    for (const id of ["only-offered-tools-run", "honest-calls-run", "hidden-tool", "malformed-json"]) {
      expect(out.split("\n").filter((line) => line.startsWith(`${id} `))).toHaveLength(1);
    }
  });

  const refused: readonly (readonly [string, readonly string[], string])[] = [
    ["no such file", ["check", "nowhere.ts"], "`nowhere.ts`, which does not exist"],
    ["a folder", ["check", "common"], "the folder `common`"],
    ["a file of another kind", ["check", "notes.md"], "got `notes.md`"],
    ["a file that does not parse", ["check", "unparsable.ts"], "got unparsable.ts:2: "],
    ["a module that does not parse", ["check", "unparsable.mjs"], "got unparsable.mjs:2: "],
    ["a file that throws", ["check", "throws.ts"], "Error: no key (throws.ts:2)"],
    ["an import that is not there", ["check", "imports.ts"], "Do run `npm install --save-dev nowhere-at-all`"],
    ["no harness", ["check", "none.mjs"], "Do export it as `harness`"],
    ["two harnesses", ["check", "two.mjs"], "`--export a`"],
    ["an export that is not there", ["check", "two.mjs", "--export", "c"], "to export `c`"],
    [
      "a claim of another type",
      ["check", "claims.mjs"],
      '`claims.deny` of the harness in `claims.mjs` to be true or false, got "yes"',
    ],
    ["an unknown rule", ["check", "good.mjs", "--only", "honest-call-run"], "`honest-calls-run`"],
    ["an empty list of rules", ["check", "good.mjs", "--only", "honest-calls-run,"], "`--only`"],
    ["a bad number", ["check", "--runs", "many"], '`--runs` to be a whole number from 0 to 100000000, got "many"'],
    ["a bad seed", ["check", "--seed", "1.5"], "`--seed` to be a whole number"],
    ["a bad word", ["check", "--should", "maybe"], '`--should` to be "fail" or "report", got "maybe"'],
    ["an unknown option", ["check", "--sede", "1"], "`--seed`"],
    ["an option without a value", ["check", "--seed"], "a value after `--seed`"],
    ["an unknown command", ["chek"], "`check`"],
    ["a file in the place of a command", ["good.mjs"], "`gatecrash check good.mjs`"],
    ["too many files", ["check", "good.mjs", "two.mjs"], "`gatecrash check` to be given one file, got 2"],
    [
      "too many scripts",
      ["replay", "a.json", "b.json", "--harness", "good.mjs"],
      "one file, got 2. Do call it once for each",
    ],
    ["a word too many", ["list", "good.mjs"], "to be given no file, got 1"],
    ["an empty name of a file", ["check", ""], 'a harness file, got ""'],
    ["an empty name of a script", ["replay", "", "--harness", "good.mjs"], 'a script file, got ""'],
    [
      "an empty name of an export",
      ["check", "good.mjs", "--export", ""],
      '`--export` to be the name of an export, got ""',
    ],
    [
      "an empty name of a report",
      ["check", "good.mjs", "--json", ""],
      '`--json` to be the name of a file, or "-", got ""',
    ],
    ["a baseline that is not there", ["check", "good.mjs", "--baseline", "nowhere.json"], "which does not exist"],
    ["a baseline that is a folder", ["check", "good.mjs", "--baseline", "common"], "`common`, which is a folder"],
    ["a baseline that is cut", ["check", "good.mjs", "--baseline", "cut.json", "--update-baseline"], "not parse"],
    ["a baseline of another format", ["check", "good.mjs", "--baseline", "format.json"], "to be 1, got 2"],
    [
      "a baseline of an unknown rule",
      ["check", "good.mjs", "--baseline", "rule.json"],
      'the id of a rule, got "run-ends"',
    ],
    [
      "a baseline without a name",
      ["check", "good.mjs", "--baseline", ""],
      '`--baseline` to be the name of a file, got ""',
    ],
    ["no baseline to be updated", ["check", "good.mjs", "--update-baseline"], "beside `--baseline FILE`, got no file"],
    ["nothing to replay", ["replay"], "a script file and a harness, got neither"],
    ["a folder to write to", ["check", "good.mjs", "--json", "common"], "it is a folder"],
    ["a file in no folder", ["check", "good.mjs", "--json", "nowhere/report.json"], "its folder does not exist"],
    ["no harness to replay against", ["replay", "format.json"], "`--harness FILE`"],
    ["no script", ["replay", "nowhere.json", "--harness", "good.mjs"], "`nowhere.json`"],
    ["a script that is cut", ["replay", "cut.json", "--harness", "good.mjs"], "`cut.json`"],
    ["a script of another format", ["replay", "format.json", "--harness", "good.mjs"], "to be 1, got 2"],
  ];

  describe("what it refuses", () => {
    let results: ReturnType<typeof gatecrashEach> = [];

    beforeAll(() => {
      results = gatecrashEach(refused.map(([, words]) => words));
    }, 300_000);

    it.each(refused.map(([what, , part], index) => [what, index, part] as const))(
      "%s: one sentence on the standard error",
      (_, index, part) => {
        const { code, out, err } = results[index]!;
        expect(err).toContain(part);
        expect(err).toMatch(/^Expected .+\. Do .+\.\n$/);
        expect({ code, out }).toEqual({ code: 2, out: "" });
      },
    );

    it("the process itself ends with 2", () => {
      const { code, out, err } = gatecrash("check", "claims.mjs");
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toMatch(/^Expected .+\. Do .+\.\n$/);
    });
  });

  it("finds a correct harness correct, and a broken one broken, saves the script, and replays it", () => {
    const good = gatecrash("check", "good.mjs", ...quick);
    expect(good.out).toMatch(/^"good": \d+ held, 1 not exercised \(SHOULD\), \d+ not judged: /);
    expect(good.code).toBe(0);

    const broken = gatecrash("check", "broken.ts", ...quick, "--json", "report.json");
    expect(broken.out).toContain('BROKEN undeclared-names-reach-nothing in "broken"');
    expect(broken.code).toBe(1);
    const report = reportSchema.parse(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")));
    expect(report.ok).toBe(false);

    const command = /npx gatecrash (replay \S+ --harness broken\.ts)/.exec(broken.out)?.[1] ?? "";
    expect(existsSync(join(folder, command.split(" ")[1]!))).toBe(true);
    expect(gatecrash(...command.split(" "))).toMatchObject({ code: 1 });
    const [word, script = ""] = command.split(" ");
    expect(gatecrash(word!, script, "--harness", "good.mjs")).toMatchObject({ code: 0 });

    // Named after a rule that is not claimed, the same script proves nothing.
    cpSync(join(folder, script), join(folder, "denied-tools-never-run.denied-tool.json"));
    const other = gatecrash(word!, "denied-tools-never-run.denied-tool.json", "--harness", "good.mjs");
    expect(other.out).toContain("saved for `denied-tools-never-run`, which could not be judged here: denied tools are");
    expect(other.code).toBe(3);

    const fixed = gatecrash("check", "mended.mjs", ...quick);
    expect(fixed.out).toContain("Fixed");
    for (const name of readdirSync(join(folder, ".gatecrash"))) rmSync(join(folder, ".gatecrash", name));
  });

  it("writes down what is known, keeps the reasons, is green on it, and red on what no longer fails", () => {
    const options = ["--runs", "0", "--only", "undeclared-names-reach-nothing,prototypes-stay-clean"];
    const known = [...options, "--baseline", "known.json"];
    expect(gatecrash("check", "broken.ts", ...known, "--update-baseline")).toMatchObject({ code: 0 });
    const written = readFileSync(join(folder, "known.json"), "utf8");
    expect(written).toContain('"cause": "undeclared-name",\n      "because": ""');
    const explained = written.replace('"because": ""', '"because": "the SDK does it"');
    writeFileSync(join(folder, "known.json"), explained);

    const green = gatecrash("check", "broken.ts", ...known, "--update-baseline");
    expect(green.out).toMatch(/^"broken": 1 broken and known, 1 held/);
    expect(green.out).toContain("undeclared-name (known: the SDK does it)");
    expect(green.code).toBe(0);
    expect(readFileSync(join(folder, "known.json"), "utf8")).toBe(explained);

    const mended = gatecrash("check", "mended.mjs", ...known, "--json", "mended.json");
    expect(mended.out).toMatch(/^"broken": 1 known failure no longer fails; 2 held/);
    expect(mended.out).toContain("undeclared-names-reach-nothing, undeclared-name no longer fails");
    expect(mended.code).toBe(1);
    const report = reportSchema.parse(JSON.parse(readFileSync(join(folder, "mended.json"), "utf8")));
    expect(report.baseline).toMatchObject({ file: "known.json", gone: [{ cause: "undeclared-name" }] });
    for (const name of readdirSync(join(folder, ".gatecrash"))) rmSync(join(folder, ".gatecrash", name));
  });

  it.each(["common.cjs", "common/plain.ts", "module/plain.js"])("loads %s", (file) => {
    const { code, err } = gatecrash("check", file, "--runs", "0", "--only", "honest-calls-run");
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it("ends although the harness left a timer, and keeps its noise out of the report", () => {
    const { code, out, err } = gatecrash(
      "check",
      "open.mjs",
      "--runs",
      "0",
      "--only",
      "honest-calls-run",
      "--json",
      "-",
    );
    expect(code).toBe(0);
    expect(reportSchema.parse(JSON.parse(out)).harness).toBe("open");
    expect(err).toBe("noise\n");
  });

  it("ends with 130 and a word on how far it came where it is interrupted", async () => {
    const words = ["--import", tsx, main, "check", "talks.mjs"];
    const child = spawn(process.execPath, words, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
      if (err.includes("playing") && !child.killed) child.kill("SIGINT");
    });
    const [code] = await once(child, "close");
    expect(err).toContain("Interrupted: ");
    expect(code).toBe(130);
  });

  it("does not mind a reader that leaves early", async () => {
    const words = ["--import", tsx, main, "list"];
    const child = spawn(process.execPath, words, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const [code] = await once(child, "close");
    expect({ code, err }).toEqual({ code: 0, err: "" });
  });

  it("finds the call at which the harness ends its process", () => {
    const { code, out, err } = gatecrash("check", "exits.mjs", "--runs", "0", "--time-limit", "25");
    expect(err).toContain("The process ended before the check did");
    expect(out).toContain("the process of the harness ended with the code 0");
    expect(out).toContain("The smallest script: 1 proposal");
    expect(code).toBe(1);
  });

  it("finds the call at which the harness never lets go of its process, and replays it", () => {
    const only = ["--only", "bad-proposals-are-survived", "--time-limit", "40"];
    const { code, out, err } = gatecrash("check", "blocks.mjs", "--runs", "0", ...only);
    expect(err).toContain("The process of the harness was blocked for");
    expect(out).toContain("BROKEN bad-proposals-are-survived");
    expect(out).toContain("The smallest script: 1 proposal");
    expect(code).toBe(1);
    const command = /npx gatecrash (replay \S+ --harness blocks\.mjs)/.exec(out)?.[1] ?? "";
    const replayed = gatecrash(...command.split(" "));
    expect(replayed.out).toContain("BROKEN bad-proposals-are-survived");
    expect(replayed.code).toBe(1);
  });

  it("is not green where the harness ended its process once, and never again", () => {
    const { code, err } = gatecrash("check", "exits-once.mjs", "--runs", "0", "--only", "honest-calls-run");
    expect(err).toContain("no script did it again");
    expect(code).toBe(3);
  });

  it("can be interrupted while the harness blocks its process", async () => {
    const words = ["--import", tsx, main, "check", "blocks-at-once.mjs"];
    const child = spawn(process.execPath, words, { cwd: folder, env: environment, stdio: ["ignore", "pipe", "pipe"] });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
      if (err.includes("blocking") && !child.killed) child.kill("SIGINT");
    });
    const [code] = await once(child, "close");
    expect(err).toContain("its process was blocked");
    expect(code).toBe(130);
  });

  it("plays the same scripts with the same seed", () => {
    const [first, second] = [1, 2].map(
      () => gatecrash("check", "good.mjs", "--seed", "7", "--runs", "50", "--only", "honest-calls-run").out,
    );
    expect(first).toContain("seed 7");
    expect(first).toBe(second);
  });

  it("shows both outcomes in the demo", () => {
    const { code, out } = gatecrash("demo");
    expect(out).toContain("A correct harness:");
    expect(out).toContain("BROKEN only-offered-tools-run");
    expect(code).toBe(0);
  });
});
