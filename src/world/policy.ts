import { z } from "zod";
import { type JsonSchema, satisfies } from "./input-schema.ts";
import { jsonObjectSchema } from "./json.ts";

/** What the harness's policy says of a call: run it, put it to a human first, never run it. */
export type Permission = "allow" | "ask" | "deny";

/** One permission for every call of a tool, or rules on the arguments: the first match wins. */
export type Policy =
  | Permission
  | {
      readonly rules: readonly { readonly when: JsonSchema; readonly then: Permission }[];
      readonly otherwise: Permission;
    };

const permissionSchema = z.enum(["allow", "ask", "deny"]);

export const policySchema: z.ZodType<Policy> = z.union([
  permissionSchema,
  z.strictObject({
    rules: z.array(z.strictObject({ when: jsonObjectSchema, then: permissionSchema })),
    otherwise: permissionSchema,
  }),
]);

/**
 * What a policy says of these arguments.
 *
 * @example
 * decide("ask", { order: "A-1" }) // "ask"
 */
export function decide(policy: Policy, args: unknown): Permission {
  if (typeof policy === "string") return policy;
  return policy.rules.find((rule) => satisfies(rule.when, args))?.then ?? policy.otherwise;
}

/** Every permission that a policy can give. */
export function permissionsOf(policy: Policy): readonly Permission[] {
  return typeof policy === "string" ? [policy] : [...policy.rules.map((rule) => rule.then), policy.otherwise];
}
