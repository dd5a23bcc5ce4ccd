import type { Report } from "../contract/report.ts";
import { renderFinding } from "../report/render-finding.ts";

/** What a rule's verdict is as a test. */
export type RuleOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "skipped"; readonly because: string }
  | { readonly kind: "failed"; readonly text: string };

/**
 * A broken SHOULD is neither green nor red where it is only reported: it is skipped, and says why.
 */
export function verdictOf(report: Report | undefined, id: string, should: "report" | "fail"): RuleOutcome {
  const rule = report?.rules.find((other) => other.id === id);
  if (report === undefined || rule === undefined)
    return { kind: "failed", text: "The campaign gave no verdict on this rule." };
  if (rule.verdict === "holds") return { kind: "passed" };
  if (rule.verdict === "unsupported") return { kind: "skipped", because: rule.needs ?? "not supported" };
  const text = [
    ...rule.findings.map((finding, index) => renderFinding(rule, finding, report, { withoutTest: index > 0 })),
    ...(rule.findings.length > 0 ? [] : [reasonFor(rule.verdict, rule.because)]),
  ].join("\n\n");
  if (rule.level === "should" && should === "report" && rule.verdict !== "unknown") {
    const [first] = rule.findings;
    return { kind: "skipped", because: `${rule.verdict}, a SHOULD that is only reported: ${first?.because ?? text}` };
  }
  return { kind: "failed", text };
}

function reasonFor(verdict: string, because: string | undefined): string {
  const reason = because === undefined ? "" : `: ${because}`;
  if (verdict === "not-exercised") return `Not exercised: no script gave this rule anything to judge${reason}`;
  return `The verdict is ${verdict}${reason}`;
}
