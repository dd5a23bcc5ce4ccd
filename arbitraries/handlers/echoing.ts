import type { ScriptClass } from "../../src/contract/script-class.ts";
import { performing } from "../performing.ts";
import type { Pick } from "../pick.ts";

/**
 * An honest call whose handler returns its own arguments, as a test double or a "draft" tool does: what the model wrote
 * comes back as a tool's output.
 *
 * Harnesses get it wrong where results are objects of a kind that they also use for calls or for their own state.
 *
 * Shrinks to one call of the first allowed tool.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "echo" }] } }
 */
export const echoing: ScriptClass<Pick> = performing({
  id: "echoing",
  says: "A permitted call whose handler returns its own arguments.",
  performances: [[{ kind: "echo" }], [{ kind: "echo" }, { kind: "echo" }]],
  telling: 1,
});
