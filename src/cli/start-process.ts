import { type ChildProcess, fork, type StdioOptions } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";

/** Flags of Node that say what to run, and not how: with them a new process would run that again. */
const mainFlags = /^(-e|-p|-pe|--eval|--print|-c|--check|-i|--interactive|--input-type|--test|--watch)(=|$)/;
const withValue = /^(-e|-p|-pe|--eval|--print)$/;

/** Traces live for one portion of scripts: with this much room most of them are garbage before they are looked at again. */
const roomForGarbage = "--max-semi-space-size=32";

/**
 * Starts another process of this command: one of the entries of this folder, by its name without an ending, loaded in
 * the way that this process was.
 *
 * @example
 * startProcess("player-process", ["bot.harness.ts"], ["ignore", 2, 2, "ipc"])
 */
export function startProcess(entry: string, words: readonly string[], stdio: StdioOptions): ChildProcess {
  const path = fileURLToPath(new URL(`./${entry}${extname(import.meta.url)}`, import.meta.url));
  return fork(path, words, { stdio, execArgv: [...loadingFlags(process.execArgv), roomForGarbage] });
}

function loadingFlags(flags: readonly string[]): string[] {
  return flags.filter((flag, index) => !mainFlags.test(flag) && !withValue.test(flags[index - 1] ?? ""));
}
