import { describe, expect, test } from "vitest";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { silentHuman } from "./silent-human.ts";

const [world] = canonicalWorlds(claims);
const aborting = settingOf(world!, claims);
const waiting = settingOf(world!, { ...claims, abort: false, deadlineMs: 50 });

describe("silent-human", () => {
  test("never answers one request", () => {
    for (const setting of [aborting, waiting])
      for (const { decisions = [] } of movesOf(silentHuman, setting))
        expect(decisions.filter((decision) => decision === "hang")).toHaveLength(1);
  });

  test("the run is aborted during that request, or its deadline ends it", () => {
    for (const { decisions = [], abort } of movesOf(silentHuman, aborting))
      expect(abort).toEqual({ during: "approval", at: decisions.indexOf("hang") });
    for (const { abort } of movesOf(silentHuman, waiting)) expect(abort).toBeUndefined();
  });

  test("needs a deadline or an abort", () => {
    expect(silentHuman.needs(settingOf(world!, { ...claims, abort: false }))).toMatch(/neither/);
  });
});
