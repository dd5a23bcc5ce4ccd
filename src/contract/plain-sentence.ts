import type { z } from "zod";
import { type Expectation, expectation } from "./expectation.ts";

/**
 * The usage error for the first fault that a schema found, in plain words: where it is, what was expected, what is there.
 * Of alternatives the one counts that fits furthest.
 */
export function plainSentence(
  error: z.ZodError,
  value: unknown,
  fault: Pick<Expectation, "code" | "owner" | "where" | "please"> & { readonly root?: string },
) {
  const { path, toBe, got } = deepest(error.issues[0] as Issue, [], value);
  const member = [...(fault.root === undefined ? [] : [fault.root]), ...path].reduce<string>(joined, "");
  return expectation({
    code: fault.code,
    owner: fault.owner,
    where: fault.where,
    please: fault.please,
    member,
    toBe,
    got,
  });
}

type Issue = z.core.$ZodIssue;

interface Fault {
  readonly path: readonly PropertyKey[];
  readonly toBe: string;
  readonly got: unknown;
}

function deepest(issue: Issue, above: readonly PropertyKey[], root: unknown): Fault {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors.length > 0) {
    const branches = issue.errors.flatMap((issues) =>
      issues[0] === undefined ? [] : [deepest(issues[0] as Issue, path, root)],
    );
    const [best, ...others] = branches.sort((left, right) => right.path.length - left.path.length);
    if (best !== undefined) {
      const level = others.filter((other) => other.path.length === best.path.length);
      return { ...best, toBe: [...new Set([best, ...level].map((branch) => branch.toBe))].join(", or ") };
    }
  }
  if (issue.code === "unrecognized_keys") return { path, toBe: "without unknown keys", got: issue.keys[0] };
  return { path, toBe: expectedBy(issue), got: at(root, path) };
}

function expectedBy(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return (
        {
          string: "a text",
          array: "an array",
          object: "an object",
          record: "an object",
          boolean: "true or false",
          int: "a whole number",
        }[issue.expected as string] ?? `a ${issue.expected}`
      );
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(" or ");
    case "too_small":
      return issue.origin === "int" ? `a whole number from ${issue.minimum}` : `at least ${issue.minimum}`;
    case "too_big":
      return issue.origin === "int" ? `a whole number up to ${issue.maximum}` : `at most ${issue.maximum}`;
    case "custom":
      return issue.message;
    default:
      return "of a known kind";
  }
}

function at(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    root,
  );
}

function joined(path: string, key: PropertyKey): string {
  if (typeof key === "number") return `${path}[${key}]`;
  return path === "" ? String(key) : `${path}.${String(key)}`;
}
