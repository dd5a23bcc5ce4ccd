import { z } from "zod";
import { type MaxSteps, maxStepsSchema } from "./budget.ts";
import { type ToolSpec, toolSpecSchema } from "./tool.ts";

/**
 * What a harness is set up with for one run: the tools it declares, the skills that can be loaded, and its budget.
 * Every rule is judged by the world, never by the live tool list.
 */
export interface World {
  readonly tools: readonly ToolSpec[];
  readonly skills: readonly string[];
  readonly maxSteps: MaxSteps;
}

export const worldSchema: z.ZodType<World> = z.strictObject({
  tools: z.array(toolSpecSchema),
  skills: z.array(z.string()),
  maxSteps: maxStepsSchema,
});

/** The declared tool of exactly this name. */
export function findTool(world: World, name: string): ToolSpec | undefined {
  return world.tools.find((tool) => tool.name === name);
}
