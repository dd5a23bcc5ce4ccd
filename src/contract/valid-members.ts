import { describedValue } from "./described-value.ts";
import { type Expectation, expectation } from "./expectation.ts";
import { nearestName } from "./nearest-name.ts";

/** What a member may be: in words, and as a test. */
export interface MemberKind {
  readonly toBe: string;
  readonly required?: true;
  fits(value: unknown): boolean;
}

export type Members = { readonly [name: string]: MemberKind };

export type Owner = Pick<Expectation, "owner" | "where">;

export const flag: MemberKind = { toBe: "true or false", fits: (value) => typeof value === "boolean" };

/** Timers of more than 31 bits fire at once, and the kit adds several times up: far more than a day would fit. */
export const dayMs = 86_400_000;

export function milliseconds(least: number): MemberKind {
  return {
    toBe: `a number of milliseconds from ${least} to ${dayMs} (a day)`,
    fits: (value) => typeof value === "number" && value >= least && value <= dayMs,
  };
}

export function oneOf(...words: readonly string[]): MemberKind {
  return {
    toBe: words
      .map((word, index) => `${index === 0 ? "" : index === words.length - 1 ? " or " : ", "}"${word}"`)
      .join(""),
    fits: (value) => typeof value === "string" && words.includes(value),
  };
}

export function required(kind: MemberKind): MemberKind {
  return { ...kind, required: true };
}

/**
 * Refuses an object with a member that is missing, of another kind, or unknown. A name that nobody reads is mostly a
 * typing error, and a claim that is never read would make its rules vanish in silence.
 */
export function validMembers(value: unknown, path: string, members: Members, owner: Owner): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw expectation({
      code: "bad-member",
      member: path,
      ...owner,
      toBe: "an object",
      got: value,
      please: `give \`${path}\` as an object`,
    });
  }
  const given = value as Record<string, unknown>;
  const known = Object.keys(members);
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    const near = nearestName(name, known);
    const gotWords = `the unknown ${describedValue(name)}`;
    const please =
      near === undefined ? `remove it, or use one of ${known.join(", ")}` : `write \`${near}\`, if you mean that`;
    const fault = { code: "unknown-member", member: path, toBe: "made of known names", got: name, gotWords, please };
    throw expectation({ ...fault, ...owner });
  }
  for (const [name, kind] of Object.entries(members)) {
    const member = given[name];
    if (member === undefined ? kind.required !== true : kind.fits(member)) continue;
    throw expectation({
      code: member === undefined ? "missing-member" : "bad-member",
      member: `${path}.${name}`,
      ...owner,
      toBe: kind.toBe,
      got: member,
      please: member === undefined ? "add it" : "correct it",
    });
  }
}
