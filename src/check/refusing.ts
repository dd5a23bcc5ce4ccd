import type { Harness } from "../contract/harness.ts";
import type { Setting } from "../contract/script-class.ts";
import type { JsonObject } from "../world/json.ts";

type Refuses = NonNullable<Setting["refuses"]>;

type Normalising = Pick<Harness, "normalise" | "world">;

const byHarness = new WeakMap<Normalising, Refuses>();

/** What the schemas of a harness with a world of its own refuse, where it tells by its `normalise`. */
export function refusing(harness: Normalising): Pick<Setting, "refuses"> {
  if (harness.normalise === undefined || harness.world === undefined) return {};
  const refuses = byHarness.get(harness) ?? ((tool: string, args: JsonObject) => isRefused(harness, tool, args));
  byHarness.set(harness, refuses);
  return { refuses };
}

function isRefused(harness: Normalising, tool: string, args: JsonObject): boolean {
  try {
    const normalised = harness.normalise?.(tool, JSON.parse(JSON.stringify(args)));
    if (normalised instanceof Promise) normalised.catch(() => {});
    return false;
  } catch (error) {
    // The stack was too small for arguments nested this deep, which says nothing about whether they are valid.
    return !(error instanceof RangeError);
  }
}
