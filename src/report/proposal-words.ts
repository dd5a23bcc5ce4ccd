import type { Proposal } from "../contract/turn.ts";
import { parseArguments } from "../world/json.ts";
import { compactJson } from "./json-text.ts";
import { quoted, shortened, visible } from "./visible-text.ts";

/**
 * One proposal in words. Argument text that is one object stands as it was written; any other text stands in quotes.
 *
 * @example
 * proposalWords({ kind: "tool-call", callId: "call-1", name: "refund", args: "{}" }) // 'call "refund" with {}'
 */
export function proposalWords(proposal: Proposal, showId = false): string {
  const id = showId && proposal.kind !== "text" ? `, call id ${quoted(proposal.callId)}` : "";
  if (proposal.kind === "text") return `say ${quoted(proposal.text)}`;
  if (proposal.kind === "load-skill") return `load the skill ${quoted(proposal.skill)}${id}`;
  const beside = proposal.extra === undefined ? "" : `, and beside the arguments ${jsonWords(proposal.extra)}`;
  return `call ${quoted(proposal.name)} with ${argumentWords(proposal.args)}${beside}${id}`;
}

/** A value as it is shown: JSON on one line, shortened. */
export function jsonWords(value: unknown): string {
  return shortened(compactJson(value));
}

function argumentWords(text: string): string {
  if (text === "") return "no argument text";
  return parseArguments(text) === undefined ? `the text ${quoted(text)}` : shortened(visible(text));
}
