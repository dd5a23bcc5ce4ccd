import type { Finding } from "../contract/finding.ts";

/** Where the files of a finding lie, as the reader would name them on the command line; what is not known is left out. */
export interface ReplayCommand {
  readonly harnessFile?: string;
  /** The export of that file; "default" for the default one. */
  readonly exportName?: string;
  /** Whether the export had to be picked on the command line. */
  readonly picked?: boolean;
  /** The script's own file, where it was read from one. */
  readonly scriptFile?: string;
  /** In the place of a file: the server that was played. */
  readonly server?: ServerWords;
  /** The folder in which the script was saved. */
  readonly folder?: string | undefined;
}

/** A server as the command line names it. */
export interface ServerWords {
  /** What starts it. */
  readonly words: readonly string[];
  readonly validCalls: boolean;
  readonly tools?: readonly string[];
}

/**
 * The command line that plays a finding's script again; `undefined` where it was saved in no file.
 *
 * @example
 * replayLine(finding, { harnessFile: "agent.harness.ts", folder: ".gatecrash" })
 * // "npx gatecrash replay .gatecrash/denied-tools-never-run.denied-tool.json --harness agent.harness.ts"
 */
export function replayLine(finding: Finding, command: ReplayCommand): string | undefined {
  const { folder } = command;
  const saved = folder === undefined || finding.savedAs === undefined ? undefined : `${folder}/${finding.savedAs}`;
  const script = command.scriptFile ?? saved;
  if (script === undefined) return undefined;
  if (command.server !== undefined) {
    const { words, validCalls, tools } = command.server;
    const flags = [...(validCalls ? ["--valid-calls"] : []), ...(tools ? ["--tools", shellWord(tools.join(","))] : [])];
    return ["npx gatecrash mcp --replay", shellWord(script), ...flags, "--", ...words.map(shellWord)].join(" ");
  }
  const picked = command.picked === true && command.exportName !== undefined ? ` --export ${command.exportName}` : "";
  return `npx gatecrash replay ${shellWord(script)} --harness ${shellWord(command.harnessFile ?? "FILE")}${picked}`;
}

function shellWord(text: string): string {
  return /^[\w./:@+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
