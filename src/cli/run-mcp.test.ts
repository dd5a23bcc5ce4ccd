import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it, vi } from "vitest";
import { reportSchema } from "../contract/report.ts";
import { commandLine } from "./command-line.ts";

const here = dirname(fileURLToPath(import.meta.url));
const main = resolve(here, "main.ts");
const tsx = import.meta.resolve("tsx");
const server = (name: string) => [
  "--",
  process.execPath,
  resolve(here, `../../fixtures/loops/mcp-servers/${name}.mjs`),
];
const folder = mkdtempSync(join(tmpdir(), "gatecrash-mcp-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function gatecrash(...words: readonly string[]) {
  const options = { cwd: folder, encoding: "utf8", timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", tsx, main, "mcp", ...words], options);
  return { code: status, out: stdout, err: stderr };
}

describe("gatecrash mcp", { timeout: 150_000 }, () => {
  it("finds what a server does wrong, saves the script, and replays it against that one and a right one", () => {
    const only = ["--only", "undeclared-names-reach-nothing,every-run-ends"];
    const limits = ["--seed", "1", "--runs", "0", "--time-limit", "6", "--json", "report.json"];
    const found = gatecrash(...only, ...limits, ...server("guesses-names"));
    expect(found.err).toBe("");
    expect(found.out).toContain("BROKEN undeclared-names-reach-nothing in ");
    expect(found.out).toContain("Valid calls were not sent.");
    expect(found.code).toBe(1);
    expect(found.out).not.toContain("claims.");
    const report = reportSchema.parse(JSON.parse(readFileSync(join(folder, "report.json"), "utf8")));
    expect([report.ok, report.seed, report.rules.length]).toEqual([false, 1, 2]);

    const [name = ""] = readdirSync(join(folder, ".gatecrash")).filter((file) => file.endsWith(".json"));
    const replay = ["--replay", join(".gatecrash", name)];
    expect(found.out).toContain(`npx gatecrash mcp ${replay.join(" ")} -- `);
    expect(gatecrash(...replay, ...server("guesses-names"))).toMatchObject({ code: 1 });
    const right = gatecrash(...replay, "--json", "-", ...server("refuses-what-it-must"));
    expect(right.code).toBe(0);
    expect(reportSchema.parse(JSON.parse(right.out))).toMatchObject({ ok: true, replayed: true });
  });

  it.each([
    ["no command", [], "the command that starts the server, got none"],
    ["a command that can't be started", ["--", "./nothing-here"], "could not be started (ENOENT)"],
    [
      "one that ends at once",
      ["--", process.execPath, "-e", "throw Error('no key')"],
      "its last words were: Error: no key",
    ],
    [
      "one that speaks something else",
      ["--", process.execPath, "-e", "process.stdin.pipe(process.stdout)"],
      "Method not found",
    ],
    ["a tool that is not there", ["--tools", "find", ...server("does-not-validate")], 'to list the tool "find"'],
    ["a script that is not there", ["--replay", "no.json", ...server("does-not-validate")], "`no.json`"],
    ["an unknown option", ["--valid", ...server("does-not-validate")], "`--valid`"],
    ["a limit that is none", ["--answer-limit", "0", ...server("does-not-validate")], "`--answer-limit`"],
  ])("refuses %s in one sentence, and ends with 2", async (_, words, part) => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const code = await commandLine(["mcp", ...words]);
    const err = write.mock.calls.map(([text]) => String(text)).join("");
    write.mockRestore();
    expect(err).toContain(part);
    expect(err).toMatch(/^Expected .+\. Do .+\.\n$/);
    expect(code).toBe(2);
  });

  it("starts the server once", () => {
    const log = join(folder, "starts");
    const file = join(folder, "counted.mjs");
    const source = `import { appendFileSync } from "node:fs";
      import ${JSON.stringify(server("refuses-what-it-must")[2])};
      appendFileSync(${JSON.stringify(log)}, "x");`;
    writeFileSync(file, source);
    const limits = ["--only", "every-run-ends", "--runs", "0", "--time-limit", "2"];
    expect(gatecrash(...limits, "--", process.execPath, file).err).toBe("");
    expect(readFileSync(log, "utf8")).toBe("x");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("leaves no server behind where it is ended by %s", async (signal, expected) => {
    const pidFile = join(folder, `${signal}.pid`);
    // It does not end by itself when its input ends.
    const stubborn = `
      import { writeFileSync } from "node:fs";
      import ${JSON.stringify(server("refuses-what-it-must")[2])};
      setInterval(() => {}, 1000);
      writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
    `;
    const file = join(folder, `${signal}.mjs`);
    writeFileSync(file, stubborn);
    const words = ["--import", tsx, main, "mcp", "--", process.execPath, file];
    const child = spawn(process.execPath, words, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    const ended = once(child, "close");
    const pid = await pidIn(pidFile);
    child.kill(signal);
    const [code] = await ended;
    expect(code).toBe(expected);
    for (let tries = 0; isRunning(pid) && tries < 100; tries += 1) await pause();
    expect(isRunning(pid)).toBe(false);
  });
});

async function pidIn(file: string): Promise<string> {
  for (;;) {
    try {
      const pid = readFileSync(file, "utf8");
      if (pid !== "") return pid;
    } catch {
      // Not written yet.
    }
    await pause();
  }
}

function isRunning(pid: string): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 20);
  });
}
