import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { anthropicFetch } from "./anthropic-fetch.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiFetch } from "./openai-fetch.ts";

const doubles = { openaiFetch, anthropicFetch, openaiChat, anthropicMessages };
const run = { tools: [], skills: [], nextTurn: async () => ({ proposals: [], stop: "end" }) };

describe("model-double", () => {
  it.each(Object.entries(doubles))("%s says so where it is given no run, or options that are none", (name, double) => {
    const made = (...given: unknown[]) => (double as (...given: unknown[]) => unknown)(...given);
    expect(() => made(run)).not.toThrow();
    for (const [given, toBe] of [
      [null, `the run of \`${name}\` to be an object, got null`],
      [undefined, "to be an object, got nothing"],
      [{}, `\`nextTurn\` of the run of \`${name}\` to be a function, got nothing`],
    ] as const) {
      expect(() => made(given)).toThrow(UsageError);
      expect(() => made(given)).toThrow(toBe);
    }
    expect(() => made(null)).toThrow(`Do write \`run: async (run) => { ... ${name}(run) ... }\`.`);
    expect(() => made(run, null)).toThrow(`the options of \`${name}\` to be an object, got null`);
  });
});
