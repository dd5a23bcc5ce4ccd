import type { Evidence } from "../../src/contract/property.ts";
import type { LogEntry } from "../../src/contract/run-record.ts";
import type { Violation } from "../../src/contract/verdict.ts";
import { isJsonObject } from "../../src/world/json.ts";
import { findTool } from "../../src/world/world.ts";
import { type CallStory, standingOf } from "./call-stories.ts";
import { inTurn, violated } from "./verdicts.ts";
import { mayHaveTimedOut } from "./wrong-contents.ts";

/** Entries that say something else of a call than what the world saw. */
export function untrueEntries(
  evidence: Evidence,
  stories: readonly CallStory[],
  log: readonly LogEntry[],
  at: number,
): readonly Violation[] {
  const byId = new Map<string, CallStory>();
  for (const story of stories) {
    if (story.isSure && !story.isReused) byId.set(story.call.call.callId, story);
  }
  const isAborted = evidence.trace.some((event) => event.type === "aborted");
  return log.flatMap((entry): readonly Violation[] => {
    const story = entry.callId === undefined ? undefined : byId.get(entry.callId);
    if (story === undefined) return [];
    const which = `"${story.call.call.name}", called ${inTurn(story.call.step)},`;
    if (isOfOtherTool(entry, story, evidence)) {
      return [violated(at, "entry-untrue", `The log calls ${which} a call of "${entry.tool}".`)];
    }
    const standing = standingOf(story, at);
    if (entry.type === "result" && standing === "not-run") {
      return [violated(at, "entry-untrue", `The log has a result for ${which} which did not run.`)];
    }
    if (entry.type === "result" && standing === "threw") {
      return [violated(at, "entry-untrue", `The log has a result for ${which} which failed.`)];
    }
    if (standing !== "returned" && standing !== "threw") return [];
    if (isAborted || mayHaveTimedOut(evidence, story.call.step)) return [];
    if (entry.type === "blocked" && !mayHaveWaited(evidence, story)) {
      const then = standing === "threw" ? "ran, and failed" : "ran";
      return [violated(at, "entry-untrue", `The log says that ${which} was blocked, but it ${then}.`)];
    }
    if (standing === "threw") return [];
    if (entry.type === "error" && !story.runs.some(saysThatItFailed) && story.runs.every(hasReturned)) {
      return [violated(at, "entry-untrue", `The log says that ${which} failed, but it returned.`)];
    }
    return [];
  });
}

/** Under another declared name than the one that was called. Where names are spelled in other ways, nobody can tell. */
function isOfOtherTool({ tool }: LogEntry, { call }: CallStory, { world, trace }: Evidence): boolean {
  if (tool === undefined || tool === call.call.name || findTool(world, tool) === undefined) return false;
  return call.tool !== undefined && !trace.some((event) => event.type === "asked" && event.spelledAs !== undefined);
}

/** It may have been written down as blocked while it waited for a human. */
function mayHaveWaited({ trace }: Evidence, { call }: CallStory): boolean {
  return trace.some((event) => event.type === "approval-asked" && event.tool === call.call.name);
}

function hasReturned({ outcome }: CallStory["runs"][number]): boolean {
  return outcome === "returned";
}

/** What a handler returned may be read as a failure. */
function saysThatItFailed({ value }: CallStory["runs"][number]): boolean {
  if (isJsonObject(value))
    return ["error", "isError", "is_error", "ok", "success", "status"].some((key) => key in value);
  return value === undefined || value === null || (typeof value === "string" && /error|fail/i.test(value));
}
