import type { ToolResult } from "../contract/run-record.ts";
import type { Text, ToolCall } from "../contract/turn.ts";
import { parseJson } from "../world/json.ts";
import type { FailedResponses } from "./client-errors.ts";
import { contentText, field, textField } from "./message-content.ts";
import { fieldsBeside, type ModelReply, type ModelRequest } from "./model-double.ts";
import type { Sent } from "./new-results.ts";
import { resultText } from "./result-text.ts";
import { textPieces } from "./text-pieces.ts";

export function readGoogleGenaiRequest(body: unknown): ModelRequest {
  const tools = listIn(body, "tools").flatMap((tool) => listIn(tool, "functionDeclarations"));
  return { conversation: sentIn(listIn(body, "contents")), toolNames: tools.map((tool) => textField(tool, "name")) };
}

function listIn(value: unknown, key: string): readonly unknown[] {
  const list = field(value, key);
  return Array.isArray(list) ? list : [];
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
}

/**
 * The ids of this wire are optional. A result without one is for the first call of its name that has no result yet, as the service takes it.
 */
function sentIn(contents: readonly unknown[]): readonly Sent[] {
  const sent: Sent[] = [];
  let open: OpenCall[] = [];
  let modelSpoke = false;
  for (const content of contents) {
    const isModel = field(content, "role") === "model";
    if (isModel) {
      // A streamed reply stands there in the pieces in which it came.
      if (!modelSpoke) open = [];
      if (!modelSpoke) sent.push({ kind: "reply" });
      open.push(...listIn(content, "parts").flatMap(callIn));
    }
    modelSpoke = isModel;
    if (isModel) continue;
    for (const part of listIn(content, "parts")) {
      const response = field(part, "functionResponse");
      if (typeof response !== "object" || response === null) continue;
      sent.push({ kind: "result", result: resultIn(response, open) });
    }
  }
  return sent;
}

function callIn(part: unknown): readonly OpenCall[] {
  const call = field(part, "functionCall");
  if (typeof call !== "object" || call === null) return [];
  return [{ id: textField(call, "id"), name: textField(call, "name") }];
}

function resultIn(response: object, open: OpenCall[]): ToolResult {
  const id = field(response, "id");
  const name = textField(response, "name");
  const answers = (call: OpenCall) => (typeof id === "string" && id !== "" ? call.id === id : call.name === name);
  const position = open.findIndex(answers);
  const [call] = position < 0 ? [] : open.splice(position, 1);
  const callId = typeof id === "string" && id !== "" ? id : (call?.id ?? "");
  return { callId, ...outcomeIn(field(response, "response")) };
}

/** The service reads an output under `output`, an error under `error`, and else takes the whole object for the output. */
function outcomeIn(response: unknown): Omit<ToolResult, "callId"> {
  const error = field(response, "error");
  if (error !== undefined) return { text: textOf(error), isError: true };
  const output = field(response, "output");
  return { text: textOf(output === undefined ? response : output) };
}

/** What a tool of the Model Context Protocol gives is a list of contents. */
function textOf(value: unknown): string {
  const content = field(value, "content");
  return Array.isArray(content) ? contentText(content) : resultText(value ?? "");
}

/** The plain reply as the body of a response. Argument text that is JSON stands in it as the model wrote it: a double key, `1e400`. */
export function googleGenaiReplyText(reply: ModelReply): string {
  return replyText(reply, reply.parts.map(partText), finishReason(reply));
}

function replyText({ number }: ModelReply, parts: readonly string[], finish: string | undefined): string {
  // The service leaves out what is empty.
  const content = `{"role":"model"${parts.length > 0 ? `,"parts":[${parts.join(",")}]` : ""}}`;
  const stopped = finish === undefined ? "" : `,"finishReason":"${finish}"`;
  return `{"candidates":[{"content":${content}${stopped},"index":0}],"usageMetadata":${noUsage},"modelVersion":"scripted","responseId":"response-${number}"}`;
}

const noUsage = '{"promptTokenCount":0,"candidatesTokenCount":0,"totalTokenCount":0}';

/** Calls are no reason of their own to stop. */
function finishReason({ stop }: ModelReply): string {
  return stop === "length" ? "MAX_TOKENS" : "STOP";
}

function partText(part: ToolCall | Text): string {
  if (part.kind === "text") return JSON.stringify({ text: part.text });
  const call = JSON.stringify({
    ...fieldsBeside(part),
    ...(part.callId !== "" && { id: part.callId }),
    name: part.name,
  });
  if (part.args === "") return `{"functionCall":${call}}`;
  const args = parseJson(part.args) === undefined ? JSON.stringify(part.args) : inOneLine(part.args);
  return `{"functionCall":${call.slice(0, -1)},"args":${args}}}`;
}

/** A line break in JSON is but space, and would end an event; half a character stands in a text, and no bytes are it. */
function inOneLine(json: string): string {
  const line = json.replace(/[\n\r]/g, " ");
  return line.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
}

/**
 * The same reply in chunks, each of which is a reply: text in pieces, calls whole. Services differ in whether calls that stand side by side
 * share a chunk, and whether the last one says why the turn stopped or leaves that to a chunk of its own: replies take turns in that.
 */
export function googleGenaiChunks(reply: ModelReply): readonly string[] {
  const stop = finishReason(reply);
  const chunks: string[][] = [];
  const [callsShare, stopsApart] = [reply.number % 2 === 1, reply.number % 4 > 1];
  let last: ModelReply["parts"][number] | undefined;
  for (const part of reply.parts) {
    const pieces = part.kind === "text" ? textPieces(part.text).map((text) => partText({ ...part, text })) : [];
    if (part.kind === "text") chunks.push(...pieces.map((piece) => [piece]));
    else if (callsShare && last?.kind === "tool-call") chunks.at(-1)?.push(partText(part));
    else chunks.push([partText(part)]);
    last = part;
  }
  if (stopsApart || chunks.length === 0) chunks.push(['{"text":""}']);
  return chunks.map((parts, index) => replyText(reply, parts, index === chunks.length - 1 ? stop : undefined));
}

export const googleGenaiFailures: FailedResponses = {
  "rate-limit": {
    status: 429,
    body: { error: { code: 429, message: "Resource has been exhausted.", status: "RESOURCE_EXHAUSTED" } },
  },
  overloaded: {
    status: 503,
    body: { error: { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" } },
  },
};
