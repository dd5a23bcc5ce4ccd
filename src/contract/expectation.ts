import { UsageError } from "../errors.ts";
import { describedValue } from "./described-value.ts";

/** What was wrong with something that a user wrote. */
export interface Expectation {
  /** A stable code. */
  readonly code: string;
  /** The member, such as "claims.deny". */
  readonly member: string;
  /** Whose member: "the harness", "the script". */
  readonly owner: string;
  /** Where it stands, such as a file; none: nothing is said. */
  readonly where?: string | undefined;
  /** "true or false" */
  readonly toBe: string;
  readonly got: unknown;
  /** The value in words, where it takes more than its kind to see the fault. */
  readonly gotWords?: string;
  /** "say whether ..." */
  readonly please: string;
}

/**
 * The usage error for it: "Expected `claims.deny` of the harness to be true or false, got "yes". Do write true or false."
 */
export function expectation(fault: Expectation): UsageError {
  const { code, member, owner, where, toBe, got, please } = fault;
  const subject = member === "" ? owner : `\`${member}\` of ${owner}`;
  const place = where === undefined ? "" : ` in \`${where}\``;
  const words = fault.gotWords ?? describedValue(got);
  return new UsageError(code, `Expected ${subject}${place} to be ${toBe}, got ${words}. Do ${please}.`, {
    member,
    expected: toBe,
    ...(where === undefined ? {} : { where }),
  });
}
