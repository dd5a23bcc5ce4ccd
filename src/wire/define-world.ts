import type { z } from "zod";
import { expectation } from "../contract/expectation.ts";
import { validTools } from "../contract/valid-world.ts";
import type { JsonSchema } from "../world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject, parseJson, sameJson } from "../world/json.ts";
import type { Policy } from "../world/policy.ts";
import type { Offered } from "../world/tool.ts";
import type { World } from "../world/world.ts";
import { type ArgumentSchema, readSchema } from "./argument-schema.ts";
import { resultText } from "./result-text.ts";

/** One tool of the user's own. */
export interface ToolDefinition {
  /** What its arguments are: a zod 4 schema of an object, or a JSON Schema (2020-12) of one. */
  readonly schema: z.core.$ZodType | JsonSchema;
  readonly description?: string;
  /** Default `allow`. */
  readonly permission?: Policy;
  /** Default `always`. */
  readonly offered?: Offered;
  /** Valid arguments, as the model would write them: they seed what a schema alone can't guess (an order number that exists). */
  readonly examples?: readonly JsonObject[];
}

export interface WorldOptions {
  /** Default: the skills that the tools name. */
  readonly skills?: readonly string[];
  /** Turns that a run may ask for: a positive whole number. Default 8. */
  readonly maxSteps?: number;
}

export interface DefinedWorld {
  readonly world: World;
  /**
   * What a handler is to get for valid arguments: zod's output (defaults, trims, transforms), or the arguments as they are where
   * the schema is a JSON Schema.
   *
   * @throws Error where the schema says that they are not valid.
   * @throws UsageError `async-schema` where the zod schema needs asynchronous parsing.
   */
  normalise(tool: string, args: Json): unknown;
}

/**
 * A harness's fixed world, from the schemas that its tools have anyway. Zod decides what is valid, refinements included; the
 * model's arguments are the input side of transforms.
 *
 * @example
 * const { world, normalise } = defineWorld({
 *   find_order: { schema: z.object({ order: z.string().regex(/^A-\d+$/) }), examples: [{ order: "A-17" }] },
 *   refund: { schema: z.object({ order: z.string(), cents: z.int().positive() }), permission: "ask" },
 * });
 * export const harness: Harness = { name: "shop", claims, world, normalise, run };
 * @throws UsageError `bad-definition`, `bad-schema`, `zod-3-schema`, `bad-example` or `bad-world`, with a sentence on what to change.
 */
export function defineWorld(
  definitions: { readonly [tool: string]: ToolDefinition },
  options: WorldOptions = {},
): DefinedWorld {
  if (!isJsonObject(definitions) || Object.keys(definitions).length === 0) {
    const please = "give each tool by its name, with a `schema`";
    throw fault("bad-definition", "", "the definition", "an object of at least one tool", definitions, please);
  }
  const schemas = new Map<string, ArgumentSchema>();
  const tools = Object.entries(definitions).map(([name, definition]) => {
    const owner = `the tool ${JSON.stringify(name)}`;
    expectDefinition(definition, owner);
    const { description = name, permission = "allow", offered = "always", examples = [] } = definition;
    const schema = readSchema(definition.schema, owner);
    schemas.set(name, schema);
    return { name, description, inputSchema: withExamples(schema, examples, owner), permission, offered };
  });
  const needed = tools.flatMap(({ offered }) => (typeof offered === "object" ? [offered.afterSkill] : []));
  const world = { tools, skills: options.skills ?? [...new Set(needed)], maxSteps: options.maxSteps ?? 8 };
  validTools(world, { owner: "the definition" });
  if (!Number.isSafeInteger(world.maxSteps) || world.maxSteps < 1) {
    const please = "give the number of turns that a run may ask for";
    throw fault("bad-world", "maxSteps", "the definition", "a positive whole number", world.maxSteps, please);
  }
  return {
    world,
    normalise(tool, args) {
      const schema = schemas.get(tool);
      return schema === undefined ? args : schema.normalise(args);
    },
  };
}

const members: readonly string[] = ["schema", "description", "permission", "offered", "examples"];

function expectDefinition(definition: unknown, owner: string): void {
  if (!isJsonObject(definition)) {
    throw fault("bad-definition", "", owner, "an object with a `schema`", definition, "give it a `schema`");
  }
  const unknown = Object.keys(definition).find((key) => !members.includes(key));
  if (unknown === undefined) return;
  throw fault("bad-definition", unknown, owner, "absent", definition[unknown], `use ${members.join(", ")} only`);
}

function withExamples(schema: ArgumentSchema, added: readonly JsonObject[], owner: string): JsonSchema {
  const own = schema.json.examples;
  const examples = [...added, ...(Array.isArray(own) ? own : [])].filter(
    (example, index, all) => all.findIndex((other) => sameJson(other, example)) === index,
  );
  for (const [index, example] of examples.entries()) {
    if (isPlainObject(example) && schema.accepts(example)) continue;
    const please = "give arguments as the model would write them";
    throw fault("bad-example", `examples[${index}]`, owner, "valid for its schema", resultText(example), please);
  }
  return examples.length > 0 ? { ...schema.json, examples } : schema.json;
}

/** An object that JSON can hold as it is: no dates, no functions. */
function isPlainObject(value: Json): value is JsonObject {
  return isJsonObject(value) && sameJson(parseJson(resultText(value)), value);
}

function fault(code: string, member: string, owner: string, toBe: string, got: unknown, please: string) {
  const nothing = isJsonObject(got) && Object.keys(got).length === 0;
  return expectation({ code, member, owner, toBe, got, please, ...(nothing && { gotWords: "an empty one" }) });
}
