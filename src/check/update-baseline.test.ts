import { describe, expect, it } from "vitest";
import { UsageError } from "../errors.ts";
import { entryOf, findingOf, reportOf, ruleOf } from "./known-report.test-kit.ts";
import { updateBaseline } from "./update-baseline.ts";

const ends = "every-run-ends";
const denied = "denied-tools-never-run";

describe("update-baseline", () => {
  it("accepts what was found, in order, and leaves the reasons to people", () => {
    const report = reportOf([ruleOf(ends, ["hung", "crashed"]), ruleOf(denied, ["denied-tool"], { level: "should" })]);
    expect(updateBaseline(report)).toEqual({
      format: 1,
      known: [
        entryOf(denied, "denied-tool", { because: "" }),
        entryOf(ends, "crashed", { because: "" }),
        entryOf(ends, "hung", { because: "" }),
      ],
    });
  });

  it("keeps the reasons, other harnesses and what nothing is known of, and takes out what no longer fails", () => {
    const kept = [
      entryOf("a-harness", "x", { harness: "a", rule: ends }),
      entryOf(denied, "denied-tool", { because: "not judged now" }),
      entryOf(ends, "crashed", { because: "the SDK, until 2.0" }),
      entryOf(ends, "late", { sometimes: true }),
    ];
    const report = reportOf([ruleOf(ends, ["crashed"])]);
    expect(updateBaseline(report, { format: 1, known: [...kept, entryOf(ends, "hung")] })).toEqual({
      format: 1,
      known: kept,
    });
  });

  it("expects again only what more than luck can find", () => {
    const random = { foundIn: "random" } as const;
    const found = [
      findingOf("crashed", { ...random, savedAs: "every-run-ends.crashed.json" }),
      findingOf("hung", random),
    ];
    expect(updateBaseline(reportOf([ruleOf(ends, found)])).known).toEqual([
      entryOf(ends, "crashed", { because: "" }),
      entryOf(ends, "hung", { because: "", sometimes: true }),
    ]);
  });

  it("does not accept what did not fail again", () => {
    const report = reportOf([ruleOf(ends, [findingOf("hung", { flaky: true })], { verdict: "flaky" })]);
    expect(updateBaseline(report).known).toEqual([]);
  });

  it("comes to the same when it is done twice", () => {
    const report = reportOf([ruleOf(ends, ["hung", "crashed"])]);
    const once = updateBaseline(report);
    expect(updateBaseline(report, once)).toEqual(once);
  });

  it.each([
    ["a campaign that was stopped early", { stoppedEarly: "the time was up" }, "got the time was up"],
    ["a replay", { replayed: true }, "got one of a single script"],
  ] as const)("refuses %s", (_, rest, part) => {
    const update = () => updateBaseline(reportOf([ruleOf(ends, ["crashed"])], rest));
    expect(update).toThrow(UsageError);
    expect(update).toThrow(part);
  });
});
