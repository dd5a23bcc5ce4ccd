import type { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import type { ToolResult } from "../contract/run-record.ts";
import type { LoadSkill, ToolCall } from "../contract/turn.ts";
import { fieldsBeside } from "../wire/model-double.ts";
import { type JsonObject, parseJson } from "../world/json.ts";
import {
  callParams,
  initializeParams,
  type McpReply,
  messageIn,
  namesIn,
  notificationFrame,
  replyOf,
  requestFrame,
  tellsOfChanges,
} from "./mcp-frames.ts";
import type { McpConversation } from "./mcp-turns.ts";
import { skillLoader } from "./skill-room.ts";

/** How the calls of one turn are sent: a client may do either. */
export type McpCalls = "at-once" | "one-by-one";

/**
 * A raw client at one end of an in-memory pair: it sends frames as they are, without the checks of the SDK's own client, and
 * each frame goes through JSON text, so that the two ends share no objects.
 */
export class McpMemoryClient {
  readonly #end: InMemoryTransport;
  readonly #waiting = new Map<number, (message: JsonObject) => void>();
  readonly #calls = new Map<number, string>();
  /** Until the server says that its list has changed. */
  #listed: readonly string[] | undefined;
  #tellsOfChanges = false;
  #ids = 0;

  constructor(end: InMemoryTransport) {
    this.#end = end;
    end.onmessage = (message) => {
      const received = messageIn(JSON.stringify(message));
      if (received === undefined) return;
      if (received.method === "notifications/tools/list_changed") this.#listed = undefined;
      if ("method" in received) return;
      const id = received.id as number;
      this.#waiting.get(id)?.(received);
      this.#waiting.delete(id);
    };
  }

  async start(): Promise<void> {
    await this.#end.start();
    this.#tellsOfChanges = tellsOfChanges(await this.request("initialize", initializeParams()));
    await this.#send(notificationFrame("notifications/initialized"));
  }

  /** What the server lists, as a client knows it: asked for again after a change, or each time where changes are not told. */
  async names(): Promise<readonly string[]> {
    if (this.#listed !== undefined) return this.#listed;
    const names = namesIn(await this.request("tools/list"));
    if (this.#tellsOfChanges) this.#listed = names;
    return names;
  }

  /** The model's id of the call that a request of `tools/call` carried. */
  callIdOf(requestId: unknown): string | undefined {
    return this.#calls.get(requestId as number);
  }

  async call(call: ToolCall): Promise<McpReply> {
    if (call.args !== "" && parseJson(call.args) === undefined) {
      return { text: "The arguments are not JSON.", isError: true };
    }
    const params = callParams(call.name, call.args, fieldsBeside(call));
    return replyOf(await this.request("tools/call", params, call.callId));
  }

  /** Tells the server that nobody waits any more for what it has not answered yet. */
  async cancelAll(): Promise<void> {
    for (const requestId of this.#waiting.keys()) {
      await this.#send(notificationFrame("notifications/cancelled", { requestId }));
    }
    this.#waiting.clear();
  }

  request(method: string, params?: string, callId?: string): Promise<JsonObject> {
    this.#ids += 1;
    const id = this.#ids;
    if (callId !== undefined) this.#calls.set(id, callId);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#send(requestFrame(id, method, params)).catch(reject);
    });
  }

  async #send(frame: string): Promise<void> {
    await this.#end.send(JSON.parse(frame) as JSONRPCMessage);
  }
}

/**
 * What the loop sees of it.
 *
 * @param signal where aborts are claimed: what is under way then is cancelled.
 */
export function conversationOf(
  client: McpMemoryClient,
  { menu, calls, signal }: { readonly menu: boolean; readonly calls: McpCalls; readonly signal?: AbortSignal },
): McpConversation {
  const one = async (call: ToolCall | LoadSkill): Promise<ToolResult> => {
    const { text, isError } = await client.call(call.kind === "tool-call" ? call : loadCall(call));
    return { callId: call.callId, text, ...(isError && { isError }) };
  };
  const all = async (proposed: readonly (ToolCall | LoadSkill)[]): Promise<readonly ToolResult[] | undefined> => {
    if (calls === "at-once") return Promise.all(proposed.map(one));
    const results: ToolResult[] = [];
    for (const call of proposed) {
      if (signal?.aborted) return undefined;
      results.push(await one(call));
    }
    return results;
  };
  return {
    ...(menu && { menu: () => client.names() }),
    answer: (proposed) => (signal === undefined ? all(proposed) : untilAborted(all(proposed), client, signal)),
  };
}

function loadCall({ callId, skill }: LoadSkill): ToolCall {
  return { kind: "tool-call", callId, name: skillLoader.name, args: JSON.stringify({ skill }) };
}

async function untilAborted<Value>(
  work: Promise<Value>,
  client: McpMemoryClient,
  signal: AbortSignal,
): Promise<Value | undefined> {
  if (signal.aborted) {
    await client.cancelAll();
    return undefined;
  }
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => void client.cancelAll().then(() => resolve(undefined));
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
