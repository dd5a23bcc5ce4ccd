import type { Evidence } from "../../src/contract/property.ts";
import type { LogEntry } from "../../src/contract/run-record.ts";
import { type CallStory, type Standing, standingOf } from "./call-stories.ts";
import { carries } from "./result-content.ts";
import { firstTelling, tellingsOf } from "./result-tellings.ts";

/** A call that was reported as done, and what it had come to by then. */
export interface Success {
  readonly story: CallStory;
  readonly at: number;
  readonly standing: Standing;
  readonly where: "result" | "log";
}

/** The calls whose results look like success. */
export function toldSuccesses(evidence: Evidence, stories: readonly CallStory[]): readonly Success[] {
  if (!evidence.claims.results) return [];
  const tellings = tellingsOf(evidence);
  const told = stories.flatMap((story) => {
    // Success for a name that no tool declares is told by the rule about such names.
    if (!story.isSure || story.call.tool === undefined) return [];
    const telling = firstTelling(tellings, story);
    if (telling === undefined) return [];
    return [{ story, ...telling, standing: standingOf(story, telling.ask.at) }];
  });
  const waiting = undecidedTools(evidence);
  const hasFlag = evidence.shape.errorFlag !== false;
  const texts = new Set(
    hasFlag
      ? []
      : told
          .filter(({ standing }) => standing === "returned")
          .flatMap(({ results }) => results.map(({ text }) => text)),
  );
  return told.flatMap(({ story, ask, results, standing }): readonly Success[] => {
    if (standing === "not-run" && waiting.has(`${story.call.step} ${story.call.call.name}`)) return [];
    const success: Success = { story, at: ask.at, standing, where: "result" };
    if (hasFlag) return results.every(({ isError }) => isError === true) ? [] : [success];
    // Told by the text alone: it is the very one that a call which returned was answered with.
    if (standing !== "not-run" && standing !== "threw") return [];
    const own = story.runs.flatMap(({ behaviour }) => ("message" in behaviour ? [behaviour.message] : []));
    return results.some(({ text }) => text.trim() !== "" && texts.has(text) && !own.some((each) => carries(text, each)))
      ? [success]
      : [];
  });
}

/** The calls that the log has a `result` of. */
export function loggedSuccesses({ trace, claims }: Evidence, stories: readonly CallStory[]): readonly Success[] {
  if (!claims.log) return [];
  const open = new Map<string, CallStory>();
  for (const story of stories) {
    if (story.isSure && !story.isReused) open.set(story.call.call.callId, story);
  }
  const successes: Success[] = [];
  let seen = 0;
  for (const [at, event] of trace.entries()) {
    if ((event.type !== "asked" && event.type !== "ended") || event.late || event.log === undefined) continue;
    // What was there before has been looked at.
    const fresh: readonly LogEntry[] = event.log.slice(seen);
    seen = event.log.length;
    for (const { type, callId } of fresh) {
      const story = type === "result" && callId !== undefined ? open.get(callId) : undefined;
      if (story === undefined || story.call.at > at) continue;
      open.delete(story.call.call.callId);
      successes.push({ story, at, standing: standingOf(story, at), where: "log" });
    }
  }
  return successes;
}

/** Calls that still wait for a human are neither refused nor done. */
function undecidedTools({ trace }: Evidence): ReadonlySet<string> {
  return new Set(
    trace.flatMap((event) =>
      event.type === "approval-given" && event.decision === "later" ? [`${event.step} ${event.tool}`] : [],
    ),
  );
}
