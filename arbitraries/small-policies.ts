import type { Claims } from "../src/contract/harness.ts";
import type { Permission, Policy } from "../src/world/policy.ts";

export type PolicyName = "by-command" | "by-amount" | "by-note";

/** Stands for what the policy is meant to give; where the claims have no such thing, the nearest that they have. */
type Wanted = readonly [wanted: Permission, ...instead: Permission[]];

const made = new Map<string, Policy | undefined>();

/**
 * The policies on arguments of generated worlds: on the form of a text, on the size of a number, on a field that need not
 * be there. `undefined` where the claims leave nothing to choose between. Always the same objects.
 *
 * @example
 * policyFor("by-amount", claims) // up to 100 is allowed, up to 1,000 asks, the rest is denied
 */
export function policyFor(name: PolicyName, claims: Claims): Policy | undefined {
  const key = `${name} ${claims.argumentPolicies} ${claims.approvals} ${claims.deny}`;
  if (!made.has(key)) made.set(key, policy(name, claims));
  return made.get(key);
}

function policy(name: PolicyName, claims: Claims): Policy | undefined {
  if (claims.argumentPolicies !== true) return undefined;
  const choose = ([...options]: Wanted): Permission =>
    options.find((option) => option === "allow" || (option === "ask" ? claims.approvals !== "none" : claims.deny)) ??
    "allow";
  const found = policies[name](choose);
  const given = new Set([...found.rules.map(({ then }) => then), found.otherwise]);
  return given.size > 1 ? found : undefined;
}

type Rules = Exclude<Policy, Permission>;

const policies: { readonly [Name in PolicyName]: (choose: (wanted: Wanted) => Permission) => Rules } = {
  "by-command": (choose) => ({
    rules: [
      {
        when: {
          type: "object",
          properties: { command: { type: "string", pattern: "^(ls|pwd|git status)$" } },
          required: ["command"],
        },
        then: "allow",
      },
      {
        when: {
          type: "object",
          properties: { command: { type: "string", pattern: "rm |sudo " } },
          required: ["command"],
        },
        then: choose(["deny", "ask"]),
      },
    ],
    otherwise: choose(["ask", "deny"]),
  }),
  "by-amount": (choose) => ({
    rules: [
      {
        when: { type: "object", properties: { amount: { type: "number", maximum: 100 } }, required: ["amount"] },
        then: "allow",
      },
      {
        when: { type: "object", properties: { amount: { type: "number", maximum: 1000 } }, required: ["amount"] },
        then: choose(["ask", "deny"]),
      },
    ],
    otherwise: choose(["deny", "ask"]),
  }),
  "by-note": (choose) => ({
    rules: [
      {
        when: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
        then: choose(["deny", "ask"]),
      },
    ],
    otherwise: "allow",
  }),
};
