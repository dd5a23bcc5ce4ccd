import type { JsonSchema } from "../../src/world/input-schema.ts";
import { isJsonObject, type Json, type JsonObject, sameJson } from "../../src/world/json.ts";

/**
 * Whether a handler received the proposed arguments, or those arguments as a schema normalises them: unknown keys dropped
 * and defaults filled in are fine, every other value must be equal. Iterative, since arguments nest deeper than the stack.
 *
 * @example
 * sameArguments({ properties: { a: {}, b: { default: 1 } } }, { a: 2, x: 3 }, { a: 2, b: 1 }) // true
 */
export function sameArguments(schema: JsonSchema | undefined, proposed: unknown, received: unknown): boolean {
  const pending: [JsonSchema | undefined, unknown, unknown][] = [[schema, proposed, received]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [rule, before, after] = next;
    if (Array.isArray(before) && Array.isArray(after)) {
      if (before.length !== after.length) return false;
      const items = asSchema(rule?.items);
      for (const [index, item] of before.entries()) pending.push([items, item, after[index]]);
    } else if (isJsonObject(before) && isJsonObject(after)) {
      for (const key of keysOf(after)) {
        const keyRule = ruleFor(rule, key);
        if (has(before, key)) pending.push([keyRule, before[key], after[key]]);
        else if (keyRule !== undefined && has(keyRule, "default")) pending.push([keyRule, keyRule.default, after[key]]);
        else return false;
      }
      for (const key of keysOf(before)) if (!has(after, key) && !isDroppable(rule, key)) return false;
    } else if (!sameJson(before, after)) return false;
  }
  return true;
}

function keysOf(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function has(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}

function asSchema(value: Json | undefined): JsonSchema | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The schema of one key; branches of a union count as well. */
function ruleFor(rule: JsonSchema | undefined, key: string): JsonSchema | undefined {
  for (const branch of branchesOf(rule)) {
    const properties = asSchema(branch.properties);
    if (properties !== undefined && Object.hasOwn(properties, key)) return asSchema(properties[key]);
  }
  return asSchema(rule?.additionalProperties);
}

/** Where a schema says nothing of a key, a validator may strip it. Where it describes other keys too, none is unknown. */
function isDroppable(rule: JsonSchema | undefined, key: string): boolean {
  if (rule === undefined) return false;
  const branches = branchesOf(rule);
  const describesObjects = branches.some((branch) => branch.type === "object" || isJsonObject(branch.properties));
  const open = rule.additionalProperties === true || isJsonObject(rule.additionalProperties);
  const named = branches.some((branch) => isJsonObject(branch.properties) && Object.hasOwn(branch.properties, key));
  return key === "__proto__" ? !named : describesObjects && !open && !named;
}

function branchesOf(rule: JsonSchema | undefined): readonly JsonSchema[] {
  const branches: JsonSchema[] = rule === undefined ? [] : [rule];
  for (const branch of branches) {
    for (const list of [branch.allOf, branch.anyOf, branch.oneOf]) {
      if (Array.isArray(list)) branches.push(...list.filter(isJsonObject));
    }
  }
  return branches;
}
