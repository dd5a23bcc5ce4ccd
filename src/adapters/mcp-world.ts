import { type JsonSchema, satisfies } from "../world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../world/json.ts";
import type { ToolSpec } from "../world/tool.ts";

/** The tools that a server lists, as far as they can be judged. */
export interface ListedTools {
  readonly tools: readonly ToolSpec[];
  /** Every name that it lists, once. */
  readonly names: readonly string[];
  /** Those that it lists more than once. */
  readonly twice: readonly string[];
  /** Those whose schema can't be used. */
  readonly unreadable: readonly UnreadableTool[];
}

export interface UnreadableTool {
  readonly name: string;
  /** In words that follow its name. */
  readonly why: string;
}

export const noTools: ListedTools = { tools: [], names: [], twice: [], unreadable: [] };

/** Of several tools of one name the first one counts. */
export function listedTools(listed: readonly JsonObject[]): ListedTools {
  const tools: ToolSpec[] = [];
  const names = new Set<string>();
  const twice = new Set<string>();
  const unreadable: UnreadableTool[] = [];
  for (const { name, description, inputSchema } of listed) {
    if (typeof name !== "string") continue;
    if (names.has(name)) {
      twice.add(name);
      continue;
    }
    names.add(name);
    const why = whyUnreadable(inputSchema);
    if (why !== undefined) {
      unreadable.push({ name, why });
      continue;
    }
    const told = typeof description === "string" ? description : name;
    const schema = inputSchema as JsonSchema;
    tools.push({ name, description: told, inputSchema: schema, permission: "allow", offered: "always" });
  }
  return { tools, names: [...names], twice: [...twice], unreadable };
}

function whyUnreadable(schema: Json | undefined): string | undefined {
  if (schema === undefined) return "has no `inputSchema`";
  if (!isJsonObject(schema)) return "has an `inputSchema` that is no object";
  if ((schema.type ?? "object") !== "object") return 'has an `inputSchema` whose type is not "object"';
  try {
    satisfies(schema, {});
    return undefined;
  } catch (error) {
    const { missingRef } = error as { readonly missingRef?: unknown };
    if (typeof missingRef !== "string") return "has an `inputSchema` that is not valid JSON Schema";
    const isElsewhere = /^[a-z][a-z\d+.-]*:/i.test(missingRef);
    const ref = JSON.stringify(missingRef.slice(0, 100));
    return `refers in its \`inputSchema\` to ${ref}, which is not ${isElsewhere ? "fetched" : "there"}`;
  }
}

/** Words that say nothing about the arguments. */
const silent: ReadonlySet<string> = new Set(["$schema", "$id", "title", "description", "examples", "default", "$defs"]);

/** Whether some arguments break a schema in a way that shows from outside: a key too many may be dropped. */
export function refusesSomething({ inputSchema }: ToolSpec): boolean {
  return Object.entries(inputSchema).some(([key, value]) => {
    if (silent.has(key) || key === "type") return false;
    if (key === "required") return Array.isArray(value) && value.length > 0;
    if (key === "properties") return isJsonObject(value) && Object.values(value).some(saysSomething);
    return key === "additionalProperties" ? isJsonObject(value) && saysSomething(value) : true;
  });
}

function saysSomething(part: unknown): boolean {
  return typeof part === "object" && part !== null && Object.keys(part).some((key) => !silent.has(key));
}
