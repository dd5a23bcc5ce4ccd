import type { Report, RuleReport } from "../contract/report.ts";
import { goneSentence } from "../report/known-failures.ts";
import { renderFinding } from "../report/render-finding.ts";

/** What a rule's verdict is as a test. */
export type RuleOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "skipped"; readonly because: string }
  | { readonly kind: "failed"; readonly text: string };

/**
 * What the baseline knows is neither green nor red, nor is a broken SHOULD where it is only reported: such a rule is
 * skipped, and says why. An entry of the baseline that no longer fails counts as a failure of its rule would.
 */
export function verdictOf(report: Report | undefined, id: string, should: "report" | "fail"): RuleOutcome {
  const rule = report?.rules.find((other) => other.id === id);
  if (report === undefined || rule === undefined)
    return { kind: "failed", text: "The campaign gave no verdict on this rule." };
  const isReported = rule.level === "should" && should === "report";
  const { baseline } = report;
  const gone = (baseline?.gone ?? []).filter((failure) => failure.rule === id);
  const changes = gone.map((failure) => goneSentence(failure, baseline ?? {}));
  const isFine = rule.verdict === "holds" || rule.known === true;
  if (isFine && changes.length > 0) {
    return isReported ? { kind: "skipped", because: changes.join(" ") } : { kind: "failed", text: changes.join("\n") };
  }
  if (rule.verdict === "holds") {
    if (report.cutOff !== true) return { kind: "passed" };
    return { kind: "failed", text: `It held so far, but ${report.stoppedEarly ?? "the campaign was cut off"}.` };
  }
  if (rule.verdict === "unsupported") return { kind: "skipped", because: rule.needs ?? "not supported" };
  if (rule.known === true) return { kind: "skipped", because: `broken and known: ${knownWords(rule)}` };
  const news = rule.findings.filter(({ known }) => known === undefined);
  const text = [
    ...changes,
    ...news.map((finding, index) => renderFinding(rule, finding, report, { withoutTest: index > 0 })),
    ...(news.length > 0 ? [] : [reasonFor(rule.verdict, rule.because)]),
  ].join("\n\n");
  if (isReported && rule.verdict !== "unknown") {
    const [first] = news;
    return { kind: "skipped", because: `${rule.verdict}, a SHOULD that is only reported: ${first?.because ?? text}` };
  }
  return { kind: "failed", text };
}

function knownWords({ findings }: RuleReport): string {
  return findings.map(({ cause, known }) => `${cause} (${known || "nobody has said why"})`).join("; ");
}

function reasonFor(verdict: string, because: string | undefined): string {
  const reason = because === undefined ? "" : `: ${because}`;
  if (verdict === "not-exercised") return `Not exercised: no script gave this rule anything to judge${reason}`;
  return `The verdict is ${verdict}${reason}`;
}
