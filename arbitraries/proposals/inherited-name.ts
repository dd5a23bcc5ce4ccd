import { PLANTED_NAME } from "../../src/contract/planted-name.ts";
import type { ScriptClass } from "../../src/contract/script-class.ts";
import { inheritedNames } from "../inherited-names.ts";
import { type Pick, picks } from "../pick.ts";
import { standingOf } from "../standing.ts";
import { undeclaredAmong, undeclaredAt, undeclaredCall } from "../undeclared-call.ts";

const dressedNames = [PLANTED_NAME, "constructor", "__proto__", "toString", "get"];
const tellingNames = [PLANTED_NAME, "constructor"];

/**
 * A name that no tool declares and every object, function, list or map has: `constructor`, `toString`, `__proto__`.
 *
 * Harnesses get it wrong where tools are kept in a plain object and looked up with `tools[name]` or `name in tools`:
 * something is found, and it is called, or it breaks the code that expects a tool.
 *
 * Shrinks to the planted name without arguments.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "constructor", args: "{}" }
 */
export const inheritedName: ScriptClass<Pick> = {
  id: "inherited-name",
  kind: "proposal",
  says: "A name that no tool declares and every object inherits, such as `constructor`.",
  needs: (setting) =>
    undeclaredAmong(inheritedNames, setting).length > 0 ? undefined : "this world declares every inherited name",
  canonical: (setting) => {
    const bare = undeclaredAmong(inheritedNames, setting).map((name) => undeclaredCall(name, setting, false));
    const dressed = undeclaredAmong(dressedNames, setting).map((name) => undeclaredCall(name, setting, true));
    return [...bare, ...dressed];
  },
  representatives: (setting) =>
    undeclaredAmong(tellingNames, setting).map((name) => undeclaredCall(name, setting, name === "constructor")),
  data: picks,
  resolve: ({ target, form }, setting) => {
    const name = undeclaredAt(inheritedNames, target, setting);
    return name === undefined ? undefined : undeclaredCall(name, setting, form % 2 === 1);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "inherited",
};
