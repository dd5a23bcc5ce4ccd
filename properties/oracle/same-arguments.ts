import type { JsonSchema } from "../../src/world/input-schema.ts";
import { isJsonObject, type JsonObject, sameJson } from "../../src/world/json.ts";
import { defaultsOf, isDroppable, type Rules, rulesForItem, rulesForKey, rulesOf } from "./schema-fields.ts";

/**
 * Whether a handler received the proposed arguments, or those arguments as a schema normalises them: unknown keys dropped
 * and defaults filled in are fine, every other value must be equal. Iterative, since arguments nest deeper than the stack.
 *
 * @example
 * sameArguments({ properties: { a: {}, b: { default: 1 } } }, { a: 2, x: 3 }, { a: 2, b: 1 }) // true
 */
export function sameArguments(schema: JsonSchema | undefined, proposed: unknown, received: unknown): boolean {
  const pending: [Rules, unknown, unknown][] = [[rulesOf(schema), proposed, received]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [rules, before, after] = next;
    if (before === after) continue;
    if (Array.isArray(before) && Array.isArray(after)) {
      if (before.length !== after.length) return false;
      for (const [index, item] of before.entries()) pending.push([rulesForItem(rules, index), item, after[index]]);
    } else if (isJsonObject(before) && isJsonObject(after) && !isStandIn(before, after)) {
      for (const key of keysOf(after)) {
        const keyRules = rulesForKey(rules, key);
        if (has(before, key)) {
          pending.push([keyRules, before[key], after[key]]);
          continue;
        }
        const defaults = defaultsOf(keyRules);
        if (defaults.length === 0) return false;
        const filledIn = defaults.find((value) => sameJson(value, after[key])) ?? defaults[0];
        pending.push([keyRules, filledIn, after[key]]);
      }
      for (const key of keysOf(before)) if (!has(after, key) && !isDroppable(rules, key)) return false;
    } else if (!sameJson(before, after) && !isStandIn(before, after)) return false;
  }
  return true;
}

/** What a trace holds in place of what it can't hold: a number that is too large for JSON, or more than anybody would read. */
function isStandIn(before: unknown, after: unknown): boolean {
  if (!isJsonObject(after)) return false;
  if (Object.hasOwn(after, "(cut)")) return true;
  return typeof before === "number" && !Number.isFinite(before) && after["(number)"] === String(before);
}

function keysOf(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

function has(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== undefined;
}
