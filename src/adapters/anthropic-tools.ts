import type { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import type { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import type { Tool } from "../contract/harness.ts";
import type { JsonSchema } from "../world/input-schema.ts";
import type { ToolSpec } from "../world/tool.ts";

/** A tool as the SDK's runner takes it. `name` and `run` are what a guard of your own needs. */
export type RunnableTool = BetaRunnableTool & { readonly name: string };

/** The zod schema of a tool, where it has one. */
export type ZodSchemaOf = (tool: ToolSpec) => Parameters<typeof betaZodTool>[0]["inputSchema"] | undefined;

export interface ToolMakers {
  readonly betaTool: typeof betaTool;
  readonly zod?: { readonly betaZodTool: typeof betaZodTool; readonly zodSchema: ZodSchemaOf };
}

/** What the SDK makes of a declaration, without its `run`, which differs from run to run. */
type Declared = Omit<BetaRunnableTool, "run" | "name" | "description">;

/** The tools of runs, in the SDK's own terms. Each schema is made into a tool once, as it is in a program that declares its tools. */
export class RunnableTools {
  readonly #makers: ToolMakers;
  readonly #declared = new WeakMap<JsonSchema, Map<string, Declared>>();

  constructor(makers: ToolMakers) {
    this.#makers = makers;
  }

  of(tool: Tool): RunnableTool {
    const { name, description } = tool;
    return {
      ...this.#declaredOf(tool),
      name,
      description,
      run: async (input: unknown, context: Parameters<BetaRunnableTool["run"]>[1]) => {
        const result = tool.execute(input, context && { callId: context.toolUse.id });
        return textOf(await untilAborted(result, context?.signal));
      },
    } as RunnableTool;
  }

  #declaredOf({ execute: _, ...tool }: Tool): Declared {
    const { inputSchema, name } = tool;
    const byName = this.#declared.get(inputSchema) ?? new Map<string, Declared>();
    this.#declared.set(inputSchema, byName);
    const declared = byName.get(name) ?? this.#declare(tool);
    byName.set(name, declared);
    return declared;
  }

  #declare(tool: ToolSpec): Declared {
    const { betaTool, zod } = this.#makers;
    const { name, description, inputSchema } = tool;
    const run = () => "";
    const schema = zod?.zodSchema(tool);
    return zod === undefined || schema === undefined
      ? betaTool({ name, description, inputSchema: { ...inputSchema, type: "object" }, run })
      : zod.betaZodTool({ name, description, inputSchema: schema, run });
  }
}

/** A result is a text, or blocks: what is neither is written down, as any tool of this SDK does. Throws where that can't be done. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** The runner waits for every tool, and asks those that may take long to look at the signal. So they do. */
function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal | null | undefined): Promise<Result> {
  return signal ? Promise.race([result, abortOf(signal)]) : result;
}

const aborts = new WeakMap<AbortSignal, Promise<never>>();

/** Rejects once the signal aborts. One listener for all calls of a run: more than ten make Node print a warning. */
function abortOf(signal: AbortSignal): Promise<never> {
  const known = aborts.get(signal);
  if (known !== undefined) return known;
  const abort = new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  abort.catch(() => {});
  aborts.set(signal, abort);
  return abort;
}
