import { describe, expect, test } from "vitest";
import type { Draft, Move } from "../../src/contract/script-class.ts";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { choosingHuman } from "./choosing-human.ts";

const [world] = canonicalWorlds(claims);
const cases = choosingHuman.canonical(settingOf(world!, claims));

type Call = Extract<Draft, { kind: "tool-call" }>;

const callsOf = ({ turns }: Move): readonly Call[] =>
  turns.flatMap(({ proposals }) => proposals.filter((draft) => draft.kind === "tool-call"));

/** What the two calls have in common, and whether they share a turn. */
function likenessOf(move: Move): string {
  const [first, second] = callsOf(move);
  const what = first!.name !== second!.name ? "other tool" : first!.args === second!.args ? "same call" : "other args";
  const id = first!.callId === undefined ? "" : ", same id";
  const turns = move.turns.filter(({ proposals }) => proposals.some(({ kind }) => kind === "tool-call")).length;
  return `${what}${id}, ${turns === 1 ? "together" : "apart"}`;
}

describe("choosing-human", () => {
  test("says yes to one and no to another, in both orders", () => {
    expect(cases.every(({ decisions = [] }) => new Set(decisions).size === 2)).toBe(true);
    expect(new Set(cases.map(({ decisions }) => decisions![0]))).toEqual(new Set(["approve", "deny"]));
  });

  test("of the same call, of one tool with other arguments, and of two tools, together and apart, under one id and two", () => {
    const pairs = cases.filter(({ decisions }) => decisions?.[0] === "approve" && decisions.length === 2);
    expect(new Set(pairs.map(likenessOf))).toEqual(
      new Set([
        "same call, apart",
        "same call, together",
        "same call, same id, apart",
        "same call, same id, together",
        "other args, apart",
        "other args, together",
        "other args, same id, apart",
        "other args, same id, together",
        "other tool, apart",
        "other tool, together",
      ]),
    );
  });

  test("no id comes again in a later turn where that may not be", () => {
    const few = choosingHuman.canonical(settingOf(world!, claims, { idsAcrossTurns: false })).map(likenessOf);
    expect(few.filter((likeness) => likeness.includes("same id, apart"))).toEqual([]);
    expect(few.some((likeness) => likeness.includes("same id, together"))).toBe(true);
  });
});
