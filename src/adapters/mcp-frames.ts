import { resultText } from "../wire/result-text.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../world/json.ts";

/** The protocol that the kit speaks as a client. Servers that know another one say so in their answer, and are played all the same. */
export const protocolVersion = "2025-06-18";

/** What a server answered to a call. */
export interface McpReply {
  readonly text: string;
  readonly isError: boolean;
}

/** A request as the text of one line. `params` is text too: what a model wrote stays as it was written. */
export function requestFrame(id: number, method: string, params = "{}"): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`;
}

export function notificationFrame(method: string, params: JsonObject = {}): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

export function initializeParams(): string {
  return JSON.stringify({
    protocolVersion,
    capabilities: {},
    clientInfo: { name: "gatecrash", version: "1.0.0" },
  });
}

/** The members of `tools/call` that are the client's to fill: nothing that a model says beside its arguments stands there. */
const ownMembers: ReadonlySet<string> = new Set(["name", "arguments", "_meta", "task"]);

/**
 * The parameters of `tools/call`, as text.
 *
 * @param args the argument text as the model wrote it, which need not be JSON. "": the call comes without arguments.
 * @param beside what stands beside the arguments.
 */
export function callParams(name: string, args: string, beside: JsonObject = {}): string {
  const members = Object.entries(beside)
    .filter(([key]) => !ownMembers.has(key))
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  const given = args === "" ? [] : [`"arguments":${args}`];
  return `{${[`"name":${JSON.stringify(name)}`, ...members, ...given].join(",")}}`;
}

/** What a response says: a JSON-RPC error, or a result with or without `isError`. */
export function replyOf(message: JsonObject): McpReply {
  if (message.error !== undefined) return { text: errorText(message.error), isError: true };
  const result = message.result ?? null;
  if (!isJsonObject(result)) return { text: resultText(result), isError: false };
  const content = Array.isArray(result.content) ? (result.content as readonly Json[]) : [];
  const texts = content.map((part) => (isJsonObject(part) && typeof part.text === "string" ? part.text : ""));
  return { text: texts.join("\n"), isError: result.isError === true };
}

/** The message of a JSON-RPC error. */
export function errorText(error: Json): string {
  return isJsonObject(error) && typeof error.message === "string" ? error.message : resultText(error);
}

/** A line as a JSON-RPC message; `undefined` where it is none. */
export function messageIn(line: string): JsonObject | undefined {
  const message = parseJson(line);
  return isJsonObject(message) && message.jsonrpc === "2.0" ? message : undefined;
}

/** The names in an answer to `tools/list`. */
export function namesIn(message: JsonObject): readonly string[] {
  const { result } = message;
  const tools = isJsonObject(result) && Array.isArray(result.tools) ? (result.tools as readonly Json[]) : [];
  return tools.flatMap((tool) => (isJsonObject(tool) && typeof tool.name === "string" ? [tool.name] : []));
}

/** Whether an answer to `initialize` promises that changes of the list of tools are told. */
export function tellsOfChanges(message: JsonObject): boolean {
  let part: Json | undefined = message;
  for (const member of ["result", "capabilities", "tools", "listChanged"]) {
    part = isJsonObject(part) ? part[member] : undefined;
  }
  return part === true;
}
