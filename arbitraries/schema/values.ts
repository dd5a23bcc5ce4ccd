import type { Arbitrary } from "fast-check";
import type { Json } from "../../src/world/json.ts";

/** Values that most likely satisfy a schema: a few fixed ones, the simplest first, and drawn ones. */
export interface Values {
  readonly canonical: readonly Json[];
  readonly arbitrary: Arbitrary<Json>;
}

/** Values for a part of the schema that is being read, one level further down; `undefined`: there are none. */
export type Below = (part: Json | undefined) => Values | undefined;

/** Another value, which breaks this keyword of the part of a schema that described the value before, and no other. */
export type Break = readonly [keyword: string, value: Json];
