import type { ToolSpec } from "../world/tool.ts";
import { secondsWords } from "./mcp-connection.ts";
import type { ServerSession } from "./mcp-session.ts";
import type { ListedTools, UnreadableTool } from "./mcp-world.ts";

export interface Circumstances {
  readonly validCalls: boolean;
  readonly canRefuse: boolean;
  readonly listed: ListedTools;
  /** Its list of tools had no end. */
  readonly isEndless: boolean;
  readonly chosen: readonly ToolSpec[];
  readonly answerMs: number;
}

/** What is worth knowing beside a report on a server: what was sent, what came of it, and what was left out. */
export function notesOn(session: ServerSession, circumstances: Circumstances): readonly string[] {
  const { canRefuse, listed, isEndless, chosen } = circumstances;
  const { noise, restarts } = session.tally;
  const left = listed.names.filter((name) => !chosen.some((tool) => tool.name === name));
  return [
    "The handlers of a server can't be watched: a call counts as run where the server answered it without an error.",
    ...sentWords(session, circumstances),
    ...(canRefuse ? [] : ["No tool has a schema that refuses anything, so that no arguments were wrong."]),
    ...(left.length > 0 ? [`Left out: ${named(left)}.`] : []),
    ...(listed.unreadable.length > 0 ? [`Can't be called by a schema: ${whys(listed.unreadable)}.`] : []),
    ...(listed.twice.length > 0
      ? [`Listed more than once, so that clients may take either: ${named(listed.twice)}. The first one was read.`]
      : []),
    ...(isEndless ? ["The list of tools went on after 100 pages (`nextCursor`), and was read no further."] : []),
    ...(restarts > 0 ? [`The server had to be started again ${count(restarts, "time", "times")}.`] : []),
    ...(noise > 0
      ? [
          `The server wrote ${count(noise, "line", "lines")} to its standard output that are no messages: clients may choke on them.`,
        ]
      : []),
  ];
}

function sentWords({ tally, answers }: ServerSession, { validCalls, answerMs }: Circumstances): readonly string[] {
  const { sent, valid, accepted } = tally;
  if (!validCalls) {
    return [
      `${count(sent, "call was", "calls were")} sent, all of them such as the server has to refuse. Valid calls were not sent.`,
    ];
  }
  const counts = [...answers.counts];
  const unanswered = counts.reduce((sum, [, one]) => sum + one.unanswered, 0);
  const mute = counts.filter(([, one]) => one.answered === 0 && one.unanswered > 1).map(([name]) => name);
  const inTime = `within ${secondsWords(answerMs)}`;
  return [
    `${count(sent, "call was", "calls were")} sent, ${count(valid, "of them valid", "of them valid")}; the server accepted ${accepted}.`,
    ...(unanswered > 0 ? [`${count(unanswered, "valid call", "valid calls")} got no answer ${inTime}.`] : []),
    ...(mute.length > 0
      ? [`No valid call was ever answered by ${named(mute)}. Where that is only slow, wait longer for an answer.`]
      : []),
    ...(accepted === 0 && valid > unanswered
      ? ["The server accepted no valid call at all: one that refuses everything is safe and useless."]
      : []),
  ];
}

function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

export function named(names: readonly string[]): string {
  return names.length === 0 ? "no tool" : shortList(names.map((name) => JSON.stringify(name)));
}

export function whys(tools: readonly UnreadableTool[]): string {
  return shortList(tools.map(({ name, why }) => `${JSON.stringify(name)} ${why}`));
}

function shortList(words: readonly string[]): string {
  const shown = words.slice(0, 8).join(", ");
  return words.length > 8 ? `${shown} and ${words.length - 8} more` : shown;
}
