import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { decide } from "../../src/world/policy.ts";
import { playedCalls } from "../played-calls.test-kit.ts";
import { policyProbes } from "../policy-probes.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { misreadPolicy } from "./misread-policy.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const [world] = canonicalWorlds(claims);
const command = world!.tools.find(({ name }) => name === "run_command")!;
const transfer = world!.tools.find(({ name }) => name === "transfer_credit")!;

describe("misread-policy", () => {
  test("calls tools whose permission depends on the arguments", () => {
    const calls = playedCalls(misreadPolicy, claims).flat();
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter(({ tool }) => typeof tool!.permission === "string")).toEqual([]);
  });

  test("chains, folds, pads and nests what a rule looks for, changes its type, or leaves it out", () => {
    const texts = policyProbes(command).map((args) => JSON.stringify(args));
    expect(texts).toEqual(
      expect.arrayContaining([
        '{"command":"ls; rm -rf /"}',
        '{"command":["ls"]}',
        '{"command":"LS"}',
        '{"command":" ls"}',
        "{}",
      ]),
    );
    expect(policyProbes(transfer).map((args) => typeof args.amount)).toEqual(
      expect.arrayContaining(["string", "object", "undefined"]),
    );
  });

  test("most of them are not allowed, and none of them is simply what a rule is for", () => {
    const decided = policyProbes(command).map((args) => decide(command.permission, args));
    expect(decided.filter((permission) => permission !== "allow").length).toBeGreaterThan(decided.length / 2);
    expect(policyProbes(command)).not.toContainEqual({ command: "ls" });
  });

  test("needs the claim, and such a policy", () => {
    expect(misreadPolicy.needs(settingOf(world!, { ...claims, argumentPolicies: false }))).toMatch(/not claimed/);
    expect(misreadPolicy.needs(settingOf(canonicalWorlds(claims)[1]!, claims))).toMatch(/no tool/);
  });
});
