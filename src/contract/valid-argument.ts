import type { UsageError } from "../errors.ts";
import { expectation } from "./expectation.ts";

interface Argument {
  /** Whose argument: "openaiFetch". */
  readonly of: string;
  /** What it is called there: "the run". */
  readonly is: string;
  /** "give the run that ..." */
  readonly please: string;
}

/** The usage error for what was handed to a function of the kit and is something else. `member`: where in it. */
export function badArgument({ of, is, please }: Argument, toBe: string, got: unknown, member = ""): UsageError {
  return expectation({ code: "bad-argument", member, owner: `${is} of \`${of}\``, toBe, got, please });
}

/** Refuses an argument that is no object, or whose members are of other kinds than these. */
export function validArgument(
  value: unknown,
  argument: Argument,
  members: { readonly [name: string]: "function" | "object" | "list" } = {},
): void {
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Promise) {
    throw badArgument(argument, "an object", value);
  }
  for (const [name, kind] of Object.entries(members)) {
    const member = (value as Record<string, unknown>)[name];
    if (kind === "list" ? Array.isArray(member) : typeof member === kind && member !== null) continue;
    const toBe = { function: "a function", object: "an object", list: "a list" }[kind];
    throw badArgument(argument, toBe, member, name);
  }
}
