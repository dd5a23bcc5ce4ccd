import { describe, expect, it } from "vitest";
import type { BaselineReport, Report, RuleReport } from "../contract/report.ts";
import { headline } from "./headline.ts";
import { goneSentence, knownFailures } from "./known-failures.ts";
import { renderText } from "./render-text.ts";

const finding = {
  because: "The run crashed.",
  script: {
    format: 1,
    world: { tools: [], skills: [], maxSteps: 1 },
    turns: [],
    afterTurns: "end",
    handlers: {},
    decisions: [],
  },
  trace: [{ type: "asked", step: 0 }],
  at: 0,
  classes: [],
  proposals: 0,
  foundIn: "enumeration",
  foundAfter: 1,
  shrinkRuns: 0,
} as const;

function rule(id: string, rest: Partial<RuleReport> = {}): RuleReport {
  const texts = { rule: "It holds.", oftenBrokenBy: "A bug." };
  return { id, level: "must", verdict: "holds", exercised: 9, findings: [], ...texts, ...rest };
}

function report(rules: readonly RuleReport[], baseline?: Partial<BaselineReport>): Report {
  const told = baseline === undefined ? {} : { baseline: { gone: [], open: [], ...baseline } };
  return { format: 1, harness: "bot", ok: true, seed: 1, scripts: 9, rules, hints: [], fixed: [], ...told };
}

const broken = rule("every-run-ends", {
  verdict: "violated",
  known: true,
  findings: [
    { ...finding, cause: "crashed", known: "the SDK throws" },
    { ...finding, cause: "hung", known: "", flaky: true },
  ],
});
const failure = { rule: "every-run-ends", cause: "crashed", because: "the SDK throws" } as const;

describe("known-failures", () => {
  it("counts what is broken and known apart from what is broken", () => {
    expect(headline(report([broken, rule("a-rule")], {}))).toBe("1 broken and known, 1 held");
    const news = rule("b-rule", { verdict: "violated", findings: [{ ...finding, cause: "x" }] });
    expect(headline(report([news, broken, rule("a-rule")], {}))).toBe("1 broken, 1 broken and known, 1 held");
  });

  it("puts what changed, and what was not looked for, first in the headline", () => {
    const gone = [{ ...failure, level: "must" }] as const;
    const open = [{ ...failure, unclear: "its rule was not exercised" }];
    expect(headline(report([rule("a-rule")], { gone, open }))).toBe(
      "1 known failure no longer fails; 1 known failure not looked for; 1 held",
    );
    const two = [...gone, { ...failure, cause: "hung", level: "must" }] as const;
    expect(headline(report([rule("a-rule")], { gone: two }))).toBe("2 known failures no longer fail; 1 held");
    expect(headline(report([rule("a-rule")], { notWritten: "why" }))).toBe("the baseline was not written; 1 held");
  });

  it("shows what is known on one line with the reason, and only what is new in full", () => {
    const text = renderText(report([broken], {}));
    expect(text).toContain("Broken and known: the baseline accepts it");
    expect(text).toContain(
      "every-run-ends  crashed (known: the SDK throws); hung (known, not again with the same script: nobody has said why)",
    );
    expect(text).not.toContain("BROKEN");
    const { known: _, ...mixed } = broken;
    const both = renderText(report([{ ...mixed, findings: [...broken.findings, { ...finding, cause: "new" }] }], {}));
    expect(both.match(/^(BROKEN|FLAKY)/gm)).toEqual(["BROKEN"]);
    expect(both).toContain("cause: new");
    expect(both).toContain("Keep it as a test");
  });

  it("names each entry that no longer fails, and what to do about it", () => {
    const sentence = goneSentence(failure, { file: "known.json" });
    expect(sentence).toBe(
      'every-run-ends, crashed no longer fails (known, because: the SDK throws). Do take it out of "known.json", or run the check with `--update-baseline`.',
    );
    expect(goneSentence({ ...failure, because: "" }, {})).toBe(
      "every-run-ends, crashed no longer fails. Do take it out of the baseline.",
    );
    const text = renderText(
      report([rule("every-run-ends")], { file: "known.json", gone: [{ ...failure, level: "must" }] }),
    );
    expect(text).toContain(sentence);
  });

  it("names each entry that could not be looked for, with the reason", () => {
    const open = [{ ...failure, unclear: "its rule was not exercised" }];
    expect(renderText(report([rule("a-rule")], { open }))).toContain(
      "Known failures that could not be looked for\n  every-run-ends, crashed: its rule was not exercised",
    );
  });

  it("tells what was written, and why it was not", () => {
    const written = { added: [{ ...failure, cause: "hung", because: "" }], removed: [failure] };
    const text = renderText(report([rule("a-rule")], { file: "known.json", written }));
    expect(text).toContain('The baseline was written: "known.json"');
    expect(text).toContain("new: every-run-ends, hung; fill in its `because`");
    expect(text).toContain("taken out: every-run-ends, crashed (known, because: the SDK throws)");
    const same = renderText(report([rule("a-rule")], { file: "known.json", written: { added: [], removed: [] } }));
    expect(same).toContain("nothing changed");
    expect(renderText(report([rule("a-rule")], { notWritten: "the time was up" }))).toContain("the time was up");
  });

  it("prints nothing raw of what people wrote, and nothing at all without a baseline", () => {
    const gone = [{ ...failure, because: "\u001b[2J", level: "must" }] as const;
    expect(renderText(report([rule("a-rule")], { gone }))).not.toContain("\u001b");
    expect(knownFailures(report([rule("a-rule")]))).toEqual([]);
  });
});
