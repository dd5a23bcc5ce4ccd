import { describe, expect, test } from "vitest";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { approvingHuman } from "./approving-human.ts";

const setting = settingOf(canonicalWorlds(claims)[0]!, claims);
const cases = approvingHuman.canonical(setting);

describe("approving-human", () => {
  test("says nothing but yes", () => {
    const said = movesOf(approvingHuman, setting).flatMap(({ decisions = [] }) => decisions);
    expect(new Set(said)).toEqual(new Set(["approve"]));
  });

  test("an approved call comes again as half a text, and in a turn that was cut off", () => {
    const last = cases.map(({ turns }) => turns.at(-1)!);
    expect(last.some(({ stop }) => stop === "length")).toBe(true);
    const texts = last.flatMap(({ proposals }) => proposals.map((draft) => ("args" in draft ? draft.args : "{}")));
    expect(texts.some((text) => !text.endsWith("}"))).toBe(true);
  });

  test("needs somebody to ask, and something to ask about", () => {
    expect(approvingHuman.needs(settingOf(setting.world, { ...claims, approvals: "ends-run" }))).toMatch(/not claimed/);
    expect(approvingHuman.needs(settingOf({ ...setting.world, tools: [] }, claims))).toMatch(/no tool/);
  });
});
