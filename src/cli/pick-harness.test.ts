import { describe, expect, it } from "vitest";
import { pickHarness } from "./pick-harness.ts";

const bot = { name: "bot", claims: {}, run() {} };
const other = { ...bot, name: "other" };

describe("pick-harness", () => {
  it.each<readonly [string, Record<string, unknown>, string, unknown]>([
    ["the default export", { default: bot, harness: other }, "default", bot],
    ["the export named harness", { harness: bot, helper: other }, "harness", bot],
    ["the only one that looks like it", { support: bot, limit: 3, make() {} }, "support", bot],
    ["one object under two names", { support: bot, alias: bot }, "support", bot],
    ["one beside a default export of another kind", { default: () => bot, support: bot }, "support", bot],
    ["a CommonJS file's only export", { default: bot, "module.exports": bot }, "default", bot],
    ["one among a CommonJS file's exports", { default: { harness: bot, limit: 1 }, limit: 1 }, "harness", bot],
    [
      "the default of a compiled CommonJS file",
      { default: { __esModule: true, default: bot }, __esModule: true },
      "default",
      bot,
    ],
  ])("takes %s", (_, module, exportName, value) => {
    expect(pickHarness(module, "bot.ts")).toEqual({ exportName, value });
  });

  it("takes the one that was picked", () => {
    expect(pickHarness({ default: bot, second: other }, "bot.ts", "second").value).toBe(other);
  });

  it.each<readonly [string, Record<string, unknown>, string | undefined, string]>([
    ["several", { a: bot, b: other }, undefined, "got 2: a, b. Do pick one with `--export a`."],
    ["none", { limit: 3 }, undefined, "got `limit` (3). Do export it as `harness`"],
    ["an empty file", {}, undefined, "got no export at all."],
    ["a picked one that is not there", { second: bot }, "secnd", "Do use `--export second`."],
  ])("refuses %s with a sentence", (_, module, picked, words) => {
    expect(() => pickHarness(module, "bot.ts", picked)).toThrow(words);
  });
});
