import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { Claims } from "../src/contract/harness.ts";
import { defineWorld } from "../src/wire/define-world.ts";
import type { JsonObject } from "../src/world/json.ts";
import { laws } from "./laws.ts";
import { honestCall } from "./proposals/honest-call.ts";
import { mistypedArguments } from "./proposals/mistyped-arguments.ts";
import { refinementBreaks } from "./refinement-breaks.ts";
import { scripts } from "./script-of.ts";
import { settingOf } from "./setting.ts";

const claims: Claims = { approvals: "asked", deny: true, hiddenTools: "none", argumentSchemas: true };
const mail = z.object({
  from: z.string().refine((text) => text.includes("@")),
  cents: z.int().refine((count) => count % 5 === 0),
});

function brokenBy(schema: z.ZodObject, ...examples: readonly JsonObject[]) {
  const { world, normalise } = defineWorld({ find_mail: { schema, examples } });
  const refuses = (tool: string, args: JsonObject) => {
    try {
      normalise(tool, args);
      return false;
    } catch {
      return true;
    }
  };
  const setting = { ...settingOf(world, claims), refuses };
  return { world, refuses, setting, found: refinementBreaks(world.tools[0]!, setting) };
}

describe("refinement-breaks", () => {
  test("break one refinement at a time, and nothing that the JSON Schema says", () => {
    const { found } = brokenBy(mail, { from: "a@b.co", cents: 5 });
    expect(found).toEqual(
      expect.arrayContaining([
        { from: "A-1", cents: 5 },
        { from: "a@b.co", cents: 1 },
      ]),
    );
    expect(found.every((args) => typeof args.from === "string" && Number.isInteger(args.cents))).toBe(true);
  });

  test("reach into objects and lists, past examples of one field, and what two fields say together", () => {
    const nested = z.object({ order: z.object({ lines: z.array(mail) }) });
    const deep = brokenBy(nested, { order: { lines: [{ from: "a@b.co", cents: 5 }] } }).found;
    expect(deep).toContainEqual({ order: { lines: [{ from: "A-1", cents: 5 }] } });
    const seeded = z.object({ from: mail.shape.from.meta({ examples: ["a@b.co"] }) });
    expect(brokenBy(seeded).found).toContainEqual({ from: "A-1" });
    const either = z
      .object({ id: z.string().optional(), name: z.string().optional() })
      .refine(({ id, name }) => (id ?? name) !== undefined);
    expect(brokenBy(either, { id: "A-1" }).found).toContainEqual({});
  });

  test("are none where nothing is refined, nobody tells, or nothing is accepted", () => {
    const plain = z.object({ from: z.string() });
    expect(brokenBy(plain, { from: "a@b.co" }).found).toEqual([]);
    const { world } = brokenBy(mail, { from: "a@b.co", cents: 5 });
    expect(refinementBreaks(world.tools[0]!, {})).toEqual([]);
    expect(refinementBreaks(world.tools[0]!, { refuses: () => true })).toEqual([]);
  });

  test("are fixed cases of mistyped arguments, drawn too, and no honest calls", () => {
    const { setting, world, refuses } = brokenBy(mail, { from: "a@b.co", cents: 5 });
    const args = JSON.stringify({ from: "A-1", cents: 5 });
    const call = { kind: "tool-call", callId: "call-1", name: "find_mail", args } as const;
    expect(JSON.stringify(mistypedArguments.canonical(setting))).toContain(JSON.stringify(args));
    expect([mistypedArguments, honestCall].map((entry) => entry.isOne(call, setting))).toEqual([true, false]);
    for (const entry of [mistypedArguments, honestCall]) {
      for (const law of laws) expect(law.breach(entry, setting), law.says).toBeUndefined();
    }
    const drawn = fc.sample(scripts({ claims, world, refuses }), { seed: 1, numRuns: 300 });
    expect(JSON.stringify(drawn)).toContain(JSON.stringify(args));
  });
});
