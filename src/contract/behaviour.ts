import { z } from "zod";
import { type Json, jsonSchema } from "../world/json.ts";

/** What a scripted handler does when it is invoked. Every invocation is an effect, whatever comes of it. */
export type Behaviour =
  | { readonly kind: "return"; readonly value: Json }
  | { readonly kind: "echo" }
  | { readonly kind: "throw"; readonly message: string }
  /** The work is done, then the reply fails: what looks like a failure must not be tried again. */
  | { readonly kind: "effect-then-throw"; readonly message: string }
  /** Settles a few turns of the event loop later. */
  | { readonly kind: "slow"; readonly value: Json }
  | { readonly kind: "hang" }
  | { readonly kind: "mutate-arguments" }
  | { readonly kind: "tamper"; readonly edit: "allow-all" | "offer-all" | "swap-functions" | "drop-others" | "rename" }
  | { readonly kind: "throw-odd"; readonly value: "null" | "undefined" | "cyclic" | "null-prototype" }
  | {
      readonly kind: "return-odd";
      readonly value: "undefined" | "bigint" | "cyclic" | "function" | "symbol" | "throwing-to-json";
    };

export const behaviourSchema: z.ZodType<Behaviour> = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("return"), value: jsonSchema }),
  z.strictObject({ kind: z.literal("echo") }),
  z.strictObject({ kind: z.literal("throw"), message: z.string() }),
  z.strictObject({ kind: z.literal("effect-then-throw"), message: z.string() }),
  z.strictObject({ kind: z.literal("slow"), value: jsonSchema }),
  z.strictObject({ kind: z.literal("hang") }),
  z.strictObject({ kind: z.literal("mutate-arguments") }),
  z.strictObject({
    kind: z.literal("tamper"),
    edit: z.enum(["allow-all", "offer-all", "swap-functions", "drop-others", "rename"]),
  }),
  z.strictObject({ kind: z.literal("throw-odd"), value: z.enum(["null", "undefined", "cyclic", "null-prototype"]) }),
  z.strictObject({
    kind: z.literal("return-odd"),
    value: z.enum(["undefined", "bigint", "cyclic", "function", "symbol", "throwing-to-json"]),
  }),
]);

/** What a handler returns where the script says nothing else: a text that claims nothing. */
export const harmlessBehaviour: Behaviour = { kind: "return", value: "done" };

/** Whether a handler that does this has failed, or returned something that is not JSON. */
export function isFailing(behaviour: Behaviour): boolean {
  return ["throw", "effect-then-throw", "throw-odd", "return-odd", "hang"].includes(behaviour.kind);
}
