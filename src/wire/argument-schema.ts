import { z } from "zod";
import { UsageError } from "../errors.ts";
import { type JsonSchema, satisfies } from "../world/input-schema.ts";
import { isJsonObject, type Json } from "../world/json.ts";

/** A tool's schema, of whichever kind: what the generator reads, and what decides. */
export interface ArgumentSchema {
  readonly json: JsonSchema;
  accepts(args: Json): boolean;
  /** What the schema makes of valid arguments; throws where they are not valid. */
  normalise(args: Json): unknown;
}

/**
 * Reads a zod 4 schema or a JSON Schema. `of` is how errors name its owner.
 *
 * @throws UsageError `zod-3-schema`, or `bad-schema` where it is neither, describes no object, or can't be compiled.
 */
export function readSchema(schema: unknown, of: string): ArgumentSchema {
  if (isZod(schema)) return zodSchema(schema, of);
  if (hasMember(schema, "_def")) {
    throw new UsageError(
      "zod-3-schema",
      `Expected the schema of ${of} to be a zod 4 schema or a JSON Schema, got a zod 3 schema. Do import it from "zod/v4", or give its JSON Schema.`,
    );
  }
  if (!isJsonObject(schema) || hasMember(schema, "~standard")) {
    throw new UsageError(
      "bad-schema",
      `Expected the schema of ${of} to be a zod 4 schema or a JSON Schema, got ${kindOf(schema)}. Do give one of these.`,
    );
  }
  const json = expectObjectSchema(schema, of);
  return {
    json,
    accepts: (args) => satisfies(json, args),
    normalise(args) {
      if (!satisfies(json, args)) throw new Error(`the arguments do not satisfy the schema of ${of}`);
      return args;
    },
  };
}

function zodSchema(schema: z.core.$ZodType, of: string): ArgumentSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema;
  const parse = (args: Json) => {
    try {
      return z.safeParse(schema, args);
    } catch (error) {
      if (!(error instanceof z.core.$ZodAsyncError)) throw error;
      throw new UsageError(
        "async-schema",
        `Expected the schema of ${of} to parse at once, got one with an asynchronous refinement or transform. Do give the kit a schema without it.`,
      );
    }
  };
  return {
    json: expectObjectSchema(json, of),
    accepts: (args) => parse(args).success,
    normalise: (args) => {
      const parsed = parse(args);
      if (!parsed.success) throw parsed.error;
      return parsed.data;
    },
  };
}

function expectObjectSchema(schema: JsonSchema, of: string): JsonSchema {
  const types = [schema.type ?? "object"].flat();
  if (!types.includes("object")) {
    throw new UsageError(
      "bad-schema",
      `Expected the schema of ${of} to describe an object, got "${types.join('", "')}". Do wrap it in an object with a field for it.`,
    );
  }
  try {
    satisfies(schema, {});
  } catch (error) {
    throw new UsageError(
      "bad-schema",
      `Expected the schema of ${of} to be a valid JSON Schema, got one that can't be compiled: ${error instanceof Error ? error.message : "no reason given"}. Do correct it.`,
    );
  }
  return schema;
}

function isZod(value: unknown): value is z.core.$ZodType {
  return hasMember(value, "_zod");
}

/** Zod's own members may be inherited, so not own ones only. */
function hasMember(value: unknown, key: string): boolean {
  return (typeof value === "object" || typeof value === "function") && value !== null && key in value;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "a schema of another library" : `a ${typeof value}`;
}
