import type { BaselineEntry } from "../contract/baseline.ts";
import type { Finding } from "../contract/finding.ts";
import type { Report, RuleReport } from "../contract/report.ts";

/** A finding by hand: nothing of it is looked at but its cause. */
export function findingOf(cause: string, rest: Partial<Finding> = {}): Finding {
  const world = { tools: [], skills: [], maxSteps: 1 };
  const script = { format: 1, world, turns: [], afterTurns: "end", handlers: {}, decisions: [] } as const;
  const found = { foundIn: "enumeration", foundAfter: 1, shrinkRuns: 0, proposals: 0, classes: [] } as const;
  return {
    cause,
    because: `It broke by ${cause}.`,
    script,
    trace: [{ type: "asked", step: 0 }],
    at: 0,
    ...found,
    ...rest,
  };
}

/** A rule by hand: violated where it has findings, else it holds. */
export function ruleOf(
  id: string,
  causes: readonly (string | Finding)[] = [],
  rest: Partial<RuleReport> = {},
): RuleReport {
  const findings = causes.map((cause) => (typeof cause === "string" ? findingOf(cause) : cause));
  const verdict = findings.length > 0 ? "violated" : "holds";
  return { id, level: "must", verdict, exercised: 9, findings, rule: "It holds.", oftenBrokenBy: "A bug.", ...rest };
}

export function reportOf(rules: readonly RuleReport[], rest: Partial<Report> = {}): Report {
  const ok = rules.every(({ verdict }) => verdict === "holds");
  return { format: 1, harness: "bot", ok, seed: 1, scripts: 9, rules, hints: [], fixed: [], ...rest };
}

export function entryOf(rule: string, cause: string, rest: Partial<BaselineEntry> = {}): BaselineEntry {
  return { harness: "bot", rule, cause, because: "the SDK", ...rest };
}
