import { isJsonObject, type Json, type JsonObject } from "../world/json.ts";
import { errorText, initializeParams, type McpReply, notificationFrame, replyOf, requestFrame } from "./mcp-frames.ts";
import { type ServerCommand, ServerFault, ServerProcess, within } from "./mcp-process.ts";

export interface ConnectionLimits {
  /** Milliseconds in which a server has to be ready. */
  readonly startMs: number;
  /** Milliseconds in which a request has to be answered. */
  readonly answerMs: number;
}

/** A call of a turn, on its way. */
export interface SentCall {
  /** The parameters of `tools/call`, as text that need not be JSON. */
  readonly params: string;
  /**
   * `due`: a server that leaves it unanswered is at fault. `awaited`: its tool may take its time; it is cancelled after so long.
   * `optional`: the frame may be unreadable, and then there is no id to answer under.
   */
  readonly answer: "due" | "awaited" | "optional";
  /** Milliseconds that an awaited answer is waited for, where these are not those of the connection. */
  readonly answerMs?: number;
  /** Called where an awaited answer comes after it was given up. */
  onLate?(): void;
}

/** Pages of `tools/list` that are read at most: a server may send its clients in a circle. */
const mostPages = 100;

/** Characters of an answer that are shown. */
const shownLength = 200;

/** A running server, past the handshake. */
export class ServerConnection {
  readonly #server: ServerProcess;
  readonly #limits: ConnectionLimits;
  readonly #replies = new Map<number, JsonObject[]>();
  readonly #waiting = new Map<number, () => void>();
  /** What shows that the server is alive: a `ping`, or where it never answers one, another request without effects. */
  #probe = "ping";
  #ids = 0;
  readonly #givenUp = new Map<number, () => void>();
  /** It says that its tools have changed. */
  hasChanged = false;
  /** Its list of tools went on after so many pages. */
  isEndless = false;

