import type { TestRun } from "../contract/harness.ts";
import type { ToolResult } from "../contract/run-record.ts";
import type { LoadSkill, ToolCall } from "../contract/turn.ts";
import { fieldsBeside } from "../wire/model-double.ts";
import { isJsonObject, type JsonObject, parseJson } from "../world/json.ts";
import type { ToolSpec } from "../world/tool.ts";
import { AnswerBook } from "./mcp-answers.ts";
import { type ConnectionLimits, type SentCall, ServerConnection } from "./mcp-connection.ts";
import { callParams, type McpReply } from "./mcp-frames.ts";
import { type ServerCommand, ServerFault } from "./mcp-process.ts";
import { type CallStanding, mustBeAnswered, standingOf } from "./mcp-standing.ts";
import { type ListedTools, listedTools, noTools } from "./mcp-world.ts";

export interface SessionOptions extends ConnectionLimits {
  readonly command: ServerCommand;
  /** The tools that may be called. */
  readonly chosen: readonly ToolSpec[];
  readonly validCalls: boolean;
  /** `Date.now()` from which a run that began earlier sends nothing more. Default: never. */
  readonly deadline?: number;
}

/** What was sent in a campaign, for the report. */
export interface SessionTally {
  sent: number;
  valid: number;
  accepted: number;
  noise: number;
  restarts: number;
}

/** One server for all runs, started again where a run has cost it. */
export class ServerSession {
  readonly answers = new AnswerBook();
  readonly tally: SessionTally = { sent: 0, valid: 0, accepted: 0, noise: 0, restarts: 0 };
  readonly #options: SessionOptions;
  #connection: ServerConnection | undefined;
  #listed = noTools;
  /** The run that uses it now. */
  #serving: { readonly began: number } | undefined;

  /** @param started a connection whose tools were just listed, to be used instead of a new one. */
  constructor(
    options: SessionOptions,
    started?: { readonly connection: ServerConnection; readonly listed: ListedTools },
  ) {
    this.#options = options;
    this.#connection = started?.connection;
    this.#listed = started?.listed ?? noTools;
  }

  async open(): Promise<void> {
    if (this.#connection !== undefined && this.#connection.ended === undefined) return;
    this.#connection = await ServerConnection.open(this.#options.command, this.#options);
    this.#listed = listedTools(await this.#connection.tools());
  }

  async close(): Promise<void> {
    this.#serving = undefined;
    await this.#stop();
  }

  /** Lets a run use the server; what a run has cost it is made good before that run ends. */
  async serve<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = { began: Date.now() };
    const wasGivenUp = this.#serving !== undefined;
    this.#serving = mine;
    // Whoever was given up still waits for an answer of a server that may never come round.
    if (wasGivenUp) await this.#restart();
    try {
      const ended = this.#connection === undefined ? "is not running" : this.#connection.ended;
      if (ended !== undefined) throw new ServerFault(`${ended}, before this run began`);
      return await work();
    } catch (error) {
      if (!(error instanceof ServerFault) || this.#serving !== mine) throw error;
      await this.#restart();
      throw new ServerFault(`The server ${error.message}.`);
    } finally {
      if (this.#serving === mine) this.#serving = undefined;
    }
  }

  /** Sends the calls of one turn that may be sent, and gives what came back. */
  async answer(run: TestRun, calls: readonly (ToolCall | LoadSkill)[]): Promise<readonly ToolResult[]> {
    const connection = this.#connection as ServerConnection;
    if (connection.hasChanged) this.#listed = listedTools(await connection.tools());
    const judged = calls.map((call) => this.#judge(run, call));
    const sent = judged.filter((one) => one.frame !== undefined);
    const replies = await connection.callAll(sent.map(({ frame }) => frame!));
    for (const one of sent) one.replies = replies.shift();
    const valid = sent.filter(({ standing, frame }) => standing === "valid" && frame?.answer === "awaited");
    const lost = this.answers.enter(
      run,
      valid.map(({ call, replies = [] }) => ({ call: call as ToolCall, isAnswered: replies.length > 0 })),
    );
    const results: ToolResult[] = [];
    for (const one of judged) if (!lost.has(one.call as ToolCall)) results.push(...(await this.#results(run, one)));
    return results;
  }

  #judge(run: TestRun, call: ToolCall | LoadSkill): JudgedCall {
    if (call.kind === "load-skill") return { call, refusal: "A server has no skills." };
    if (this.#isOverdue()) return { call, refusal: "Not sent: the time was up." };
    const { name, args } = call;
    const standing = standingOf(run.tools, name, args);
    const isListed = this.#listed.names.includes(name);
    if (isListed && !this.#options.chosen.some((tool) => tool.name === name)) {
      return { call, refusal: "Not sent: this tool was left out." };
    }
    // By its own words and by those of the script: they differ where a saved script is older than the server.
    const standings = isListed ? [standing, standingOf(this.#listed.tools, name, args)] : [standing];
    const isHarmless = standings.every((one) => one !== "valid" && one !== "open");
    if (!isHarmless && !this.#options.validCalls)
      return { call, refusal: "Not sent: the server may accept this call." };
    this.tally.sent += 1;
    if (standing === "valid") this.tally.valid += 1;
    const params = callParams(name, args, fieldsBeside(call));
    const answerMs = this.answers.patience(name, this.#options.answerMs);
    const onLate = standing === "valid" ? () => this.answers.cameLate(name) : () => {};
    return { call, standing, frame: { params, answer: answerTo(args, isHarmless), answerMs, onLate } };
  }

  /** The run began in time, and goes on too long. One that begins later is to show a failure once more. */
  #isOverdue(): boolean {
    const { deadline = Number.POSITIVE_INFINITY } = this.#options;
    return Date.now() > deadline && this.#serving !== undefined && this.#serving.began <= deadline;
  }

  async #results(run: TestRun, { call, refusal, standing, replies = [] }: JudgedCall): Promise<readonly ToolResult[]> {
    const { callId } = call;
    if (refusal !== undefined) return [{ callId, text: refusal, isError: true }];
    const told = replies.length === 0 ? [{ text: "There was no answer.", isError: true }] : replies;
    if (call.kind === "tool-call" && told.some(({ isError }) => !isError)) {
      if (standing === "valid") this.tally.accepted += 1;
      if (standing !== "undeclared" && standing !== "open") await report(run, call);
    }
    return told.map(({ text, isError }) => ({ callId, text, ...(isError && { isError }) }));
  }

  async #restart(): Promise<void> {
    this.tally.restarts += 1;
    await this.#stop();
    try {
      await this.open();
    } catch (error) {
      if (!(error instanceof ServerFault)) throw error;
      throw new ServerFault(`The server could not be started again: it ${error.message}.`);
    }
  }

  async #stop(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return;
    this.tally.noise += connection.noise;
    await connection.stop();
  }
}

interface JudgedCall {
  readonly call: ToolCall | LoadSkill;
  /** Why it was not sent. */
  readonly refusal?: string;
  readonly standing?: CallStanding;
  readonly frame?: SentCall;
  replies?: readonly McpReply[] | undefined;
}

function answerTo(args: string, mustBeRefused: boolean): SentCall["answer"] {
  if (!mustBeAnswered(args)) return "optional";
  return mustBeRefused ? "due" : "awaited";
}

/** Nobody can stand in its handlers: a call that it answers with success counts as one that ran. */
async function report(run: TestRun, { callId, name, args }: ToolCall): Promise<void> {
  const value = args === "" ? {} : parseJson(args);
  const given: JsonObject = isJsonObject(value) ? value : {};
  await run.toolCalled(name, given, { callId }).catch(() => {});
}
