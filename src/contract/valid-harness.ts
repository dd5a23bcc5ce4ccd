import { describedValue } from "./described-value.ts";
import { expectation } from "./expectation.ts";
import type { Claims, Harness, Shape } from "./harness.ts";
import { editsBetween, nearestName } from "./nearest-name.ts";
import { flag, type Members, milliseconds, type Owner, oneOf, required, validMembers } from "./valid-members.ts";
import { validWorld } from "./valid-world.ts";

/**
 * The harness that a user wrote, where it can be used; a usage error that says what to change where it can't. A harness
 * that claims too much is usable: what it does not keep is a finding.
 *
 * @param where the file it comes from, for the error.
 * @example
 * validHarness({ name: "bot" }) // throws: Expected `claims` of the harness to be an object, got nothing. Do ...
 */
export function validHarness(value: unknown, where?: string): Harness {
  const owner: Owner = { owner: "the harness", where };
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const please = "give an object with `name`, `claims` and `run`";
    throw expectation({ code: "no-harness", member: "", ...owner, toBe: "an object", got: value, please });
  }
  const harness = value as Harness;
  if (typeof harness.name !== "string" || harness.name.trim() === "") {
    const please = "name it, as reports shall call it";
    throw expectation({
      code: codeFor(harness.name),
      member: "name",
      ...owner,
      toBe: "a text",
      got: harness.name,
      please,
    });
  }
  if (typeof harness.run !== "function") {
    const please = "give a function that plays one run";
    throw expectation({
      code: codeFor(harness.run),
      member: "run",
      ...owner,
      toBe: "a function",
      got: harness.run,
      please,
    });
  }
  refuseMisspelled(harness, owner);
  if (harness.claims === undefined) {
    const please = "say what its users rely on: at least `approvals`, `deny` and `hiddenTools`";
    throw expectation({
      code: "missing-member",
      member: "claims",
      ...owner,
      toBe: "an object",
      got: undefined,
      please,
    });
  }
  validMembers(harness.claims, "claims", claims, owner);
  if (harness.shape !== undefined) validMembers(harness.shape, "shape", shape, owner);
  for (const name of optionalMethods) {
    const member: unknown = harness[name];
    if (member === undefined || typeof member === "function") continue;
    throw expectation({
      code: "bad-member",
      member: name,
      ...owner,
      toBe: "a function",
      got: member,
      please: "give a function, or leave it out",
    });
  }
  if (harness.world !== undefined) validWorld(harness.world, harness.claims, harness.shape ?? {}, owner);
  return harness;
}

const claims: Members & { readonly [Name in keyof Claims]-?: unknown } = {
  approvals: required(oneOf("ends-run", "asked", "none")),
  deny: required(flag),
  hiddenTools: required(oneOf("by-skill", "fixed", "none")),
  parallelCalls: flag,
  argumentSchemas: flag,
  argumentPolicies: flag,
  results: flag,
  log: flag,
  menu: flag,
  abort: flag,
  stopReason: flag,
  deadlineMs: milliseconds(1),
  budget: oneOf("run", "resume", "none"),
  concurrentRuns: flag,
  sessionGrants: flag,
};

const shape: Members & { readonly [Name in keyof Shape]-?: unknown } = {
  loop: oneOf("own", "none"),
  argumentText: oneOf("raw", "parsed"),
  emptyArguments: oneOf("refused", "empty-object"),
  errorFlag: flag,
  // With one of these flags a pattern remembers where it stopped, and the same name fits only every other time.
  toolNames: {
    toBe: "a regular expression without the flags g and y",
    fits: (value: unknown) => isPattern(value) && !/[gy]/.test(value.flags),
  },
  idsAcrossTurns: flag,
  sameProcess: flag,
  effects: oneOf("witnessed", "told"),
  settleMs: milliseconds(0),
};

const optionalMethods = ["stopsWith", "accepts", "normalise", "open", "close"] as const;

const memberNames = ["name", "claims", "shape", "world", "run", ...optionalMethods];

/**
 * A harness may hold what it likes, but a function or an object whose name is close to that of a missing member was meant
 * to be that member. Short names are close to too many words: `clone` is not `close`, nor is `reopen` `open`.
 */
function refuseMisspelled(harness: Harness, owner: Owner): void {
  const given = harness as unknown as Record<string, unknown>;
  for (const name of namesIn(harness)) {
    if (memberNames.includes(name)) continue;
    const near = nearestName(name, memberNames);
    if (near === undefined || given[near] !== undefined) continue;
    if (editsBetween(name.toLowerCase(), near.toLowerCase()) > (near.length > 5 ? 2 : name.length > 5 ? 1 : 0))
      continue;
    if (typeof given[name] !== (near === "shape" || near === "world" ? "object" : "function")) continue;
    throw expectation({
      code: "unknown-member",
      member: name,
      ...owner,
      toBe: "a member that is read",
      got: undefined,
      gotWords: `a name that nothing reads (${describedValue(name)})`,
      please: `write \`${near}\`, if you mean that`,
    });
  }
}

/** Its own members, and the methods of its classes. */
function namesIn(harness: object): readonly string[] {
  const names = Object.keys(harness);
  for (
    let one = Object.getPrototypeOf(harness);
    one !== null && one !== Object.prototype;
    one = Object.getPrototypeOf(one)
  )
    names.push(...Object.getOwnPropertyNames(one).filter((name) => name !== "constructor"));
  return names;
}

function codeFor(member: unknown): string {
  return member === undefined ? "missing-member" : "bad-member";
}

/** By its kind and not by its class: a pattern may come from another realm. */
function isPattern(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === "[object RegExp]";
}
