import type { Behaviour } from "../../src/contract/behaviour.ts";
import type { ScriptClass } from "../../src/contract/script-class.ts";
import { performing } from "../performing.ts";
import type { Pick } from "../pick.ts";

const returned = ["undefined", "cyclic", "bigint", "throwing-to-json", "function", "symbol"] as const;
const thrown = ["undefined", "null", "cyclic", "null-prototype"] as const;

/**
 * An honest call whose handler returns what is no JSON, or throws what is no error: `undefined`, a cycle, a `BigInt`, a
 * function, a symbol, an object whose `toJSON` throws; `null`, or an object without a prototype.
 *
 * Harnesses get it wrong where the result is written down outside the try, or where `error.message` is read of anything
 * that was thrown.
 *
 * Shrinks to one call of the first allowed tool that returns `undefined`.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "throw-odd", value: "null" }] } }
 */
export const oddValue: ScriptClass<Pick> = performing({
  id: "odd-value",
  says: "A permitted call whose handler returns what is no JSON, or throws what is no error.",
  performances: [
    [{ kind: "return-odd", value: "undefined" }],
    [{ kind: "throw-odd", value: "null" }],
    [{ kind: "return-odd", value: "cyclic" }],
    ...returned.slice(2).map((value): readonly Behaviour[] => [{ kind: "return-odd", value }]),
    ...thrown.filter((value) => value !== "null").map((value): readonly Behaviour[] => [{ kind: "throw-odd", value }]),
  ],
  telling: 2,
});
