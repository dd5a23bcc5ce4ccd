import type { Finding } from "../contract/finding.ts";
import type { Report, RuleReport, RuleVerdict } from "../contract/report.ts";
import type { Paint } from "./paint.ts";
import { counted, shortened, visible } from "./visible-text.ts";

/** Every rule of a report on one line, grouped by verdict; what was not judged stands there too, with the reason. */
export function ruleTable(report: Report, paint: Paint): readonly string[] {
  const width = Math.max(0, ...report.rules.map((rule) => rule.id.length)) + 2;
  return groups.flatMap(([verdict, heading, colour]) => {
    const rules = report.rules.filter((rule) => (rule.known === true ? "known" : rule.verdict) === verdict);
    if (rules.length === 0) return [];
    const lines = rules.map((rule) => `  ${rule.id.padEnd(width)}${remark(rule)}`);
    // One script is about few rules, and that the others had nothing to judge says nothing of the harness.
    if (report.replayed === true && verdict === "not-exercised" && rules.length > few) {
      return ["", paint[colour](`${counted(rules.length, "rule")} had nothing to judge in this script`)];
    }
    return ["", paint[colour](heading), ...lines];
  });
}

/** So many lines are read. */
const few = 3;

const groups: readonly (readonly [RuleVerdict | "known", string, keyof Paint])[] = [
  ["holds", "Held", "good"],
  ["unsupported", "Not judged", "faint"],
  ["not-exercised", "Not exercised: no script gave the rule anything to judge", "open"],
  ["unknown", "Unknown", "open"],
  ["known", "Broken and known: the baseline accepts it", "open"],
  ["flaky", "Flaky: failed once, and not again with the same script", "open"],
  ["violated", "Broken", "bad"],
];

function remark(rule: RuleReport): string {
  const level = rule.level === "should" ? " (a SHOULD)" : "";
  const because = shortened(visible(rule.because ?? ""), 400);
  switch (rule.verdict) {
    case "holds":
      return `exercised in ${counted(rule.exercised, "run")}${level}`;
    case "unsupported":
      return visible(rule.needs ?? "not supported");
    case "violated":
    case "flaky":
      return `${rule.findings.map(causeOf).join(rule.known === true ? "; " : ", ")}${level}`;
    default:
      return `${because}${level}`;
  }
}

/** The cause, and where the baseline knows it the reason that people gave. */
function causeOf({ cause, known, flaky }: Finding): string {
  if (known === undefined) return visible(cause);
  const again = flaky === true ? ", not again with the same script" : "";
  return `${visible(cause)} (known${again}: ${visible(known) || "nobody has said why"})`;
}
