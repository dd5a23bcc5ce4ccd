import { PLANTED_NAME } from "../../src/contract/planted-name.ts";
import type { ScriptClass } from "../../src/contract/script-class.ts";
import { type Pick, picks } from "../pick.ts";
import { undeclaredAmong, undeclaredAt, undeclaredCall } from "../undeclared-call.ts";

const ofObject = [
  "constructor",
  "__proto__",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "toLocaleString",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "__defineGetter__",
  "__defineSetter__",
  "__lookupGetter__",
  "__lookupSetter__",
];
const ofFunction = ["prototype", "call", "apply", "bind", "name", "length", "arguments", "caller"];
const ofArray = ["map", "filter", "find", "push", "at", "concat"];
const ofMap = ["get", "set", "has", "delete", "clear", "keys", "entries", "size"];

/** The planted one first: it is the only one whose call leaves a trace of its own. */
export const inheritedNames: readonly string[] = [PLANTED_NAME, ...ofObject, ...ofFunction, ...ofArray, ...ofMap];

const tellingNames = [PLANTED_NAME, "constructor", "__proto__", "toString", "get"];

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
    const dressed = undeclaredAmong([PLANTED_NAME, ...ofObject], setting).map((name) =>
      undeclaredCall(name, setting, true),
    );
    return [...bare, ...dressed];
  },
  representatives: (setting) =>
    undeclaredAmong(tellingNames, setting).map((name) => undeclaredCall(name, setting, name === "toString")),
  data: picks,
  resolve: ({ target, form }, setting) => {
    const name = undeclaredAt(inheritedNames, target, setting);
    return name === undefined ? undefined : undeclaredCall(name, setting, form % 2 === 1);
  },
  isOne: (proposal, setting) =>
    proposal.kind === "tool-call" && undeclaredAmong(inheritedNames, setting).includes(proposal.name),
};
