import { describe, expect, test } from "vitest";
import type { Claims } from "../../src/contract/harness.ts";
import { depthOf } from "../../src/world/json.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { oversizedArguments } from "./oversized-arguments.ts";

const claims: Claims = {
  approvals: "asked",
  deny: true,
  hiddenTools: "by-skill",
  argumentSchemas: true,
  argumentPolicies: true,
  stopReason: true,
};
const setting = settingOf(canonicalWorlds(claims)[0]!, claims);
const textsOf = (moves: ReturnType<typeof oversizedArguments.canonical>) =>
  moves.flatMap(({ turns }) =>
    turns.flatMap(({ proposals }) => proposals.map((draft) => (draft.kind === "tool-call" ? draft.args : ""))),
  );

describe("oversized-arguments", () => {
  test("is a megabyte, or thousands of levels deep, and one JSON object", () => {
    const texts = textsOf(oversizedArguments.canonical(setting));
    expect(texts.some((text) => text.length > 1_000_000)).toBe(true);
    expect(texts.some((text) => depthOf(JSON.parse(text)) > 3_000)).toBe(true);
    expect(texts.every((text) => text.length > 10_000 && !Array.isArray(JSON.parse(text)))).toBe(true);
  });

  test("is rarely that large when drawn, and never in pairs", () => {
    const drawn = Array.from(
      { length: 96 },
      (_, form) => oversizedArguments.resolve({ target: 0, form, args: 0 }, setting)!,
    );
    expect(textsOf(drawn).filter((text) => text.length > 100_000).length).toBe(2);
    expect(Math.max(...textsOf(oversizedArguments.representatives(setting)).map(({ length }) => length))).toBeLessThan(
      20_000,
    );
  });
});
