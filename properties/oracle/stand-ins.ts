import { isFailing } from "../../src/contract/behaviour.ts";
import type { Evidence } from "../../src/contract/property.ts";
import type { Script } from "../../src/contract/script.ts";
import type { ToolCall } from "../../src/contract/turn.ts";
import { satisfies } from "../../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/world/json.ts";
import type { ToolSpec } from "../../src/world/tool.ts";
import { licencesOf } from "../licences.ts";
import { readArguments } from "./argument-text.ts";
import type { Delivered } from "./deliveries.ts";

type Wording = Pick<ToolCall, "name" | "args">;

/** Finds honest calls that can be made in the place of bad ones: of a tool that is allowed, offered and works. */
export class StandIns {
  readonly #works: (name: string) => boolean;
  readonly #usual: Wording | undefined;

  constructor({ handlers }: Script, evidence: Evidence) {
    this.#works = (name) => !(Object.hasOwn(handlers, name) && handlers[name]?.some(isFailing));
    const { calls } = licencesOf(evidence);
    const plain = calls.find((call) => call.plain && isOpen(call.tool) && this.#works(call.call.name));
    this.#usual = plain?.call ?? this.#simple(evidence.world.tools);
  }

  /** The call itself without what is odd about it, where it is only odd; otherwise another one. */
  wordingFor(call: Delivered | undefined): Wording | undefined {
    const { tool, faults, values } = call ?? { tool: undefined, faults: [], values: [] };
    if (tool === undefined || faults.length > 0 || !isOpen(tool) || !this.#works(tool.name)) return this.#usual;
    const [value] = values;
    const required = requiredOf(tool);
    const kept = Object.entries(isJsonObject(value) ? value : {}).filter(([key]) => required.includes(key));
    const short = kept.map(([key, field]) => [key, typeof field === "string" ? field.slice(0, 20) : field] as const);
    return firstSound(tool, [value, Object.fromEntries(kept), Object.fromEntries(short)]) ?? this.#usual;
  }

  #simple(tools: readonly ToolSpec[]): Wording | undefined {
    for (const tool of tools) {
      if (!isOpen(tool) || !this.#works(tool.name)) continue;
      const { examples } = tool.inputSchema;
      const made = Object.fromEntries(requiredOf(tool).map((key) => [key, simplest(fieldOf(tool, key))]));
      const found = firstSound(tool, [{}, ...(Array.isArray(examples) ? examples : []), made]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The first of these arguments that are valid, and neither odd nor large. */
function firstSound(tool: ToolSpec, candidates: readonly (Json | undefined)[]): Wording | undefined {
  for (const value of candidates) {
    const args = value !== undefined && isValid(tool, value) ? written(value) : undefined;
    if (args !== undefined && readArguments(args, false).plain) return { name: tool.name, args };
  }
  return undefined;
}

function requiredOf({ inputSchema }: ToolSpec): readonly string[] {
  const { required } = inputSchema;
  return Array.isArray(required) ? required.filter((key) => typeof key === "string") : [];
}

function fieldOf({ inputSchema: { properties } }: ToolSpec, key: string): JsonObject {
  const field = isJsonObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  return isJsonObject(field) ? field : {};
}

/** A guess, which the schema has to confirm. */
function simplest({ type, const: only, enum: all, minimum }: JsonObject): Json {
  if (only !== undefined) return only;
  if (Array.isArray(all) && all[0] !== undefined) return all[0];
  if (type === "number" || type === "integer") return typeof minimum === "number" ? minimum : 1;
  if (type === "boolean") return true;
  if (type === "array") return [];
  return type === "object" ? {} : "A-1";
}

function isOpen(tool: ToolSpec | undefined): boolean {
  return tool?.permission === "allow" && tool.offered === "always";
}

function isValid(tool: ToolSpec, value: Json): boolean {
  try {
    return satisfies(tool.inputSchema, value);
  } catch {
    // A schema that can't be compiled.
    return false;
  }
}

function written(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Too deep to be written again.
    return undefined;
  }
}
