import { describe, expect, test } from "vitest";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { editedInput } from "./edited-input.ts";

const [world] = canonicalWorlds(claims);
const setting = settingOf(world!, claims);

describe("edited-input", () => {
  test("the model edits what it is shown in every case", () => {
    expect(movesOf(editedInput, setting).every(({ modelEditsInput }) => modelEditsInput === true)).toBe(true);
  });

  test("over several turns with a result, a refusal, a denial and a failure", () => {
    const cases = editedInput.canonical(setting);
    const names = cases.flatMap(({ turns }) =>
      turns.flatMap(({ proposals }) => proposals.flatMap((draft) => (draft.kind === "tool-call" ? [draft] : []))),
    );
    const permissions = names.map(({ name }) => world!.tools.find((tool) => tool.name === name)?.permission);
    expect(new Set(permissions)).toEqual(new Set(["allow", "ask", "deny"]));
    expect(names.some(({ args }) => !args.endsWith("}"))).toBe(true);
    expect(cases.some(({ handlers = {} }) => Object.values(handlers).flat()[0]?.kind === "throw")).toBe(true);
    expect(new Set(cases.map(({ decisions = [] }) => decisions.join()))).toEqual(new Set(["", "approve", "deny"]));
  });

  test("needs the log", () => {
    expect(editedInput.needs(settingOf(world!, { ...claims, log: false }))).toMatch(/log/);
  });
});
