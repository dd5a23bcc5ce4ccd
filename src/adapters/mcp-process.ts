import { type ChildProcess, type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { JsonObject } from "../world/json.ts";
import { messageIn } from "./mcp-frames.ts";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The server is gone, or does not answer: the run can't go on. */
export class ServerFault extends Error {
  override readonly name = "ServerFault";

  constructor(message: string) {
    super(message);
    // Where in the kit it was noticed helps nobody.
    this.stack = `${this.name}: ${message}`;
  }
}

/** How long a server may take to end by itself once its input was closed, and how long after SIGTERM. Milliseconds. */
const grace = { input: 300, term: 300 };

/** Characters of the standard error that are kept: the last words. */
const tailLength = 4_000;

/** A line that is longer holds no message. */
const longestLine = 32_000_000;

/** What is still running when this process ends. */
const running = new Set<ServerProcess>();

function killAll(): void {
  for (const server of running) server.kill();
}

/**
 * A process that speaks JSON-RPC, one message a line. It has a process group of its own, where the system knows such groups, so
 * that what the command started itself (`npx`, a shell) ends with it.
 */
export class ServerProcess {
  /** Called for each message that arrives. */
  onMessage: (message: JsonObject) => void = () => {};
  /** Called once, when the process has ended. */
  onEnd: () => void = () => {};
  /** Lines on the standard output that are no messages. */
  noise = 0;
  #child: ChildProcessByStdio<Writable, Readable, Readable>;
  #tail = "";
  #line = "";
  #ended: string | undefined;
  readonly #exit: Promise<void>;

  constructor({ command, args, cwd, env }: ServerCommand) {
    this.#child = spawn(command, [...args], {
      stdio: "pipe",
      detached: process.platform !== "win32",
      ...(cwd !== undefined && { cwd }),
      ...(env !== undefined && { env: { ...process.env, ...env } }),
    });
    if (running.size === 0) process.on("exit", killAll);
    running.add(this);
    const { stdin, stdout, stderr } = this.#child;
    // A server that is gone is noticed by its exit.
    stdin.on("error", () => {});
    stdout.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#tail = (this.#tail + text).slice(-tailLength);
    });
    this.#exit = exitOf(this.#child).then((words) => {
      this.#ended = words;
      this.#forget();
      this.onEnd();
    });
  }

  /** How it ended, in words that follow "the server"; `undefined` as long as it runs. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** What it said last on its standard error, in one line; "" where it said nothing. */
  get lastWords(): string {
    const lines = this.#tail.split("\n").map((line) => line.trim());
    const told = lines.findLast((line) => /^(?:\w+\.)*\w*(?:Error|Exception|panic)\b.*/i.test(line));
    const words = told ?? lines.findLast((line) => line !== "" && !line.startsWith("Node.js v")) ?? "";
    return words.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ").slice(0, 300);
  }

  send(frame: string): void {
    // A line break outside a string is a blank, and inside one it is forbidden as a tab is: the line stays one, and as right or wrong.
    if (this.#ended === undefined) this.#child.stdin.write(`${frame.replaceAll(/[\r\n]/g, "\t")}\n`);
  }

  /** Ends it as the protocol asks for: first its input, then with SIGTERM, then by force. */
  async stop(): Promise<void> {
    if (this.#ended === undefined) {
      this.#child.stdin.end();
      if (!(await within(grace.input, this.#exit))) {
        this.#signal("SIGTERM");
        await within(grace.term, this.#exit);
      }
    }
    this.kill();
    await within(grace.term, this.#exit);
  }

  /** By force, with all that it started. */
  kill(): void {
    this.#signal("SIGKILL");
    this.#forget();
  }

  #forget(): void {
    running.delete(this);
    if (running.size === 0) process.off("exit", killAll);
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      if (process.platform === "win32") this.#child.kill(signal);
      else process.kill(-pid, signal);
    } catch {
      // Nobody of the group is left.
    }
  }

  #read(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    if (this.#line.length > longestLine) this.#line = "";
    for (const line of lines) {
      const message = messageIn(line);
      if (message !== undefined) this.onMessage(message);
      else if (line.trim() !== "") this.noise += 1;
    }
  }
}

/** Its streams may stay open in the hands of its own children, so they are waited for only a moment. */
function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on("error", (error) =>
      resolve(`could not be started (${(error as NodeJS.ErrnoException).code ?? error.message})`),
    );
    child.on("exit", (code, signal) => {
      const words = code === null ? `was ended by ${signal}` : `ended (exit code ${code})`;
      child.on("close", () => resolve(words));
      setTimeout(() => resolve(words), 100).unref();
    });
  });
}

/** Whether it came in time. */
export async function within(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer));
}
