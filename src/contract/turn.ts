import { z } from "zod";
import { type Json, jsonSchema } from "../world/json.ts";

/** A request to run one tool. `args` is raw text and may be malformed; `extra` stands beside the arguments in the call object. */
export interface ToolCall {
  readonly kind: "tool-call";
  readonly callId: string;
  readonly name: string;
  readonly args: string;
  /** Never overrides `callId`, `name` or `args`. */
  readonly extra?: { readonly [key: string]: Json };
}

export interface LoadSkill {
  readonly kind: "load-skill";
  readonly callId: string;
  readonly skill: string;
}

/** A final reply, prose beside calls, or garbage. */
export interface Text {
  readonly kind: "text";
  readonly text: string;
}

/** One thing that the model asks for. It proposes; the harness decides. */
export type Proposal = ToolCall | LoadSkill | Text;

/** One reply of the model. */
export interface Turn {
  readonly proposals: readonly Proposal[];
  readonly stop: "tool-calls" | "end" | "length";
}

/** The model's own request fails: `nextTurn` rejects with a {@link ModelError}. It is not a step. */
export interface ModelFailure {
  readonly kind: "failure";
  readonly failure: "rate-limit" | "overloaded" | "timeout" | "connection";
}

export const proposalSchema: z.ZodType<Proposal> = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("tool-call"),
    callId: z.string(),
    name: z.string(),
    args: z.string(),
    extra: z.record(z.string(), jsonSchema).exactOptional(),
  }),
  z.strictObject({ kind: z.literal("load-skill"), callId: z.string(), skill: z.string() }),
  z.strictObject({ kind: z.literal("text"), text: z.string() }),
]);

export const stopSchema = z.enum(["tool-calls", "end", "length"]);

export const turnSchema: z.ZodType<Turn> = z.strictObject({ proposals: z.array(proposalSchema), stop: stopSchema });

export const modelFailureSchema = z.strictObject({
  kind: z.literal("failure"),
  failure: z.enum(["rate-limit", "overloaded", "timeout", "connection"]),
});

export function isModelFailure(turn: Turn | ModelFailure): turn is ModelFailure {
  return "kind" in turn;
}
