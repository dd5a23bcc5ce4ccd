import type { ModelFailure } from "../contract/turn.ts";
import { ModelError } from "../errors.ts";

/** The error classes of an official client. The client's own class has them all: `OpenAI`, `Anthropic`. */
export interface ClientErrors {
  readonly APIError: {
    generate(status: number, body: object, message: string | undefined, headers: Headers): Error;
  };
  readonly APIConnectionError: new (options: { message?: string; cause?: Error }) => Error;
  readonly APIConnectionTimeoutError: new (options?: { message?: string }) => Error;
  readonly APIUserAbortError: new (options?: { message?: string }) => Error;
}

/** How a provider's service says no. */
export interface FailedResponse {
  readonly status: number;
  readonly body: object;
}

/** The failures that come as a response; the others are told by there being none. */
export type FailedResponses = { readonly [failure in "rate-limit" | "overloaded"]: FailedResponse };

export function failedResponse(
  failure: ModelFailure["failure"],
  responses: FailedResponses,
): FailedResponse | undefined {
  return failure === "rate-limit" || failure === "overloaded" ? responses[failure] : undefined;
}

/** The error that an official client rejects with where a request fails. What is no failure of the model or an abort stays as it is. */
export function asClientError(
  error: unknown,
  errors: ClientErrors | undefined,
  responses: FailedResponses,
  signal: AbortSignal | null | undefined,
): unknown {
  if (errors === undefined) return error;
  if (signal?.aborted === true) return Object.assign(new errors.APIUserAbortError(), { cause: error });
  if (!(error instanceof ModelError)) return error;
  const response = failedResponse(error.failure, responses);
  if (response !== undefined) {
    return errors.APIError.generate(response.status, response.body, undefined, new Headers());
  }
  if (error.failure === "timeout") return new errors.APIConnectionTimeoutError();
  return new errors.APIConnectionError({ cause: error });
}
