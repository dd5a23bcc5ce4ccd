import { describe, expect, test } from "vitest";
import { waitsInVain } from "../../src/check/waiting-ration.ts";
import { sizeOf } from "../../src/contract/script.ts";
import type { Move } from "../../src/contract/script-class.ts";
import { everythingClaimed as claims } from "../claimed.test-kit.ts";
import { movesOf } from "../laws.ts";
import { settingOf } from "../setting.ts";
import { canonicalWorlds } from "../small-world.ts";
import { weave } from "../weave.ts";
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

  test("is asked again when the yes has arrived: the run was busy with another human or a handler meanwhile", () => {
    const cases = lateHuman.canonical(settingOf(world!, { ...claims, deadlineMs: 50 }));
    const busy = cases.filter((move) => waitsInVain({ ...move, decisions: move.decisions?.slice(1) ?? [] }));
    const callsOf = ({ turns, afterTurns }: Move) => {
      const calls = turns.map(({ proposals }) => proposals.flatMap((it) => (it.kind === "tool-call" ? [it] : [])));
      return afterTurns === "repeat-last" ? [...calls, calls.at(-1)!, calls.at(-1)!] : calls;
    };
    expect(busy.map((move) => callsOf(move).length > 2 && move.decisions?.at(-1))).toEqual(busy.map(() => "deny"));
    const last = busy.map((move) => callsOf(move).at(-1)![0]!);
    expect(new Set(last.map(({ name }) => name))).toEqual(new Set(["refund_order"]));
    expect(new Set(last.map(({ args }) => args)).size).toBe(2);
    expect(busy.filter(({ handlers }) => handlers !== undefined).length).toBe(2);
    expect(busy.filter((move) => sizeOf(weave(world!, [move])) < 2).length).toBe(1);
  });

  test("needs a deadline", () => {
    expect(lateHuman.needs(settingOf(world!, claims))).toMatch(/deadline/);
  });
});
