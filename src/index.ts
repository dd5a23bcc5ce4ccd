export { argumentsFor } from "../arbitraries/arguments-for.ts";
export { catalogue as classes } from "../arbitraries/index.ts";
export { scripts, weave } from "../arbitraries/script-of.ts";
export { canonicalWorlds, worlds } from "../arbitraries/small-world.ts";
export { catalogue as properties } from "../properties/index.ts";
export { applyBaseline } from "./check/apply-baseline.ts";
export { checkHarness } from "./check/check-harness.ts";
export { enumeration, judgeTrace, openStage, type Stage } from "./check/pieces.ts";
export { type ReplayOptions, replayScript } from "./check/replay-script.ts";
export { property } from "./check/rule-property.ts";
export { updateBaseline } from "./check/update-baseline.ts";
export { type Baseline, type BaselineEntry, baselineSchema } from "./contract/baseline.ts";
export { type Behaviour, behaviourSchema } from "./contract/behaviour.ts";
export type { CheckOptions, Progress } from "./contract/check-options.ts";
export { type Finding, findingSchema } from "./contract/finding.ts";
export type { ApprovalRequest, CallContext, Claims, Harness, Shape, TestRun, Tool } from "./contract/harness.ts";
export { PLANTED_NAME } from "./contract/planted-name.ts";
export type { Evidence, Property } from "./contract/property.ts";
export {
  type BaselineReport,
  type KnownFailure,
  type Report,
  type RuleReport,
  type RuleVerdict,
  reportSchema,
} from "./contract/report.ts";
export type { LogEntry, ModelInput, Outcome, ToolResult } from "./contract/run-record.ts";
export { type Decision, type Script, scriptSchema, sizeOf } from "./contract/script.ts";
export type { Draft, DraftTurn, Move, ScriptClass, Setting } from "./contract/script-class.ts";
export { type EventOf, type Trace, type TraceEvent, traceSchema } from "./contract/trace.ts";
export type { LoadSkill, ModelFailure, Proposal, Text, ToolCall, Turn } from "./contract/turn.ts";
export { proposalSchema, turnSchema } from "./contract/turn.ts";
export { type Verdict, verdictSchema } from "./contract/verdict.ts";
export { ModelError, PastBudgetError, UndecidedError, UsageError } from "./errors.ts";
export { assertHolds } from "./report/assert-holds.ts";
export { renderText, type TextOptions } from "./report/render-text.ts";
export type { ReplayCommand } from "./report/replay-command.ts";
export { anthropicFetch } from "./wire/anthropic-fetch.ts";
export { type AnthropicMessages, anthropicMessages } from "./wire/anthropic-messages.ts";
export type {
  AnthropicEvent,
  AnthropicMessagesRequest,
  AnthropicReply,
  AnthropicTextBlock,
  AnthropicToolUseBlock,
} from "./wire/anthropic-wire.ts";
export type { ClientErrors } from "./wire/client-errors.ts";
export { type DefinedWorld, defineWorld, type ToolDefinition, type WorldOptions } from "./wire/define-world.ts";
export {
  type DispatchedCall,
  type DispatcherBase,
  type DispatcherOptions,
  type DispatchReply,
  dispatcherHarness,
} from "./wire/dispatcher-harness.ts";
export type { EventStream } from "./wire/event-stream.ts";
export { googleGenaiFetch } from "./wire/google-genai-fetch.ts";
export type { ClientDoubleOptions, ModelDoubleOptions } from "./wire/model-double.ts";
export { type OpenaiChat, openaiChat } from "./wire/openai-chat.ts";
export { openaiFetch } from "./wire/openai-fetch.ts";
export type {
  OpenaiChatChunk,
  OpenaiChatReply,
  OpenaiChatRequest,
  OpenaiToolCall,
} from "./wire/openai-wire.ts";
export type { Fetch } from "./wire/provider-fetch.ts";
export type { Spelling, SpellingChanges } from "./wire/spelling.ts";
export { type DecodedText, type TextCodec, textCodec } from "./wire/text-codec.ts";
export { type MaxSteps, turnsAllowed } from "./world/budget.ts";
export { type JsonSchema, satisfies } from "./world/input-schema.ts";
export { type Json, type JsonObject, parseArguments } from "./world/json.ts";
export { decide, type Permission, type Policy } from "./world/policy.ts";
export type { Offered, ToolSpec } from "./world/tool.ts";
export { findTool, type World, worldSchema } from "./world/world.ts";
