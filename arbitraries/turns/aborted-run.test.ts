import { describe, expect, test } from "vitest";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { weave } from "../weave.ts";
import { abortedRun } from "./aborted-run.ts";

const [world] = canonicalWorlds(claims);
const setting = settingOf(world!, claims);
const cases = abortedRun.canonical(setting);

describe("aborted-run", () => {
  test("every run is aborted, in each of the three ways, at once and later", () => {
    expect(movesOf(abortedRun, setting).filter(({ abort }) => abort === undefined)).toEqual([]);
    const moments = new Set(cases.map(({ abort }) => `${abort!.during} ${abort!.at}`));
    for (const moment of ["model 0", "model 1", "model 2", "handler 0", "handler 1", "approval 0", "approval 1"])
      expect(moments).toContain(moment);
  });

  test("a call is due in the same turn and another in the next", () => {
    const busy = cases.filter(({ abort, turns }) => abort?.at === 0 && turns[0]!.proposals.length === 2 && turns[1]);
    expect(new Set(busy.map(({ abort }) => abort?.during))).toEqual(new Set(["handler", "approval"]));
  });

  test("two of four calls are waited for in the first or the second handler, or in a human, while the others wait", () => {
    const queues = cases.filter(({ turns }) => turns.at(-1)!.proposals.length === 4);
    const told = queues.map(({ handlers = {}, abort }) => {
      const kinds = Object.values(handlers).map((list) => list.map(({ kind }) => kind).join());
      return `${abort!.during} ${abort!.at}: ${kinds.join(" and ")}`;
    });
    expect(told).toEqual(["handler 0: slow", "handler 1: slow", "handler 1: hang,hang,return", "approval 1: "]);
    const elsewhere = Array.from({ length: 30 }, (_, form) =>
      abortedRun.resolve({ target: 1, form, args: 0 }, setting),
    );
    const hung = elsewhere.map((move) =>
      Object.values(move?.handlers ?? {})
        .map((list) => list[0]?.kind)
        .join(),
    );
    expect(hung).toEqual(expect.arrayContaining(["slow,slow", "hang,hang"]));
  });

  test("a yes and a no come after the abort", () => {
    const asked = cases.filter(({ abort }) => abort?.during === "approval");
    expect(new Set(asked.map(({ decisions }) => decisions?.join()))).toEqual(new Set(["approve", "deny"]));
  });

  test("stands for itself in pairs by a handler and an approval, aborted in a turn of one call", () => {
    const few = abortedRun.representatives(setting).map((move) => weave(world!, [move]).abort);
    expect(few).toEqual([
      { during: "handler", at: 0 },
      { during: "approval", at: 0 },
    ]);
  });

  test("needs the claim", () => {
    expect(abortedRun.needs(settingOf(world!, { ...claims, abort: false }))).toMatch(/not claimed/);
    const alone = abortedRun.canonical(settingOf(world!, { ...claims, approvals: "ends-run" }));
    expect(alone.map(({ abort }) => abort?.during)).not.toContain("approval");
  });
});
