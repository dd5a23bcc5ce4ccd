import { z } from "zod";
import { type Script, scriptSchema } from "./script.ts";
import { type Trace, traceSchema } from "./trace.ts";

/** One fault: the rule broken by one cause, with the smallest script that shows it. */
export interface Finding {
  /** A stable slug, such as "hidden-tool". */
  readonly cause: string;
  /** One sentence with the names in quotes. */
  readonly because: string;
  readonly script: Script;
  readonly trace: Trace;
  /** The index of the guilty event in the trace. */
  readonly at: number;
  /** The proposal class of each proposal of the script, in order. */
  readonly classes: readonly string[];
  /** For a rule that compares two runs: the other script and its trace. */
  readonly twin?: { readonly script: Script; readonly trace: Trace };
  /** The script's size. */
  readonly proposals: number;
  readonly foundIn: "saved" | "enumeration" | "random";
  /** Scripts played until it was found. */
  readonly foundAfter: number;
  /** Harness runs spent on making the script smaller. */
  readonly shrinkRuns: number;
  /** The file that the script was saved as, in the folder that the report names. */
  readonly savedAs?: string;
  /** It did not fail again when it was played again. */
  readonly flaky?: true;
  /** The baseline holds it: why it is accepted, empty where nobody has said. */
  readonly known?: string;
}

export const findingSchema: z.ZodType<Finding> = z.strictObject({
  cause: z.string(),
  because: z.string(),
  script: scriptSchema,
  trace: traceSchema,
  at: z.int().nonnegative(),
  classes: z.array(z.string()),
  twin: z.strictObject({ script: scriptSchema, trace: traceSchema }).exactOptional(),
  proposals: z.int().nonnegative(),
  foundIn: z.enum(["saved", "enumeration", "random"]),
  foundAfter: z.int().nonnegative(),
  shrinkRuns: z.int().nonnegative(),
  savedAs: z.string().exactOptional(),
  flaky: z.literal(true).exactOptional(),
  known: z.string().exactOptional(),
});
