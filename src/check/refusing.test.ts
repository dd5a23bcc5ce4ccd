import { describe, expect, test } from "vitest";
import type { Harness } from "../contract/harness.ts";
import type { World } from "../world/world.ts";
import { refusing } from "./refusing.ts";

const world: World = { tools: [], skills: [], maxSteps: 1 };

function harnessWith(normalise?: Harness["normalise"]): Harness {
  const plain: Harness = {
    name: "own",
    claims: { approvals: "none", deny: false, hiddenTools: "none" },
    world,
    run: async () => ({ status: "answered" }),
  };
  return normalise === undefined ? plain : { ...plain, normalise };
}

describe("refusing", () => {
  test("refuses what `normalise` throws at, and takes what it takes, at once or later", () => {
    const thrower = harnessWith((_, args) => {
      if (JSON.stringify(args) === "{}") throw new Error("not valid");
      return Promise.reject(new Error("later"));
    });
    const { refuses } = refusing(thrower);
    expect(refuses?.("tool", {})).toBe(true);
    expect(refuses?.("tool", { a: 1 })).toBe(false);
  });

  test("is the same function each time, so that what is known of it is found again", () => {
    const harness = harnessWith((_, args) => args);
    expect(refusing(harness).refuses).toBe(refusing(harness).refuses);
  });

  test("says nothing of a stack that was too small, and leaves the arguments as they are", () => {
    const { refuses } = refusing(
      harnessWith((_, args) => {
        (args as { a: number }).a = 2;
        throw new RangeError("Maximum call stack size exceeded");
      }),
    );
    const args = { a: 1 };
    expect(refuses?.("tool", args)).toBe(false);
    expect(args).toEqual({ a: 1 });
  });

  test("is absent where the harness does not tell, or has no world of its own", () => {
    expect(refusing(harnessWith())).toEqual({});
    const { world: _none, ...worldless } = harnessWith((_, args) => args);
    expect(refusing(worldless)).toEqual({});
  });
});
