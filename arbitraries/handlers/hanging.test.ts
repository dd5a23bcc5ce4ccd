import { describe, expect, test } from "vitest";
import type { Move } from "../../src/contract/script-class.ts";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { weave } from "../weave.ts";
import { hanging } from "./hanging.ts";

const [world] = canonicalWorlds(claims);
const aborting = settingOf(world!, claims);
const waiting = settingOf(world!, { ...claims, abort: false, deadlineMs: 50 });

function hangsIn(handlers: NonNullable<Move["handlers"]>): number {
  return Object.values(handlers)
    .flat()
    .filter(({ kind }) => kind === "hang").length;
}

describe("hanging", () => {
  test("a handler never settles, at its first or only at its second invocation, and any later one works", () => {
    const first = waiting.world.tools[0]!.name;
    const lists = hanging
      .canonical(waiting)
      .map(({ handlers = {} }) => handlers[first]?.map(({ kind }) => kind).join());
    expect(lists).toEqual(expect.arrayContaining(["hang,return", "return,hang,return"]));
    for (const setting of [aborting, waiting])
      for (const { handlers = {} } of movesOf(hanging, setting)) {
        expect(Object.values(handlers).every((list) => list.at(-1)?.kind === "return")).toBe(true);
        expect([1, 2]).toContain(hangsIn(handlers));
      }
  });

  test("two of them never settle: of one tool in two turns, with one that works between, and of two tools in one turn", () => {
    const twice = hanging.canonical(waiting).filter(({ handlers = {} }) => hangsIn(handlers) === 2);
    const told = twice.map(({ turns, handlers = {} }) => [
      turns.map(({ proposals }) => proposals.length).join(),
      Object.values(handlers)
        .map((list) => list.map(({ kind }) => kind).join())
        .join(" and "),
    ]);
    expect(told).toEqual([
      ["1,1", "hang,hang,return"],
      ["2", "hang,return and hang,return"],
      ["1,1,1", "hang,return,hang,return"],
    ]);
  });

  test("where only an abort ends a wait, two hang in one turn at most, and the first is where it comes", () => {
    const twice = hanging.canonical(aborting).filter(({ handlers = {} }) => hangsIn(handlers) === 2);
    expect(twice.map(({ turns, abort }) => [turns.length, abort?.at])).toEqual([[1, 0]]);
    const both = settingOf(world!, { ...claims, deadlineMs: 50 });
    const late = hanging.canonical(both).filter(({ handlers = {}, abort }) => abort && hangsIn(handlers) === 2);
    expect(late.map(({ abort }) => abort?.at)).toEqual([1, 1, 2]);
  });

  test("the run is aborted while it hangs, or a deadline ends it", () => {
    for (const move of hanging.canonical(aborting)) {
      const { abort, turns } = weave(world!, [move]);
      expect(abort?.during).toBe("handler");
      expect(abort!.at).toBeLessThan(turns.flatMap((turn) => ("kind" in turn ? [] : turn.proposals)).length);
    }
    for (const { abort } of movesOf(hanging, waiting)) expect(abort).toBeUndefined();
  });

  test("a sibling works beside it, before it and after it, and the run goes on", () => {
    const sizes = hanging.canonical(waiting).map(({ turns }) => turns.map(({ proposals }) => proposals.length).join());
    expect(sizes).toEqual(expect.arrayContaining(["1", "1,1", "1,1,1", "2", "2,1"]));
  });

  test("costs no deadline in pairs, and needs a deadline or an abort", () => {
    expect(hanging.representatives(waiting)).toEqual([]);
    expect(hanging.needs(settingOf(world!, { ...claims, abort: false }))).toMatch(/neither/);
  });
});
