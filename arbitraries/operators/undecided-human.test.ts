import { describe, expect, test } from "vitest";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { undecidedHuman } from "./undecided-human.ts";

const setting = settingOf(canonicalWorlds(claims)[0]!, claims);

describe("undecided-human", () => {
  test("gives each time an answer that is none", () => {
    for (const { decisions } of movesOf(undecidedHuman, setting)) expect(decisions).toContain("later");
  });

  test("says yes before it, after it, or never", () => {
    const said = undecidedHuman.canonical(setting).map(({ decisions = [] }) => decisions.join(", "));
    expect(new Set(said)).toEqual(new Set(["later", "later, approve", "approve, later"]));
  });

  test("stands alone and beside a call that needs nobody", () => {
    const sizes = undecidedHuman
      .canonical(setting)
      .filter(({ decisions }) => decisions?.length === 1)
      .map(({ turns }) => turns.map(({ proposals }) => proposals.length).join());
    expect(sizes).toEqual(expect.arrayContaining(["1", "2", "1,1"]));
  });
});
