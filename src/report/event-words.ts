import type { EventOf, TraceEvent } from "../contract/trace.ts";
import { jsonWords, proposalWords } from "./proposal-words.ts";
import { counted, quoted, shortened, visible } from "./visible-text.ts";

/** One event of a trace in words, and under it what belongs to it: the results that the model was shown, the stack of a crash. */
export function eventWords(event: TraceEvent): readonly string[] {
  const [words = "", ...below] = wordsOf(event);
  return [event.late === true ? `after the end: ${words}` : words, ...below];
}

function wordsOf(event: TraceEvent): readonly string[] {
  switch (event.type) {
    case "asked":
      return askedWords(event);
    case "proposed":
      return [`the model proposes: ${proposalWords(event.proposal)}`];
    case "model-failed":
      return [`the model's request fails: ${event.failure}`];
    case "approval-asked":
      return [`the human is asked about ${quoted(event.tool)} with ${jsonWords(event.args)}${idWords(event.callId)}`];
    case "approval-given":
      return [`the human answers "${event.decision}": ${quoted(event.tool)} is ${event.granted ? "" : "not "}approved`];
    case "handler-started":
      return [`the handler of ${quoted(event.tool)} runs with ${jsonWords(event.args)}${idWords(event.callId)}`];
    case "handler-settled":
      if (event.told === true) return [`the call of ${quoted(event.tool)} ${settledWords(event)}`];
      return [`the handler of ${quoted(event.tool)} ${settledWords(event)}`];
    case "handler-hangs":
      return [`the handler of ${quoted(event.tool)} does not settle`];
    case "human-hangs":
      return [`the human does not answer about ${quoted(event.tool)}`];
    case "tampered":
      return [`the handler of ${quoted(event.tool)} tampers with the tools (${visible(event.edit)})`];
    case "kit-refused":
      return [`no turn is served: ${event.because === "aborted" ? "the signal has aborted" : "far past the budget"}`];
    case "aborted":
      return ["the signal aborts"];
    case "inherited-called":
      return [`the inherited function ${quoted(event.name)} is called`];
    case "global-changed":
      return [`${visible(event.where)} has a changed key ${quoted(event.key)}`];
    case "unhandled-rejection":
      return [`a rejection is not handled: ${shortened(visible(event.message))}`];
    case "ended":
      return [
        `the run ends: ${event.status}${event.thrown === undefined ? "" : ` (thrown: ${shortened(visible(event.thrown))})`}`,
      ];
    case "crashed":
      return crashWords(event);
    case "hung":
      return [`the run has not ended after ${event.afterMs.toLocaleString("en")} ms`];
  }
}

function askedWords(event: EventOf<"asked">): readonly string[] {
  const menu = event.menu === undefined ? [] : [`shown tools: ${shownTools(event.menu)}`];
  const results = (event.results ?? []).map(
    (result) =>
      `${result.isError === true ? "error result" : "result"} for ${quoted(result.callId)}: ${quoted(result.text)}`,
  );
  const log = event.log === undefined ? [] : [`log: ${counted(event.log.length, "event")}`];
  return ["the model is asked", ...menu, ...results.slice(0, 8), ...log];
}

function shownTools(menu: readonly string[]): string {
  const names = menu.slice(0, 12).map((name) => quoted(name));
  return [...names, ...(menu.length > 12 ? [`and ${menu.length - 12} more`] : [])].join(", ") || "none";
}

function idWords(callId: string | undefined): string {
  return callId === undefined ? "" : `, for ${quoted(callId)}`;
}

export function settledWords(event: EventOf<"handler-settled">): string {
  if (event.told === true) return "is answered without an error";
  const verb = event.outcome === "threw" ? "throws" : "returns";
  if (event.odd !== undefined) return `${verb} an odd value (${visible(event.odd)})`;
  return event.value === undefined ? verb : `${verb} ${jsonWords(event.value)}`;
}

/** The error, the first package that it came through, and its first frames in the user's own code. */
function crashWords(event: EventOf<"crashed">): readonly string[] {
  const frames = (event.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line) && !line.includes("node:") && !line.includes("data:"));
  const own = frames.filter((line) => !line.includes("node_modules"));
  const error = `the run crashes: ${shortened(visible(`${event.name}: ${event.message}`), 300)}`;
  return [
    event.kitMade === true ? `${error} (the refusal above, passed on)` : error,
    ...frames.slice(0, mostFrames).flatMap(packageIn).slice(0, 1),
    ...own.slice(0, 2).map((frame) => visible(frame.trim())),
  ];
}

/** An error that was thrown in a package shows the package among its first frames. */
const mostFrames = 4;

/** "in @google/genai, generateContentInternal": no line numbers, which change with each release. */
function packageIn(frame: string): readonly string[] {
  const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(frame)?.[1];
  const place = /^\s+at (?:async )?(?:new )?([\w$.#<>]+)/.exec(frame)?.[1];
  if (name === undefined) return [];
  return [visible(place === undefined ? `in ${name}` : `in ${name}, ${place}`)];
}
