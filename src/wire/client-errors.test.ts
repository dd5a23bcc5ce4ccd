import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { ModelError, PastBudgetError } from "../errors.ts";
import { anthropicFailures } from "./anthropic-wire.ts";
import { asClientError } from "./client-errors.ts";
import { openaiFailures } from "./openai-wire.ts";

describe("client-errors", () => {
  it("gives the provider's status and words, as the client would read them off a response", () => {
    expect(asClientError(new ModelError("rate-limit"), OpenAI, openaiFailures, undefined)).toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
      message: "429 Rate limit reached",
    });
    expect(asClientError(new ModelError("overloaded"), Anthropic, anthropicFailures, undefined)).toMatchObject({
      status: 529,
      type: "overloaded_error",
    });
  });

  it("leaves a failure as it is where no classes were given, and what is no failure of the model always", () => {
    const failure = new ModelError("timeout");
    expect(asClientError(failure, undefined, openaiFailures, undefined)).toBe(failure);
    const past = new PastBudgetError(3);
    expect(asClientError(past, OpenAI, openaiFailures, undefined)).toBe(past);
    const abort = new DOMException("aborted", "AbortError");
    expect(asClientError(abort, OpenAI, openaiFailures, new AbortController().signal)).toBe(abort);
  });

  it("tells an abort of the request's own signal by the client's error for it, with the cause", () => {
    const abort = new DOMException("aborted", "AbortError");
    const error = asClientError(abort, OpenAI, openaiFailures, AbortSignal.abort());
    expect(error).toBeInstanceOf(OpenAI.APIUserAbortError);
    expect(error).toHaveProperty("cause", abort);
    expect(asClientError(abort, undefined, openaiFailures, AbortSignal.abort())).toBe(abort);
  });
});
