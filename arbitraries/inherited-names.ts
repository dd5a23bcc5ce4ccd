import { PLANTED_NAME } from "../src/contract/planted-name.ts";

export const namesOfObject: readonly string[] = [
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

/**
 * The names that every object, function, list or map has. The planted one first: it is the only one whose call leaves a
 * trace of its own.
 */
export const inheritedNames: readonly string[] = [PLANTED_NAME, ...namesOfObject, ...ofFunction, ...ofArray, ...ofMap];
