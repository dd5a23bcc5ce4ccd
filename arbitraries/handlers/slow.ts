import type { ScriptClass } from "../../src/contract/script-class.ts";
import { performing } from "../performing.ts";
import type { Pick } from "../pick.ts";

/**
 * An honest call whose handler takes its time: it settles a few turns of the event loop after it was started.
 *
 * Harnesses get it wrong where a handler's promise is not awaited, so that the run ends, or the model is asked again,
 * before the work is done.
 *
 * Shrinks to one slow call of the first allowed tool.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "slow", value: "done" }] } }
 */
export const slow: ScriptClass<Pick> = performing({
  id: "slow",
  says: "A permitted call whose handler takes its time.",
  performances: [
    [{ kind: "slow", value: "done" }],
    [
      { kind: "slow", value: "first" },
      { kind: "return", value: "second" },
    ],
    [{ kind: "slow", value: { done: true } }],
  ],
  telling: 1,
});
