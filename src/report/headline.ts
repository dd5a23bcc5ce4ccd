import type { Report, RuleReport, RuleVerdict } from "../contract/report.ts";
import { knownCounts } from "./known-failures.ts";
import { listed, visible } from "./visible-text.ts";

/**
 * What a campaign came to in one line. It counts what was not judged and says why, so that a green report never looks
 * wider than it is; so does a campaign that ended early.
 *
 * @example
 * headline(report) // "19 held, 12 not judged: results and log are not claimed"
 */
export function headline(report: Report): string {
  const known = report.rules.filter((rule) => rule.known === true);
  const rules = report.rules.filter((rule) => rule.known !== true);
  const count = (verdict: RuleVerdict) => rules.filter((rule) => rule.verdict === verdict).length;
  const should = (verdict: RuleVerdict) =>
    rules.filter((rule) => rule.verdict === verdict && rule.level === "should").length;
  const parts = [
    [count("violated") - should("violated"), "broken"],
    [should("violated"), "broken (SHOULD)"],
    [count("flaky"), "flaky"],
    [count("unknown"), "unknown"],
    [count("not-exercised") - should("not-exercised"), "not exercised"],
    [known.length, "broken and known"],
    [count("holds"), "held"],
    [should("not-exercised"), "not exercised (SHOULD)"],
    [count("unsupported"), "not judged"],
  ] as const;
  const told = parts.filter(([times, word]) => times > 0 || (word === "held" && report.rules.length > 0));
  const text = told.map(([times, word]) => `${times} ${word}`).join(", ");
  const early = report.stoppedEarly === undefined ? "" : `stopped early: ${visible(report.stoppedEarly)}; `;
  const all = report.scripts + (report.leftOut ?? 0);
  const part =
    report.leftOut === undefined ? "" : `played in part (${Math.max(1, Math.floor((100 * report.scripts) / all))} %); `;
  const reasons = missingClaims(report.rules);
  const changed = report.baseline === undefined ? [] : knownCounts(report.baseline);
  return (
    early +
    part +
    changed.map((words) => `${words}; `).join("") +
    (reasons === "" ? text || "no rule was judged" : `${text}: ${reasons}`)
  );
}

/** More would not be read in one line; the table under it has them all. */
const mostSubjects = 5;

/** Why rules were not judged, each reason once: "results and log are not claimed; the harness has no loop of its own". */
function missingClaims(rules: readonly RuleReport[]): string {
  const needs = rules.flatMap((rule) => (rule.verdict === "unsupported" ? [rule.needs ?? "not supported"] : []));
  const reasons = [...new Set(needs)];
  const subjects: string[] = [];
  const others: string[] = [];
  for (const reason of reasons) {
    const subject = /^(.+?) (?:is|are) not claimed\.?$/.exec(reason)?.[1];
    if (subject === undefined) others.push(visible(reason));
    else subjects.push(...subject.split(/, | and /).filter((word) => !subjects.includes(word)));
  }
  if (subjects.length === 0) return others.join("; ");
  const only = reasons.find((reason) => reason.startsWith(`${subjects[0]} `));
  const claims = subjects.length === 1 && only !== undefined ? only : `${listed(briefly(subjects))} are not claimed`;
  // "No gate is claimed" says nothing beside the gates that are named.
  return [visible(claims), ...others.filter((reason) => !/^no \S+ is claimed\b/.test(reason))].join("; ");
}

function briefly(subjects: readonly string[]): readonly string[] {
  if (subjects.length <= mostSubjects) return subjects;
  return [...subjects.slice(0, mostSubjects - 1), `${subjects.length - mostSubjects + 1} more`];
}
