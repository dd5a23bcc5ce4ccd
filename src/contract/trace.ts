import { z } from "zod";
import { type Json, jsonSchema } from "../world/json.ts";
import { type Behaviour, behaviourSchema } from "./behaviour.ts";
import {
  type LogEntry,
  logEntrySchema,
  type Outcome,
  statusSchema,
  type ToolResult,
  toolResultSchema,
} from "./run-record.ts";
import { type Decision, decisionSchema } from "./script.ts";
import { type ModelFailure, modelFailureSchema, type Proposal, proposalSchema, stopSchema, type Turn } from "./turn.ts";

/**
 * What the kit itself witnessed in one run, in order. It never contains what the harness merely claims, except in
 * `asked` (results, log, menu) and `ended` (status, log), which say so.
 *
 * `step` is the index of the turn being acted on, from 0, the same for all its events; for `asked`, the turn asked for.
 * Before the first turn it is 0. `late` events came after the run had ended.
 */
export type Trace = readonly TraceEvent[];

export type TraceEvent = TraceEventBody & { readonly step: number; readonly late?: true };

type TraceEventBody =
  | {
      readonly type: "asked";
      readonly results?: readonly ToolResult[];
      readonly log?: readonly LogEntry[];
      readonly menu?: readonly string[];
      readonly spelledAs?: { readonly [shown: string]: string };
    }
  /**
   * One proposal of a turn was delivered. `position` counts within the turn. `normalised` is what the harness's
   * `normalise` made of the arguments; `refusedBySchema` that it threw, so that they are not valid.
   */
  | {
      readonly type: "proposed";
      readonly position: number;
      readonly proposal: Proposal;
      readonly stop: Turn["stop"];
      readonly normalised?: Json;
      readonly refusedBySchema?: true;
    }
  | { readonly type: "model-failed"; readonly failure: ModelFailure["failure"] }
  | {
      readonly type: "approval-asked";
      readonly request: number;
      readonly callId?: string;
      readonly tool: string;
      readonly args: Json;
    }
  /** `granted` only where the human said yes. `request` is that of the `approval-asked` it answers. */
  | {
      readonly type: "approval-given";
      readonly request: number;
      readonly callId?: string;
      readonly tool: string;
      readonly args: Json;
      readonly decision: Decision;
      readonly granted: boolean;
    }
  /** `effect` numbers the handler invocations of the run from 0; `behaviour` is what the script made it do. */
  | {
      readonly type: "handler-started";
      readonly effect: number;
      readonly tool: string;
      readonly callId?: string;
      readonly args: Json;
      readonly behaviour: Behaviour;
    }
  /** `odd` names a returned or thrown value that is not JSON. */
  | {
      readonly type: "handler-settled";
      readonly effect: number;
      readonly tool: string;
      readonly outcome: "returned" | "threw";
      readonly value?: Json;
      readonly odd?: string;
      /** It could not be watched: a call was answered without an error, and nobody knows with what it settled. */
      readonly told?: true;
    }
  | { readonly type: "handler-hangs"; readonly effect: number; readonly tool: string }
  | { readonly type: "human-hangs"; readonly request: number; readonly tool: string }
  | { readonly type: "tampered"; readonly tool: string; readonly edit: string }
  /** The kit refused to serve a turn. Past the budget, what the harness makes of it is no evidence. */
  | { readonly type: "kit-refused"; readonly because: "past-the-budget" | "aborted" }
  | { readonly type: "aborted" }
  | { readonly type: "inherited-called"; readonly name: string }
  | { readonly type: "global-changed"; readonly where: string; readonly key: string }
  | { readonly type: "unhandled-rejection"; readonly message: string }
  /** `thrown` names the error where the harness ended by a documented stop. */
  | {
      readonly type: "ended";
      readonly status: Outcome["status"];
      readonly thrown?: string;
      readonly log?: readonly LogEntry[];
    }
  /** `kitMade`: the error is the kit's own refusal passed on, and no evidence. */
  | {
      readonly type: "crashed";
      readonly name: string;
      readonly message: string;
      readonly stack?: string;
      readonly kitMade?: true;
    }
  | { readonly type: "hung"; readonly afterMs: number };

export type EventOf<Type extends TraceEvent["type"]> = Extract<TraceEvent, { readonly type: Type }>;

const common = { step: z.int().nonnegative(), late: z.literal(true).exactOptional() };
const call = { tool: z.string(), callId: z.string().exactOptional(), args: jsonSchema };
const logs = { log: z.array(logEntrySchema).exactOptional() };

export const traceEventSchema: z.ZodType<TraceEvent> = z.discriminatedUnion("type", [
  z.strictObject({
    ...common,
    ...logs,
    type: z.literal("asked"),
    results: z.array(toolResultSchema).exactOptional(),
    menu: z.array(z.string()).exactOptional(),
    spelledAs: z.record(z.string(), z.string()).exactOptional(),
  }),
  z.strictObject({
    ...common,
    type: z.literal("proposed"),
    position: z.int().nonnegative(),
    proposal: proposalSchema,
    stop: stopSchema,
    normalised: jsonSchema.exactOptional(),
    refusedBySchema: z.literal(true).exactOptional(),
  }),
  z.strictObject({ ...common, type: z.literal("model-failed"), failure: modelFailureSchema.shape.failure }),
  z.strictObject({ ...common, ...call, type: z.literal("approval-asked"), request: z.int() }),
  z.strictObject({
    ...common,
    ...call,
    type: z.literal("approval-given"),
    request: z.int(),
    decision: decisionSchema,
    granted: z.boolean(),
  }),
  z.strictObject({
    ...common,
    ...call,
    type: z.literal("handler-started"),
    effect: z.int(),
    behaviour: behaviourSchema,
  }),
  z.strictObject({
    ...common,
    type: z.literal("handler-settled"),
    effect: z.int(),
    tool: z.string(),
    outcome: z.enum(["returned", "threw"]),
    value: jsonSchema.exactOptional(),
    odd: z.string().exactOptional(),
    told: z.literal(true).exactOptional(),
  }),
  z.strictObject({ ...common, type: z.literal("handler-hangs"), effect: z.int(), tool: z.string() }),
  z.strictObject({ ...common, type: z.literal("human-hangs"), request: z.int(), tool: z.string() }),
  z.strictObject({ ...common, type: z.literal("tampered"), tool: z.string(), edit: z.string() }),
  z.strictObject({ ...common, type: z.literal("kit-refused"), because: z.enum(["past-the-budget", "aborted"]) }),
  z.strictObject({ ...common, type: z.literal("aborted") }),
  z.strictObject({ ...common, type: z.literal("inherited-called"), name: z.string() }),
  z.strictObject({ ...common, type: z.literal("global-changed"), where: z.string(), key: z.string() }),
  z.strictObject({ ...common, type: z.literal("unhandled-rejection"), message: z.string() }),
  z.strictObject({
    ...common,
    ...logs,
    type: z.literal("ended"),
    status: statusSchema,
    thrown: z.string().exactOptional(),
  }),
  z.strictObject({
    ...common,
    type: z.literal("crashed"),
    name: z.string(),
    message: z.string(),
    stack: z.string().exactOptional(),
    kitMade: z.literal(true).exactOptional(),
  }),
  z.strictObject({ ...common, type: z.literal("hung"), afterMs: z.number() }),
]);

export const traceSchema: z.ZodType<Trace> = z.array(traceEventSchema);
