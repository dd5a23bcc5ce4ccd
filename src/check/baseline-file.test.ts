import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CheckOptions } from "../contract/check-options.ts";
import { reportSchema } from "../contract/report.ts";
import { UsageError } from "../errors.ts";
import { openBaseline } from "./baseline-file.ts";
import { entryOf, reportOf, ruleOf } from "./known-report.test-kit.ts";
import { validOptions } from "./valid-options.ts";

const ends = "every-run-ends";
let folder = "";
const at = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatecrash-baseline-"));
  mkdirSync(at("folder"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, content: unknown): string {
  writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  return at(name);
}

const entry = entryOf(ends, "crashed");

describe("baseline-file", () => {
  const refused: readonly (readonly [string, () => Pick<CheckOptions, "baseline" | "updateBaseline">, string])[] = [
    [
      "a missing file",
      () => ({ baseline: at("nowhere.json") }),
      "which does not exist. Do check the path, or write it",
    ],
    ["a folder", () => ({ baseline: at("folder") }), "which is a folder"],
    ["a folder to write to", () => ({ baseline: at("folder"), updateBaseline: true }), "which is a folder"],
    ["a file in no folder", () => ({ baseline: at("no/x.json"), updateBaseline: true }), "whose folder does not exist"],
    ["broken JSON", () => ({ baseline: fileOf("cut.json", '{ "format": 1') }), "text that does not parse"],
    ["no object", () => ({ baseline: fileOf("list.json", [entry]) }), "to be an object, got an array"],
    ["another format", () => ({ baseline: fileOf("two.json", { format: 2, known: [] }) }), "`format` of the baseline"],
    [
      "another file of the kit",
      () => ({ baseline: fileOf("other.json", { format: 1, world: {} }) }),
      "`known` of the baseline",
    ],
    [
      "an unknown member",
      () => ({ baseline: fileOf("typo.json", { format: 1, known: [{ ...entry, reason: "" }] }) }),
      'to be without unknown keys, got "reason"',
    ],
    [
      "a missing reason",
      () => ({ baseline: fileOf("why.json", { format: 1, known: [{ ...entry, because: undefined }] }) }),
      "`known[0].because` of the baseline",
    ],
    [
      "an unknown rule",
      () => ({ baseline: fileOf("rule.json", { format: 1, known: [entryOf("every-run-end", "crashed")] }) }),
      'to be the id of a rule, got "every-run-end". Do write "every-run-ends", or take the entry out.',
    ],
    [
      "an entry that stands there twice",
      () => ({ baseline: fileOf("twice.json", { format: 1, known: [entry, { ...entry, because: "" }] }) }),
      "`known[1]` of the baseline",
    ],
    ["one of these as an object", () => ({ baseline: { format: 2 } as never }), "to be 1, got 2"],
  ];

  it.each(refused)("refuses %s in one sentence, and leaves it as it was", (_, options, part) => {
    const { baseline, updateBaseline } = options();
    const before = typeof baseline === "string" && baseline.endsWith(".json") && existsSync(baseline);
    const text = before ? readFileSync(baseline, "utf8") : "";
    // What is there already is never taken for nothing.
    for (const isUpdated of before ? [false, true] : [updateBaseline ?? false]) {
      const open = () => openBaseline({ ...options(), updateBaseline: isUpdated });
      expect(open).toThrow(UsageError);
      expect(open).toThrow(part);
      expect(open).toThrow(/^Expected .+\. Do .+\.$/);
    }
    if (before) expect(readFileSync(baseline, "utf8")).toBe(text);
  });

  it.each([
    [{ baseline: "" }, "a file or what stands in one"],
    [{ baseline: 7 as never }, "a file or what stands in one"],
    [{ updateBaseline: true }, "to be the file to be updated, got nothing"],
    [{ baseline: { format: 1, known: [] }, updateBaseline: true } as const, "to be the file to be updated"],
    [{ baseline: "x", updateBaseline: "yes" as never }, "`updateBaseline` of the options to be true or false"],
  ])("refuses the options %j", (options, part) => {
    expect(() => validOptions(options)).toThrow(part);
  });

  it("judges by a file, by an object, and not at all where there is none", () => {
    const report = reportOf([ruleOf(ends, ["crashed"])]);
    const baseline = { format: 1, known: [entry] } as const;
    expect(openBaseline({})(report)).toBe(report);
    expect(openBaseline({ baseline })(report)).toMatchObject({ ok: true, baseline: { gone: [] } });
    const file = fileOf("bom.json", `\uFEFF${JSON.stringify(baseline)}`);
    expect(openBaseline({ baseline: file })(report)).toMatchObject({ ok: true, baseline: { file } });
  });

  it("says so where it holds entries of other harnesses alone", () => {
    const known = [entryOf(ends, "crashed", { harness: "bto" })];
    const { hints } = openBaseline({ baseline: { format: 1, known } })(reportOf([ruleOf(ends)]));
    expect(hints).toEqual(['The baseline holds nothing for "bot", only for "bto".']);
    const both = [...known, entryOf(ends, "crashed")];
    expect(openBaseline({ baseline: { format: 1, known: both } })(reportOf([ruleOf(ends, ["crashed"])])).hints).toEqual(
      [],
    );
  });

  it("writes a file that people can read, tells what changed, and keeps what was written meanwhile", () => {
    const baseline = at("new.json");
    const judge = openBaseline({ baseline, updateBaseline: true });
    expect(existsSync(baseline)).toBe(false);
    fileOf("new.json", { format: 1, known: [entryOf(ends, "hung"), entryOf(ends, "x", { harness: "a" })] });
    const report = judge(reportOf([ruleOf(ends, ["crashed"])]));
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report).toMatchObject({ ok: true, baseline: { gone: [], open: [] } });
    expect(report.baseline?.written).toEqual({
      added: [{ rule: ends, cause: "crashed", because: "" }],
      removed: [{ rule: ends, cause: "hung", because: "the SDK" }],
    });
    const known = [entryOf(ends, "x", { harness: "a" }), entryOf(ends, "crashed", { because: "" })];
    expect(readFileSync(baseline, "utf8")).toBe(`${JSON.stringify({ format: 1, known }, null, 2)}\n`);
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("writes nothing of a campaign that was stopped early, is red for it, and judges by what there was", () => {
    const baseline = fileOf("kept.json", { format: 1, known: [entry] });
    const before = readFileSync(baseline, "utf8");
    const cut = reportOf([ruleOf(ends, ["crashed"])], { stoppedEarly: "the time was up" });
    const report = openBaseline({ baseline, updateBaseline: true })(cut);
    expect(reportSchema.parse(report)).toEqual(report);
    expect(report.ok).toBe(false);
    expect(report.rules[0]?.known).toBe(true);
    expect(report.baseline?.notWritten).toContain("the time was up");
    expect(readFileSync(baseline, "utf8")).toBe(before);
  });

  it("loses no report where the file was spoilt meanwhile", () => {
    const baseline = at("spoilt.json");
    const judge = openBaseline({ baseline, updateBaseline: true });
    writeFileSync(baseline, "{");
    const report = judge(reportOf([ruleOf(ends, ["crashed"])]));
    expect(report).toMatchObject({ ok: false, baseline: { notWritten: expect.stringContaining("does not parse") } });
    expect(readFileSync(baseline, "utf8")).toBe("{");
  });
});
