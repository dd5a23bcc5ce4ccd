import { describedValue } from "../contract/described-value.ts";
import { nearestName } from "../contract/nearest-name.ts";
import type { Property } from "../contract/property.ts";
import { UsageError } from "../errors.ts";
import { properties } from "./catalogues.ts";

/** The rules that a campaign judges: all, `only` these, or all `except` those. An unknown id is a usage error, and so is no rule. */
export function chooseRules(only?: readonly string[], except?: readonly string[]): readonly Property[] {
  const known = properties.map((property) => property.id);
  for (const id of [...(only ?? []), ...(except ?? [])]) {
    if (known.includes(id)) continue;
    const near = typeof id === "string" ? nearestName(id, known) : undefined;
    throw new UsageError(
      "unknown-rule",
      `Expected the id of a rule, got ${typeof id === "string" ? `\`${id}\`` : describedValue(id)}. ${near === undefined ? "Do run `gatecrash list` to see them all." : `Do you mean \`${near}\`? \`gatecrash list\` shows them all.`}`,
      { id, known },
    );
  }
  const chosen = properties.filter(
    (property) => (only === undefined || only.includes(property.id)) && !(except ?? []).includes(property.id),
  );
  if (chosen.length > 0) return chosen;
  const got = only?.length === 0 ? "an empty `only`" : "an `except` that leaves none";
  throw new UsageError("no-rules", `Expected one rule to judge, or more, got ${got}. Do choose one, or leave it out.`);
}
