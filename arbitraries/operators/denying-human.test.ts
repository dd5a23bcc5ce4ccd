import { describe, expect, test } from "vitest";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { denyingHuman } from "./denying-human.ts";

const setting = settingOf(canonicalWorlds(claims)[0]!, claims);

describe("denying-human", () => {
  test("says nothing but no", () => {
    const said = movesOf(denyingHuman, setting).flatMap(({ decisions = [] }) => decisions);
    expect(new Set(said)).toEqual(new Set(["deny"]));
  });

  test("is asked up to three times about the same call", () => {
    const texts = denyingHuman
      .canonical(setting)
      .map(({ turns }) =>
        turns.flatMap(({ proposals }) => proposals.map((draft) => ("args" in draft ? draft.name + draft.args : ""))),
      );
    expect(texts.some((calls) => calls.length === 3 && new Set(calls).size === 1)).toBe(true);
  });
});
