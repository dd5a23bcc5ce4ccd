import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Move } from "../../src/contract/script-class.ts";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { standingOf } from "../standing.ts";
import { weave } from "../weave.ts";
import { mixedBatch } from "./mixed-batch.ts";

const [world] = canonicalWorlds(claims);
const setting = settingOf(world!, claims);
const cases = mixedBatch.canonical(setting);

const fates = new Map<string, number>();
for (const move of fc
  .sample(mixedBatch.data, { seed: 3, numRuns: 500 })
  .map((data) => mixedBatch.resolve(data, setting)))
  for (const fate of move === undefined ? [] : fatesOf(move)) fates.set(fate, (fates.get(fate) ?? 0) + 1);

function fatesOf(move: Move): readonly string[] {
  const { turns, decisions, handlers, abort } = weave(world!, [move]);
  const standings = turns.flatMap((turn) =>
    "kind" in turn ? [] : turn.proposals.map((proposal) => standingOf(proposal, setting) ?? "text"),
  );
  const behaviours = Object.values(handlers).flatMap((list) => list.map(({ kind }) => kind));
  return [...standings, ...decisions, ...behaviours, ...(abort === undefined ? [] : [`abort ${abort.during}`])];
}

describe("mixed-batch", () => {
  test("is one turn of two to eight proposals", () => {
    for (const { turns } of cases) {
      expect(turns).toHaveLength(1);
      expect(turns[0]!.proposals.length).toBeGreaterThan(1);
      expect(turns[0]!.proposals.length).toBeLessThanOrEqual(8);
    }
    expect(cases.some(({ turns }) => turns[0]!.proposals.length === 8)).toBe(true);
  });

  test("what may not run stands first, in the middle and last", () => {
    const places = new Set(
      cases
        .filter(({ turns }) => turns[0]!.proposals.length === 3)
        .flatMap(({ turns }) =>
          turns[0]!.proposals.flatMap((draft, place) =>
            draft.kind === "tool-call" && draft.name === "delete_account" ? [place] : [],
          ),
        ),
    );
    expect(places).toEqual(new Set([0, 1, 2]));
  });

  test("random ones have every sort of proposal, human and handler, equal ids and aborts", () => {
    const wanted = [
      ...[
        "honest",
        "denied",
        "hidden",
        "undeclared",
        "inherited",
        "malformed",
        "mistyped",
        "known-skill",
        "unknown-skill",
      ],
      ...["approve", "deny", "later", "throw", "slow", "effect-then-throw"],
      ...["abort handler", "abort approval"],
    ];
    for (const fate of wanted) expect(fates.get(fate) ?? 0, fate).toBeGreaterThan(5);
  });

  test("every call that is asked about has an answer of its own", () => {
    const batch = cases.find(({ decisions }) => decisions?.join() === "throw,approve")!;
    expect(weave(world!, [batch, batch]).decisions).toEqual(["throw", "approve", "throw", "approve"]);
  });

  test("some hold eight calls that are all due, of many tools and of one, no two alike", () => {
    const full = cases.filter(
      (move) => move.turns[0]!.proposals.length === 8 && fatesOf(move).every((fate) => fate === "honest"),
    );
    const tools = full.map(({ turns }) => new Set(turns[0]!.proposals.map((it) => it.kind === "tool-call" && it.name)));
    expect(tools.map(({ size }) => size).sort()).toEqual([1, 8]);
    for (const { turns } of full) expect(new Set(turns[0]!.proposals.map((it) => JSON.stringify(it))).size).toBe(8);
  });

  test.each([5, 8])(
    "some ask a human about %i calls: yes to all, to all but the last, to all but the first",
    (size) => {
      const said = cases
        .filter(({ turns, decisions }) => turns[0]!.proposals.length === size && decisions?.length === size)
        .map(({ decisions }) => decisions!.map((decision) => decision[0]).join(""));
      const yes = "a".repeat(size - 1);
      expect(said.sort()).toEqual([`${yes}a`, `${yes}d`, `d${yes}`]);
    },
  );

  test("needs several calls in one turn", () => {
    expect(mixedBatch.needs(settingOf(world!, { ...claims, parallelCalls: false }))).toMatch(/not claimed/);
  });
});
