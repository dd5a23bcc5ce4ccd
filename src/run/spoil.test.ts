import { describe, expect, it } from "vitest";
import type { Harness } from "../contract/harness.ts";
import type { LogEntry, ModelInput, ToolResult } from "../contract/run-record.ts";
import { Hints } from "./hints.ts";
import { snapshotOf } from "./model-input.ts";
import { byTheModel, spoil } from "./spoil.ts";

const harness: Harness = {
  name: "leaky",
  claims: { approvals: "none", deny: false, hiddenTools: "none" },
  run: async () => ({ status: "answered" }),
};
const by = byTheModel;
const entries: readonly LogEntry[] = [
  { type: "proposal", step: 0, callId: "call-1", tool: "look_up" },
  { type: "stop", detail: "answered" },
];
const results: readonly ToolResult[] = [
  { callId: "call-1", text: "12 kg" },
  { callId: "call-2", text: "There is no such tool.", isError: true },
];
const lists = { log: entries, results, menu: ["look_up", "refund"] };

type Name = keyof typeof lists;

function seen(input: ModelInput): string {
  return JSON.stringify(snapshotOf(input, new Hints(harness)));
}

describe("spoil", () => {
  const cases = Object.keys(lists).flatMap((name) => [0, 1, 2].map((count) => [name as Name, count] as const));

  it.each(cases)("the same list is another one afterwards: %s with %i items", (name, count) => {
    const input: ModelInput = { [name]: structuredClone(lists[name].slice(0, count)) };
    const before = seen(input);
    spoil(input, by);
    expect(seen(input)).not.toBe(before);
    expect(seen(input)).toContain(by);
  });

  it("leaves no hint that something is not of the documented form, where the model made it so", () => {
    const input: ModelInput = {
      log: structuredClone(entries) as LogEntry[],
      results: structuredClone(results) as ToolResult[],
    };
    spoil(input, by);
    const hints = new Hints({ ...harness, claims: { ...harness.claims, log: true, results: true } });
    snapshotOf(input, hints);
    expect(hints.sentences()).toEqual([]);
  });

  it.each(cases)("so it is where its items cannot be touched: %s with %i items", (name, count) => {
    const items = lists[name].slice(0, count).map((item) => Object.freeze(item));
    const input = { [name]: items } as ModelInput;
    const before = seen(input);
    spoil(input, by);
    expect(seen(input)).not.toBe(before);
    expect(seen(input)).toContain(by);
  });

  it.each(cases)("a second edit is seen as well: %s with %i items", (name, count) => {
    const items: unknown[] = structuredClone(lists[name].slice(0, count));
    const input = { [name]: items } as ModelInput;
    spoil(input, by);
    items.push(...structuredClone(lists[name]));
    const between = seen(input);
    spoil(input, by);
    expect(seen(input)).not.toBe(between);
  });

  it.each(cases.filter(([name, count]) => name !== "menu" && count > 0))(
    "items are edited that lie in a list of their own: %s with %i items",
    (name, count) => {
      const items = structuredClone(lists[name].slice(0, count));
      const before = seen({ [name]: items } as ModelInput);
      spoil({ [name]: [...items] }, by);
      expect(seen({ [name]: items } as ModelInput)).not.toBe(before);
    },
  );

  it("nothing changes that is frozen through and through", () => {
    const input = Object.freeze({ log: Object.freeze(entries.map((entry) => Object.freeze({ ...entry }))) });
    spoil(input, by);
    expect(input.log).toEqual(entries);
  });

  it("texts, numbers and flags of arguments change, at any depth and round a circle", () => {
    const args: { [key: string]: unknown } = { list: [{ n: 1 }], deep: { flag: true, text: "a" }, more: 2 };
    args.self = args;
    spoil(args, by);
    expect(args).toMatchObject({ list: [{ n: 1, edited: by }, by], deep: { flag: false }, more: 3, edited: by });
  });
});
