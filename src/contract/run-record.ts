import { z } from "zod";

/** What the harness tells of its own work: shown to the model before a turn, and handed back at the end. */
export interface ToolResult {
  readonly callId: string;
  readonly text: string;
  readonly isError?: boolean;
}

export interface LogEntry {
  readonly type: "proposal" | "result" | "blocked" | "error" | "stop";
  readonly step?: number;
  readonly callId?: string;
  readonly tool?: string;
  readonly detail?: string;
}

export interface ModelInput {
  /** The results for the calls of the previous turn. */
  readonly results?: readonly ToolResult[];
  readonly log?: readonly LogEntry[];
  /** The names of the tools shown to the model. */
  readonly menu?: readonly string[];
  /** Shown name to declared tool, where the harness spells names differently. */
  readonly spelledAs?: { readonly [shown: string]: string };
}

export interface Outcome {
  readonly status: "answered" | "blocked" | "needs-approval" | "out-of-steps" | "failed" | "aborted";
  readonly log?: readonly LogEntry[];
}

export const statusSchema = z.enum(["answered", "blocked", "needs-approval", "out-of-steps", "failed", "aborted"]);

export const toolResultSchema: z.ZodType<ToolResult> = z.object({
  callId: z.string(),
  text: z.string(),
  isError: z.boolean().exactOptional(),
});

export const logEntrySchema: z.ZodType<LogEntry> = z.object({
  type: z.enum(["proposal", "result", "blocked", "error", "stop"]),
  step: z.number().exactOptional(),
  callId: z.string().exactOptional(),
  tool: z.string().exactOptional(),
  detail: z.string().exactOptional(),
});
