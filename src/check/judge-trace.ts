import type { Harness } from "../contract/harness.ts";
import type { Evidence, Property } from "../contract/property.ts";
import { isAccompanied, type Script } from "../contract/script.ts";
import type { Trace } from "../contract/trace.ts";
import type { Verdict, Violation } from "../contract/verdict.ts";
import { sameJson } from "../world/json.ts";

/** What one rule says of one run; `twin` is the other run where the rule compares two. */
export interface Judgement {
  readonly rule: Property;
  readonly verdicts: readonly Verdict[];
  readonly twin?: { readonly script: Script; readonly trace: Trace };
}

export function evidenceOf(harness: Harness, script: Script, trace: Trace): Evidence {
  const { claims, shape = {} } = harness;
  const evidence = { trace, world: script.world, claims, shape };
  return isAccompanied(script) ? { ...evidence, accompanied: true } : evidence;
}

let last: { readonly harness: Harness; readonly script: Script; readonly evidence: Evidence } | undefined;

/** All rules judge the same trace, one after another: they share one piece of evidence, and what is known of it. */
function lastEvidence(harness: Harness, script: Script, trace: Trace): Evidence {
  if (last?.evidence.trace !== trace || last.harness !== harness || last.script !== script) {
    last = { harness, script, evidence: evidenceOf(harness, script, trace) };
  }
  return last.evidence;
}

/**
 * Judges one trace by one rule. Plays the rule's twin script only where the rule asks for it, which is rare, so that
 * most traces are judged without waiting.
 */
export function judgeTrace(
  rule: Property,
  harness: Harness,
  script: Script,
  trace: Trace,
  play: (script: Script) => Promise<Trace>,
): Judgement | Promise<Judgement> {
  const evidence = lastEvidence(harness, script, trace);
  const twinScript = rule.twin === undefined ? undefined : guarded(rule, () => rule.twin?.(script, evidence));
  if (twinScript !== undefined && "kind" in twinScript) return { rule, verdicts: [twinScript] };
  if (twinScript === undefined || hasOtherTools(harness, script, twinScript)) {
    return { rule, verdicts: verdictsOf(rule, evidence) };
  }
  return judgePair(rule, harness, { script, evidence }, twinScript, play);
}

async function judgePair(
  rule: Property,
  harness: Harness,
  { script, evidence }: { readonly script: Script; readonly evidence: Evidence },
  twinScript: Script,
  play: (script: Script) => Promise<Trace>,
): Promise<Judgement> {
  let twin = { script: twinScript, trace: await play(twinScript) };
  let twinEvidence = evidenceOf(harness, twin.script, twin.trace);
  const second = guarded(rule, () => rule.secondTwin?.(script, evidence, twinEvidence));
  if (second !== undefined && "kind" in second) return { rule, verdicts: [second], twin };
  if (second !== undefined) {
    twin = { script: second, trace: await play(second) };
    twinEvidence = evidenceOf(harness, twin.script, twin.trace);
  }
  return { rule, verdicts: verdictsOf(rule, evidence, twinEvidence), twin };
}

/** A harness with a world of its own keeps to its own policies: a twin in which they differ tells nothing of it. */
function hasOtherTools({ world }: Harness, script: Script, twin: Script): boolean {
  return world !== undefined && !sameJson(twin.world.tools, script.world.tools);
}

const none: readonly Violation[] = [];

export function violationsOf({ verdicts }: Judgement): readonly Violation[] {
  // What nearly every run comes to makes no list of its own.
  if (verdicts.length === 1 && verdicts[0]?.kind === "holds") return none;
  return verdicts.filter((verdict) => verdict.kind === "violated");
}

function verdictsOf(rule: Property, evidence: Evidence, twin?: Evidence): readonly Verdict[] {
  const verdict = guarded(rule, () => rule.judge(evidence, twin));
  return "kind" in verdict ? [verdict] : verdict;
}

/** A property that throws has judged nothing: unknown, and red. */
function guarded<Value>(rule: Property, judge: () => Value): Value | Extract<Verdict, { kind: "unknown" }> {
  try {
    return judge();
  } catch (error) {
    return { kind: "unknown", because: `the rule "${rule.id}" threw while judging: ${String(error)}` };
  }
}
