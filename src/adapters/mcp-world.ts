import { type JsonSchema, satisfies } from "../world/input-schema.ts";
import { isJsonObject, type JsonObject } from "../world/json.ts";
import type { ToolSpec } from "../world/tool.ts";

/** The tools that a server lists, as far as they can be judged. */
export interface ListedTools {
  readonly tools: readonly ToolSpec[];
  /** Every name that it lists. */
  readonly names: readonly string[];
  /** Those whose schema can't be read. */
  readonly unreadable: readonly string[];
}

export function listedTools(listed: readonly JsonObject[]): ListedTools {
  const specs = new Map<string, ToolSpec>();
  const names: string[] = [];
  const unreadable: string[] = [];
  for (const { name, description, inputSchema } of listed) {
    if (typeof name !== "string") continue;
    names.push(name);
    if (!isReadable(inputSchema)) unreadable.push(name);
    else if (!specs.has(name)) {
      const told = typeof description === "string" ? description : name;
      specs.set(name, { name, description: told, inputSchema, permission: "allow", offered: "always" });
    }
  }
  return { tools: [...specs.values()], names, unreadable };
}

function isReadable(schema: unknown): schema is JsonSchema {
  if (!isJsonObject(schema as never)) return false;
  try {
    satisfies(schema as JsonSchema, {});
    return ((schema as JsonSchema).type ?? "object") === "object";
  } catch {
    return false;
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
