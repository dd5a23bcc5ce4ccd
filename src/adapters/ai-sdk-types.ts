import type { TestRun } from "../contract/harness.ts";
import type { JsonSchema } from "../world/input-schema.ts";

/** The majors that the adapter was tried on. */
export type AiSdkMajor = 5 | 6 | 7;

/** The module `ai`, of any of those majors: `import * as ai from "ai"`. */
export interface AiSdkModule {
  generateText(options: never): unknown;
  stepCountIs(count: number): unknown;
}

/** What the adapter itself calls of it. */
export interface AiSdkParts {
  jsonSchema(schema: JsonSchema, options: { validate(value: unknown): Validation }): unknown;
  readonly APICallError: new (options: {
    message: string;
    url: string;
    requestBodyValues: unknown;
    statusCode?: number;
    responseHeaders: { readonly [name: string]: string };
    responseBody?: string;
    isRetryable: boolean;
    cause: unknown;
  }) => Error;
}

type Validation = { success: true; value: unknown } | { success: false; error: Error };

type CallOptions<Sdk extends AiSdkModule> = Parameters<Sdk["generateText"]>[0];
type Option<Sdk extends AiSdkModule, Name extends PropertyKey> =
  CallOptions<Sdk> extends infer Options
    ? Options extends { readonly [key in Name]?: infer Value }
      ? NonNullable<Value>
      : never
    : never;

/** What the agent under test is built from, in the SDK's own types. */
export interface AgentParts<Sdk extends AiSdkModule = typeof import("ai")> {
  /** The scripted model. */
  readonly model: Option<Sdk, "model">;
  /** The run's tools, and `load_skill`. Those that a human is asked about have `needsApproval`, in 6 and 7. */
  readonly tools: Option<Sdk, "tools">;
  /** The names of the tools that are offered now, for `prepareStep`. */
  activeTools(): string[];
  /** The conversation: the first request or, after a human has decided, all so far and the decisions. */
  readonly messages: Option<Sdk, "messages">;
  /** For `stepCountIs`: as it is, odd ones too. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  /** The policy of the tools as 7 has it. It takes precedence over `needsApproval`, and knows `"denied"` too. */
  readonly toolApproval: Option<Sdk, "toolApproval">;
  /** The run itself, for tools of your own: `toolCalled` gives the scripted outcome, `requestApproval` asks the human. */
  readonly run: TestRun;
}

/** One step of the SDK's loop, as far as it is read here. */
export interface LoopStep {
  readonly content: readonly unknown[];
  readonly finishReason: string;
}

type Now<Value> = Value | PromiseLike<Value>;

/** What `generateText` resolves to, or `streamText` gives. */
export interface LoopResult {
  readonly steps: Now<readonly unknown[]>;
  readonly response: Now<{ readonly messages?: readonly unknown[] }>;
}

/** A `ToolLoopAgent`, or the `Experimental_Agent` of 5. */
export interface LoopAgent {
  generate(options: never): PromiseLike<LoopResult>;
  stream(options: never): Now<LoopResult>;
}
