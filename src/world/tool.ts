import { z } from "zod";
import type { JsonSchema } from "./input-schema.ts";
import { jsonObjectSchema } from "./json.ts";
import { type Policy, policySchema } from "./policy.ts";

/** When a tool stands on the menu: always, never (declared but hidden), or once a skill was loaded. */
export type Offered = "always" | "never" | { readonly afterSkill: string };

/** A declared tool. `inputSchema.examples`, where given, are used as they are: they seed fields that a schema can't guess. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly permission: Policy;
  readonly offered: Offered;
}

export const toolSpecSchema: z.ZodType<ToolSpec> = z.strictObject({
  name: z.string(),
  description: z.string(),
  inputSchema: jsonObjectSchema,
  permission: policySchema,
  offered: z.union([z.enum(["always", "never"]), z.strictObject({ afterSkill: z.string() })]),
});
