import { describedValue } from "../contract/described-value.ts";
import type { Claims, Harness, Shape } from "../contract/harness.ts";
import { validArgument } from "../contract/valid-argument.ts";
import { UsageError } from "../errors.ts";
import type { ToolSpec } from "../world/tool.ts";
import { ServerConnection } from "./mcp-connection.ts";
import { named, notesOn, whys } from "./mcp-notes.ts";
import { type ServerCommand, ServerFault } from "./mcp-process.ts";
import { ServerSession } from "./mcp-session.ts";
import { playTurns } from "./mcp-turns.ts";
import { type ListedTools, listedTools, refusesSomething } from "./mcp-world.ts";

export interface McpCommandOptions {
  /** As the system starts it: "node". */
  readonly command: string;
  /** Default: none. */
  readonly args?: readonly string[];
  /** As reports shall call it. Default: the command line. */
  readonly name?: string;
  readonly cwd?: string;
  /** Beside the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The tools that may be called; the others are never called, and their names never tried. Default: all. */
  readonly tools?: readonly string[];
  /**
   * Sends valid calls too: THEY ARE REAL, and their effects are, thousands of times. Default false: only calls are sent that the
   * server has to refuse. A server that does not refuse them runs them.
   */
  readonly validCalls?: boolean;
  /** Milliseconds in which a call has to be answered. Default 5,000. */
  readonly answerMs?: number;
  /** Milliseconds in which the server has to be ready. Default 30,000. */
  readonly startMs?: number;
  /** What you promise more, or less. */
  readonly claims?: Partial<Claims>;
}

export interface McpCommandHarness extends Harness {
  /** What is worth knowing beside a report: what was sent and what was left out. */
  notes(): readonly string[];
}

const shape: Shape = {
  loop: "none",
  argumentText: "raw",
  emptyArguments: "empty-object",
  sameProcess: false,
  effects: "told",
};

/**
 * Any command that is a server of the Model Context Protocol over stdio, as a dispatcher: each call of a turn is one `tools/call` on
 * its standard input. Starts it once to see which tools it lists, and ends it again; they are the harness's world. One process serves all
 * runs, and is started again where a run has cost it.
 *
 * Its handlers can't be watched, so a call counts as run where the server answers it without an error, and a call counts as
 * refused where it answers with `isError` or a JSON-RPC error. What can't be told by that is not judged: whether valid calls run, and
 * with what; keys that its schema does not know, which may have been dropped. A valid call may be left unanswered, since its tool may be
 * slow; but a tool that leaves three of a run unanswered, and has never answered one, leaves those calls without a result.
 *
 * @example
 * export const harness = await mcpCommandHarness({ command: "node", args: ["server.js"] });
 * @throws UsageError `bad-argument`, `server-not-started` where it can't be started, ends at once, or does not speak the protocol,
 * `no-tools`, `unknown-tool`.
 */
export async function mcpCommandHarness(options: McpCommandOptions): Promise<McpCommandHarness> {
  return harnessOf(options, {});
}

/**
 * The same for a caller who plays at once: the process that has listed the tools is the one that serves. It runs until `close`.
 *
 * @param deadline `Date.now()` from which a run that began earlier sends nothing more.
 */
export function startedMcpHarness(options: McpCommandOptions, deadline?: number): Promise<McpCommandHarness> {
  return harnessOf(options, { isKept: true, ...(deadline !== undefined && { deadline }) });
}

async function harnessOf(
  options: McpCommandOptions,
  { isKept = false, deadline }: { readonly isKept?: boolean; readonly deadline?: number },
): Promise<McpCommandHarness> {
  validArgument(options, { of: "mcpCommandHarness", is: "the options", please: "give `command`" });
  const { command, args = [], cwd, env, validCalls = false, answerMs = 5_000, startMs = 30_000 } = options;
  if (typeof command !== "string" || command === "") {
    throw new UsageError(
      "bad-argument",
      `Expected \`command\` to be the program that starts the server, got ${describedValue(command)}. Do give it.`,
    );
  }
  const words = [command, ...args].join(" ").replaceAll(/\s+/g, " ");
  const started: ServerCommand = {
    command,
    args,
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  };
  const { connection, listed, chosen } = await lookAt(started, { startMs, answerMs }, { wanted: options.tools, words });
  if (!isKept) await connection.stop();
  const session = new ServerSession(
    { command: started, chosen, validCalls, answerMs, startMs, ...(deadline !== undefined && { deadline }) },
    isKept ? { connection, listed } : undefined,
  );
  const canRefuse = chosen.some(refusesSomething);
  return {
    name: options.name ?? words,
    claims: {
      approvals: "none",
      deny: false,
      hiddenTools: "none",
      results: true,
      argumentSchemas: canRefuse,
      concurrentRuns: false,
      ...options.claims,
    },
    shape,
    world: { tools: chosen, skills: [], maxSteps: 4 },
    run: (run) => session.serve(() => playTurns(run, { answer: (calls) => session.answer(run, calls) })),
    open: () => session.open(),
    close: () => session.close(),
    notes: () => notesOn(session, { validCalls, canRefuse, listed, chosen, answerMs, isEndless: connection.isEndless }),
  };
}

interface Look {
  /** Still open. */
  readonly connection: ServerConnection;
  readonly listed: ListedTools;
  readonly chosen: readonly ToolSpec[];
}

async function lookAt(
  command: ServerCommand,
  limits: { readonly startMs: number; readonly answerMs: number },
  { wanted, words }: { readonly wanted: readonly string[] | undefined; readonly words: string },
): Promise<Look> {
  let connection: ServerConnection | undefined;
  try {
    connection = await ServerConnection.open(command, limits);
    const listed = listedTools(await connection.tools());
    return { connection, listed, chosen: choose(listed, wanted, words) };
  } catch (error) {
    await connection?.stop();
    if (!(error instanceof ServerFault)) throw error;
    throw new UsageError(
      "server-not-started",
      `Expected \`${words}\` to start a server that speaks the Model Context Protocol over stdio, but it ${error.message}. Do check the command.`,
      { command: command.command },
    );
  }
}

function choose(listed: ListedTools, wanted: readonly string[] | undefined, words: string): readonly ToolSpec[] {
  const { tools, names, unreadable } = listed;
  const unknown = wanted?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new UsageError(
      "unknown-tool",
      `Expected \`${words}\` to list the tool ${describedValue(unknown)}, got ${named(names)}. Do name one of these.`,
    );
  }
  const chosen = wanted === undefined ? tools : tools.filter(({ name }) => wanted.includes(name));
  if (chosen.length > 0) return chosen;
  const got = unreadable.length === 0 ? "none" : `only tools that can't be called by a schema: ${whys(unreadable)}`;
  throw new UsageError("no-tools", `Expected \`${words}\` to list tools, got ${got}. Do give it a tool to call.`);
}
