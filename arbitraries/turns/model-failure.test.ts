import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { weave } from "../weave.ts";
import { modelFailure } from "./model-failure.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const [world] = canonicalWorlds(claims);
const scripts = modelFailure.canonical(settingOf(world!, claims)).map((move) => weave(world!, [move]));

describe("model-failure", () => {
  test("every case holds a failed request", () => {
    expect(scripts.filter(({ turns }) => !turns.some((turn) => "kind" in turn))).toEqual([]);
  });

  test("fails in every way, before a call, after it, several times, and for ever", () => {
    const failures = new Set(
      scripts.flatMap(({ turns }) => turns.flatMap((turn) => ("kind" in turn ? [turn.failure] : []))),
    );
    expect(failures).toEqual(new Set(["rate-limit", "overloaded", "timeout", "connection"]));
    expect(scripts.some(({ turns }) => "kind" in turns[0]! && !("kind" in turns.at(-1)!))).toBe(true);
    expect(scripts.some(({ turns }) => !("kind" in turns[0]!))).toBe(true);
    expect(scripts.some(({ turns, afterTurns }) => "kind" in turns.at(-1)! && afterTurns === "repeat-last")).toBe(true);
  });

  test("never more often in a row than a harness may ask again", () => {
    const longest = scripts.map(({ turns }) => turns.map((turn) => ("kind" in turn ? "f" : " ")).join(""));
    expect(longest.every((text) => !text.includes("f".repeat(5)))).toBe(true);
  });

  test("needs a loop", () => {
    expect(modelFailure.needs(settingOf(world!, claims, { loop: "none" }))).toMatch(/no loop/);
  });
});
