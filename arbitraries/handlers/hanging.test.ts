import { describe, expect, test } from "vitest";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { weave } from "../weave.ts";
import { hanging } from "./hanging.ts";

const [world] = canonicalWorlds(claims);
const aborting = settingOf(world!, claims);
const waiting = settingOf(world!, { ...claims, abort: false, deadlineMs: 50 });

describe("hanging", () => {
  test("one handler never settles, at its first or only at its second invocation", () => {
    const first = waiting.world.tools[0]!.name;
    const lists = hanging
      .canonical(waiting)
      .map(({ handlers = {} }) => handlers[first]?.map(({ kind }) => kind).join());
    expect(new Set(lists)).toEqual(new Set(["hang,return", "return,hang,return", undefined]));
    for (const setting of [aborting, waiting])
      for (const { handlers = {} } of movesOf(hanging, setting))
        expect(
          Object.values(handlers)
            .flat()
            .filter(({ kind }) => kind === "hang"),
        ).toHaveLength(1);
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
