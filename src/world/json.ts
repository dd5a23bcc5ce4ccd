import { z } from "zod";

/** A JSON value: what travels between the folders, and what a tool's arguments are. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = { readonly [key: string]: Json };

/**
 * Any JSON value. Not walked by the schema: arguments may be thousands of levels deep, and a recursive walk would overflow.
 */
export const jsonSchema: z.ZodType<Json> = z.custom<Json>((value) => value !== undefined, "a JSON value");

export const jsonObjectSchema: z.ZodType<JsonObject> = z.custom<JsonObject>(isJsonObject, "a JSON object");

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a JSON text, or `undefined` where the text is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** The object that an argument text holds, or `undefined` where the text is not one JSON object. */
export function parseArguments(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** Deep equality. Iterative, since arguments nest deeper than the stack; own keys whose value is `undefined` count as absent. */
export function sameJson(left: unknown, right: unknown): boolean {
  const pending: unknown[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (Object.is(a, b) || (a === 0 && b === 0)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = presentKeys(a);
    if (keys.length !== presentKeys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pending.push((a as JsonObject)[key], (b as JsonObject)[key]);
    }
  }
  return true;
}

function presentKeys(value: object): string[] {
  return Object.keys(value).filter((key) => (value as JsonObject)[key] !== undefined);
}

/** How many levels of arrays and objects a value has; a scalar has none. Iterative. */
export function depthOf(value: unknown): number {
  let level = 0;
  let row: unknown[] = [value];
  for (;;) {
    const next: unknown[] = [];
    let nested = false;
    for (const item of row) {
      if (typeof item !== "object" || item === null) continue;
      nested = true;
      for (const child of Object.values(item)) next.push(child);
    }
    if (!nested) return level;
    level += 1;
    row = next;
  }
}
