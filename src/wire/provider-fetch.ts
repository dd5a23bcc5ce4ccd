import { ModelError } from "../errors.ts";
import { type FailedResponses, failedResponse } from "./client-errors.ts";
import type { ModelReply, ModelRequest } from "./model-double.ts";
import { bytePieces } from "./text-pieces.ts";

/** The platform's `fetch`, as the official clients take it for their option of that name. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** What one provider's service answers to the one request that is played. */
export interface Service<Body> {
  /** How errors name it. */
  readonly name: string;
  /** How the path of that request ends. */
  readonly path: string;
  /** How it ends where a streamed reply is wanted. Absent: the body says so, with `stream: true`. */
  readonly streamedPath?: string;
  ask(request: ModelRequest, signal?: AbortSignal | null): Promise<ModelReply>;
  read(body: Body): ModelRequest;
  /** The body of a plain reply. */
  plain(reply: ModelReply, body: Body): string;
  /** The server-sent events of a streamed one. */
  events(reply: ModelReply, body: Body): readonly string[];
  readonly failures: FailedResponses;
}

/**
 * A service behind `fetch`: what the official client sends is read, and what it gets are the bytes that the real service would send.
 *
 * A failed request is a response with the provider's status, or, like a lost connection, none. Anything else that is asked for is answered
 * with a bad request that says so, which no client tries again.
 */
export function providerFetch<Body extends { readonly stream?: unknown }>(service: Service<Body>): Fetch {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const isStreamedPath = service.streamedPath !== undefined && pathname.endsWith(service.streamedPath);
    if (!isStreamedPath && !pathname.endsWith(service.path)) return jsonResponse(400, notPlayed(service, pathname));
    const body = JSON.parse(typeof init?.body === "string" ? init.body : await new Request(input, init).text()) as Body;
    try {
      const reply = await service.ask(service.read(body), signal);
      if (!isStreamedPath && body.stream !== true) return jsonResponse(200, service.plain(reply, body));
      return new Response(bodyInPieces(service.events(reply, body), signal), { headers: eventHeaders });
    } catch (error) {
      return responseTo(error, service.failures, signal);
    }
  };
}

const eventHeaders = { "content-type": "text/event-stream; charset=utf-8" };

function responseTo(error: unknown, failures: FailedResponses, signal: AbortSignal | null | undefined): Response {
  const failed = error instanceof ModelError ? failedResponse(error.failure, failures) : undefined;
  // A client that tries again by itself need not wait: time is nothing that a script says anything about.
  if (failed !== undefined) return jsonResponse(failed.status, JSON.stringify(failed.body), { "retry-after-ms": "0" });
  // Clients take an error of this name for their own timeout, unless it was their signal that aborted.
  const isAbort = error instanceof Error && error.name === "AbortError";
  throw isAbort && signal?.aborted !== true ? new Error("the run was aborted", { cause: error }) : error;
}

function notPlayed({ name, path }: Pick<Service<never>, "name" | "path">, got: string): string {
  const message = `Expected the loop to ask ${name}(run) for \`${path}\` only, got \`${got}\`. Do give the loop a double of its own for that.`;
  return JSON.stringify({ type: "error", error: { type: "invalid_request_error", message, param: null, code: null } });
}

function jsonResponse(status: number, body: string, headers: { readonly [name: string]: string } = {}): Response {
  return new Response(body, { status, headers: { ...headers, "content-type": "application/json" } });
}

/** Cut anywhere, as the network may: inside an event, inside a character. */
function bodyInPieces(events: readonly string[], signal: AbortSignal | null | undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pieces = events.flatMap((event) => bytePieces(encoder.encode(event)));
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = pieces[next];
      next += 1;
      if (signal?.aborted === true) controller.error(signal.reason);
      else if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}
