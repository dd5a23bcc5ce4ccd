import { Command, CommanderError, InvalidArgumentError } from "commander";
import { UsageError } from "../errors.ts";
import { usageOf } from "./argument-fault.ts";
import { packageVersion } from "./package-version.ts";
import type { CheckFlags } from "./run-check.ts";
import type { McpFlags } from "./run-mcp.ts";
import type { ReplayFlags } from "./run-replay.ts";
import { print } from "./standard-output.ts";

/**
 * Runs one command line and gives its exit code: 2 where it was not usable, else 1 where a rule was violated (or a known
 * failure is gone), else 3 where one is unknown, flaky or was not exercised, else 0.
 */
export async function commandLine(words: readonly string[], { isInner = false } = {}): Promise<number> {
  let code = 0;
  const program = build(isInner ? undefined : words, (result) => {
    code = result;
  });
  try {
    if (words.length === 0) {
      process.stderr.write(program.helpInformation());
      return 2;
    }
    await program.parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const fault = error instanceof CommanderError ? usageOf(error, words) : error;
    if (!(fault instanceof UsageError)) throw error;
    process.stderr.write(`${fault.message}\n`);
    return 2;
  }
}

/**
 * The commands are imported when they are called: help and a wrong word need none of the machinery.
 *
 * @param words the command line, where foreign code shall be run in a process that is watched
 */
function build(words: readonly string[] | undefined, done: (code: number) => void): Command {
  const program = new Command("gatecrash")
    .description(
      "Fuzzes an agent harness with adversarial proposals and reports each broken rule with a minimal script.",
    )
    .version(packageVersion())
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({ writeOut: print, writeErr: () => {} })
    .addHelpText("after", exitCodes);
  checkable(program.command("check"))
    .description("fuzz a harness and judge it by every rule; without FILE, the embedded example")
    .argument("[FILE]", "a .ts, .mts, .cts, .js, .mjs or .cjs file that exports a harness")
    .option(
      "--seed <N>",
      "seed of the random scripts (default: another one each time; fixed where CI is set)",
      seedValue,
    )
    .option("--runs <N>", "random scripts after the enumeration (default: 2000)", wholeNumber(0, 100_000_000))
    .option(
      "--scripts <N>",
      "about so many scripts in all (default: all there is time for)",
      wholeNumber(1, 100_000_000),
    )
    .option("--should <fail|report>", "whether a broken SHOULD makes the run red (default: report)", shouldValue)
    .option(
      "--baseline <FILE>",
      "failures that are known: those are green, and any change of them is red",
      baselineFile,
    )
    .option("--update-baseline", "write that file anew from what is found; keeps the reasons in it")
    .option("--time-limit <SECONDS>", "for the whole campaign (default: 120)", wholeNumber(1, 604_800))
    .action(async (file: string | undefined, flags: CheckFlags) => {
      const { runCheck, watchedCheck } = await import("./run-check.ts");
      done(
        await (file === undefined || words === undefined ? runCheck(file, flags) : watchedCheck(words, file, flags)),
      );
    });
  checkable(program.command("replay"))
    .description("play one saved script against a harness")
    .argument("<SCRIPT.json>", "a script from the .gatecrash folder")
    .requiredOption("--harness <FILE>", "the file that exports the harness")
    .action(async (file: string, flags: ReplayFlags) => {
      const { runReplay, watchedReplay } = await import("./run-replay.ts");
      done(await (words === undefined ? runReplay(file, flags) : watchedReplay(words, file, flags)));
    });
  mcpOptions(program.command("mcp"))
    .description("fuzz the tools of an MCP server over stdio: calls that it has to refuse; see --valid-calls")
    .argument("[COMMAND...]", "what starts the server, behind --, as in: gatecrash mcp -- node server.js")
    .action(async (command: readonly string[], flags: McpFlags) => {
      done(await (await import("./run-mcp.ts")).runMcp(command, flags));
    });
  program
    .command("list")
    .description("list the rules and the classes of proposals, one line each")
    .action(async () => done((await import("./run-list.ts")).runList()));
  program
    .command("demo")
    .description("fuzz a correct harness, then a broken one, to see both outcomes")
    .action(async () => done(await (await import("./run-demo.ts")).runDemo()));
  return program;
}

/** What every command has that plays scripts against a harness. */
function checkable(command: Command): Command {
  return command
    .option("--only <RULE,...>", "judge these rules alone; may be given more than once", ruleIds)
    .option("--export <NAME>", "which export of the harness file to use, where it has several", exportName)
    .option(
      "--json <FILE>",
      'write the report as JSON too; "-": to the standard output, in place of the text',
      jsonFile,
    );
}

/** Those of `check` that make sense without a file, and what is to be said about a server. */
function mcpOptions(command: Command): Command {
  return command
    .option("--tools <NAME,...>", "call these tools alone (default: all that the server lists)", toolNames)
    .option("--valid-calls", "send valid calls too: they are real, and so are their effects, thousands of times")
    .option("--answer-limit <SECONDS>", "in which a call has to be answered (default: 5)", wholeNumber(1, 3_600))
    .option("--replay <SCRIPT.json>", "play one saved script alone", scriptFile)
    .option("--only <RULE,...>", "judge these rules alone; may be given more than once", ruleIds)
    .option("--seed <N>", "as for check", seedValue)
    .option("--runs <N>", "as for check", wholeNumber(0, 100_000_000))
    .option("--should <fail|report>", "as for check", shouldValue)
    .option("--baseline <FILE>", "as for check", baselineFile)
    .option("--update-baseline", "as for check")
    .option("--time-limit <SECONDS>", "as for check", wholeNumber(1, 604_800))
    .option("--json <FILE>", "as for check", jsonFile);
}

const exitCodes = `
Exit codes:
  0  every judged rule held, or broke as the baseline knows
  1  a rule is violated, or what the baseline knows no longer fails
  2  the command line, the harness file or the script can't be used
  3  a rule is unknown, flaky or was not exercised`;

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[+-]?\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`a whole number from ${least} to ${most}`);
  };
}

function notEmpty(toBe: string): (text: string) => string {
  return (text) => {
    if (text !== "") return text;
    throw new InvalidArgumentError(toBe);
  };
}

const exportName = notEmpty("the name of an export");

const baselineFile = notEmpty("the name of a file");

const scriptFile = notEmpty("the name of a script file");

const jsonFile = notEmpty('the name of a file, or "-"');

const seedValue = wholeNumber(-0x80000000, 0x7fffffff);

function shouldValue(text: string): "fail" | "report" {
  if (text === "fail" || text === "report") return text;
  throw new InvalidArgumentError('"fail" or "report"');
}

function toolNames(text: string, earlier: readonly string[] = []): readonly string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.includes("")) throw new InvalidArgumentError("the names of tools, with commas between them");
  return [...earlier, ...names];
}

function ruleIds(text: string, earlier: readonly string[] = []): readonly string[] {
  const ids = text.split(",").map((id) => id.trim());
  if (ids.includes("")) throw new InvalidArgumentError("the ids of rules, with commas between them");
  return [...earlier, ...ids];
}