  private constructor(server: ServerProcess, limits: ConnectionLimits) {
    this.#server = server;
    this.#limits = limits;
    server.onMessage = (message) => this.#receive(message);
    server.onEnd = () => {
      for (const wake of this.#waiting.values()) wake();
    };
  }

  /** Starts the command, and shakes hands. @throws ServerFault where it does not come to that. */
  static async open(command: ServerCommand, limits: ConnectionLimits): Promise<ServerConnection> {
    const connection = new ServerConnection(new ServerProcess(command), limits);
    try {
      const answer = await connection.#ask("initialize", initializeParams(), limits.startMs);
      if (!isJsonObject(answer.result)) throw new ServerFault(`refuses to be initialized (${replyOf(answer).text})`);
      connection.#server.send(notificationFrame("notifications/initialized"));
      await connection.#findProbe();
      return connection;
    } catch (error) {
      await connection.stop();
      throw error;
    }
  }

  get ended(): string | undefined {
    return this.#server.ended;
  }

  get noise(): number {
    return this.#server.noise;
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  /** What the server lists, page by page. */
  async tools(): Promise<readonly JsonObject[]> {
    this.hasChanged = false;
    const tools: JsonObject[] = [];
    let params: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const answer = await this.#ask("tools/list", params);
      const result: Json = answer.result ?? null;
      if (!isJsonObject(result) || !Array.isArray(result.tools)) {
        throw new ServerFault(`answered \`tools/list\` with ${noListWords(answer)}`);
      }
      tools.push(...(result.tools as readonly Json[]).filter(isJsonObject));
      if (typeof result.nextCursor !== "string") return tools;
      params = JSON.stringify({ cursor: result.nextCursor });
    }
    this.isEndless = true;
    return tools;
  }

  /**
   * Sends the calls of one turn at once, and behind them a probe, to see that the server is still there.
   *
   * @returns for each call the replies that came, mostly one; maybe none where no answer is due.
   * @throws ServerFault where it ends, or leaves a call unanswered.
   */
  async callAll(calls: readonly SentCall[]): Promise<McpReply[][]> {
    if (calls.length === 0) return [];
    const ids = calls.map(({ params }) => this.#send("tools/call", params));
    await Promise.all(calls.map((call, index) => this.#settled(ids[index]!, call)));
    await this.#ask(this.#probe);
    const replies = ids.map((id) => (this.#replies.get(id) ?? []).map(replyOf));
    this.#replies.clear();
    return replies;
  }

  async #settled(id: number, { answer, onLate, answerMs = this.#limits.answerMs }: SentCall): Promise<void> {
    if (answer === "due") await this.#answered(id, "tools/call");
    if (answer !== "awaited" || (await within(answerMs, this.#arrived(id)))) return;
    if (onLate !== undefined) this.#givenUp.set(id, onLate);
    this.#server.send(notificationFrame("notifications/cancelled", { requestId: id }));
  }

  async #findProbe(): Promise<void> {
    const id = this.#send("ping");
    const isAnswered = await within(Math.min(1_000, this.#limits.answerMs), this.#arrived(id));
    if (this.ended !== undefined) throw this.#fault();
    if (!isAnswered) this.#probe = "tools/list";
  }

  async #ask(method: string, params?: string, ms = this.#limits.answerMs): Promise<JsonObject> {
    const id = this.#send(method, params);
    await this.#answered(id, method, ms);
    const [answer] = this.#replies.get(id) ?? [];
    this.#replies.delete(id);
    return answer as JsonObject;
  }

  #send(method: string, params?: string): number {
    this.#ids += 1;
    const id = this.#ids;
    this.#replies.set(id, []);
    this.#server.send(requestFrame(id, method, params));
    return id;
  }

  async #answered(id: number, method: string, ms = this.#limits.answerMs): Promise<void> {
    const inTime = await within(ms, this.#arrived(id));
    if ((this.#replies.get(id) ?? []).length > 0) return;
    if (this.ended !== undefined) throw this.#fault();
    if (!inTime)
      throw new ServerFault(`gave no answer to \`${method}\` within ${secondsWords(ms)}${this.#noiseWords()}`);
  }

  /** Resolves too where the server ends. */
  #arrived(id: number): Promise<void> {
    if ((this.#replies.get(id) ?? []).length > 0 || this.ended !== undefined) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  #fault(): ServerFault {
    const { ended = "is gone", lastWords } = this.#server;
    return new ServerFault(lastWords === "" ? ended : `${ended}, and its last words were: ${lastWords}`);
  }

  /** Often the reason why a server is not understood. */
  #noiseWords(): string {
    const { noise } = this.#server;
    if (noise === 0) return "";
    return noise === 1
      ? ", and 1 line of its standard output is no message"
      : `, and ${noise} lines of its standard output are no messages`;
  }

  #receive(message: JsonObject): void {
    if (typeof message.method === "string") {
      if (message.method === "notifications/tools/list_changed") this.hasChanged = true;
      // It was told that this client can do nothing, but an answer is due all the same.
      if (message.id !== undefined) this.#server.send(answerTo(message));
      return;
    }
    const id = message.id as number;
    this.#replies.get(id)?.push(message);
    this.#givenUp.get(id)?.();
    this.#givenUp.delete(id);
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
  }
}

export function secondsWords(ms: number): string {
  return ms === 1_000 ? "1 second" : `${ms / 1_000} seconds`;
}

/** An answer that lists no tools. */
function noListWords({ error, result = null }: JsonObject): string {
  if (error !== undefined) return `the error ${JSON.stringify(errorText(error).slice(0, shownLength))}`;
  return `a result in which \`tools\` is no list: ${JSON.stringify(result).slice(0, shownLength)}`;
}

function answerTo({ id = null, method }: JsonObject): string {
  if (method === "ping") return JSON.stringify({ jsonrpc: "2.0", id, result: {} });
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
}
