import type { JsonSchema } from "../../src/world/input-schema.ts";
import { isJsonObject } from "../../src/world/json.ts";
import { defaultsOf, type Rules, rulesForItem, rulesForKey, rulesOf } from "./schema-fields.ts";

/**
 * Whether what ran has a field, or an item, that stood in nothing that the human was shown. Defaults of the schema may be filled in
 * after the question. Iterative, since arguments nest deeper than the stack.
 *
 * @example
 * hasUnshownField({}, { to: "Ann" }, { to: "Ann", bcc: "Eve" }) // true
 */
export function hasUnshownField(schema: JsonSchema | undefined, shown: unknown, ran: unknown): boolean {
  const pending: [Rules, unknown, unknown][] = [[rulesOf(schema), shown, ran]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [rules, before, after] = next;
    if (before === after) continue;
    if (Array.isArray(before) && Array.isArray(after)) {
      if (after.length > before.length) return true;
      for (const [index, item] of after.entries()) pending.push([rulesForItem(rules, index), before[index], item]);
    } else if (isJsonObject(before) && isJsonObject(after) && !isCut(before) && !isCut(after)) {
      for (const key of Object.keys(after)) {
        // Copies lose a field of this name without anybody's doing.
        if (after[key] === undefined || key === "__proto__") continue;
        const keyRules = rulesForKey(rules, key);
        if (Object.hasOwn(before, key)) pending.push([keyRules, before[key], after[key]]);
        else if (defaultsOf(keyRules).length === 0) return true;
      }
    }
  }
  return false;
}

/** What a trace holds in place of more than anybody would read. */
function isCut(value: object): boolean {
  return Object.hasOwn(value, "(cut)");
}
