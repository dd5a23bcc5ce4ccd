import type { Claims } from "../src/contract/harness.ts";

/** Claims under which every class but those that need a deadline has cases. */
export const everythingClaimed: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
  results: true,
  log: true,
  menu: true,
  abort: true,
};
