import { describe, expect, test } from "vitest";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { lateHuman } from "./late-human.ts";

const [world] = canonicalWorlds(claims);

describe("late-human", () => {
  test("says yes too late, once, and no to whatever else is asked", () => {
    for (const { decisions } of movesOf(lateHuman, settingOf(world!, { ...claims, deadlineMs: 50 }))) {
      expect(decisions?.[0]).toBe("late-approve");
      expect(decisions?.at(-1)).toBe("deny");
      expect(decisions?.slice(1)).not.toContain("late-approve");
    }
  });

  test("needs a deadline", () => {
    expect(lateHuman.needs(settingOf(world!, claims))).toMatch(/deadline/);
  });
});
