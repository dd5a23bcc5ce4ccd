import { nearestName } from "../contract/nearest-name.ts";
import type { Property } from "../contract/property.ts";
import { UsageError } from "../errors.ts";
import { properties } from "./catalogues.ts";

/** The rules that a campaign judges: all, `only` these, or all `except` those. An unknown id is a usage error. */
export function chooseRules(only?: readonly string[], except?: readonly string[]): readonly Property[] {
  const known = properties.map((property) => property.id);
  for (const id of [...(only ?? []), ...(except ?? [])]) {
    if (known.includes(id)) continue;
    const near = nearestName(id, known);
    throw new UsageError(
      "unknown-rule",
      `Expected the id of a rule, got \`${id}\`. ${near === undefined ? "Do run `gatecrash list` to see them all." : `Do you mean \`${near}\`? \`gatecrash list\` shows them all.`}`,
      { id, known },
    );
  }
  return properties.filter(
    (property) => (only === undefined || only.includes(property.id)) && !(except ?? []).includes(property.id),
  );
}
