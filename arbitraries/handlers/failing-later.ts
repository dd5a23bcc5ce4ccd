import { type Behaviour, harmlessBehaviour } from "../../src/contract/behaviour.ts";
import type { ScriptClass } from "../../src/contract/script-class.ts";
import { performing } from "../performing.ts";
import type { Pick } from "../pick.ts";

const failure: Behaviour = { kind: "throw", message: "The service is down." };

/**
 * The same tool called two or three times, of which only a later call fails, or only the first.
 *
 * Harnesses get it wrong where the first outcome is remembered for the tool: a cached result stands in for the failure, or
 * one failure shuts the tool for good.
 *
 * Shrinks to two calls of the first allowed tool, the second of which fails.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "return", value: "done" }, { kind: "throw", message: "The service is down." }] } }
 */
export const failingLater: ScriptClass<Pick> = performing({
  id: "failing-later",
  says: "Several calls of one tool, of which only the second or the third fails.",
  performances: [
    [harmlessBehaviour, failure],
    [harmlessBehaviour, harmlessBehaviour, failure],
    [failure, harmlessBehaviour, failure],
    [harmlessBehaviour, { kind: "effect-then-throw", message: "The reply was lost." }, harmlessBehaviour],
  ],
  telling: 1,
});
