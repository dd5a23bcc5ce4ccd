import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { onlyMembers } from "./only-members.ts";

describe("only-members", () => {
  const double = onlyMembers("double", { create: () => 1 }, "give the loop the real one");

  it("gives its members, and what every object has", () => {
    expect(double.create()).toBe(1);
    expect(String(double)).toBe("[object Object]");
  });

  it("says what is missing, in a sentence", () => {
    const read = () => (double as unknown as { stream: unknown }).stream;
    expect(read).toThrow(UsageError);
    expect(read).toThrow(
      "Expected the loop to use `double.create` only, got `double.stream`. Do give the loop the real one.",
    );
  });

  it("can be awaited, printed and compared", async () => {
    expect(await Promise.resolve(double)).toBe(double);
    expect(JSON.stringify(double)).toBe("{}");
    expect(double).toEqual(double);
  });
});
