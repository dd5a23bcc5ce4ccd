import type { Draft } from "../contract/script-class.ts";
import type { LoadSkill, Text, ToolCall, Turn } from "../contract/turn.ts";
import { validArgument } from "../contract/valid-argument.ts";
import { isJsonObject, type Json, parseJson } from "../world/json.ts";
import { writtenMembers, writtenParts } from "./json-parts.ts";
import { respell, type Spelling, type SpellingChanges, usualSpelling } from "./spelling.ts";

/** What a text says: proposals (a call id is absent where the text has none), or nothing that this protocol knows. */
export type DecodedText =
  | { readonly kind: "proposals"; readonly proposals: readonly Draft[] }
  | { readonly kind: "malformed"; readonly because: string };

export interface TextCodec {
  /** A turn as the text that the model writes. */
  encode(turn: Turn): string;
  /** The proposals in a text. Never throws. */
  decode(text: string): DecodedText;
  /**
   * The same protocol in the user's own spelling.
   *
   * @throws UsageError `unclear-spelling` where two keys of one object, or two words, would be the same.
   */
  spelledAs(changes: SpellingChanges): TextCodec;
}

/**
 * A turn of the scripted model as JSON text, and back: for harnesses that parse the model's text themselves.
 *
 * - One proposal is one object, several are an array: `{"type":"tool","tool":…,"id":…,"args":…}`,
 *   `{"type":"load_skill","skill":…,"id":…}`, `{"type":"answer","text":…}`. An empty turn is an empty text.
 * - The argument text is spliced in as it is, last in its object, so that malformed text reaches the parser as malformed text.
 *   Where the splice would happen to complete it (`{},"tool":"refund"` is no JSON, but it is inside an object), the last brace
 *   of the whole text is left out: malformed arguments never come out as some other, well-formed proposal.
 * - `extra` stands before the arguments; keys that the protocol uses itself are left out of it.
 * - A text is an answer where the turn stops with `end`. In any other turn, alone, it is written bare: garbage for the parser
 *   to meet (in the answer's object where it holds a brace, since a call could be read out of it). Beside calls it is left
 *   out: this protocol has no word for prose that is no answer.
 *
 * @example
 * textCodec.encode({ proposals: [{ kind: "tool-call", callId: "call-1", name: "lookup", args: "{" }], stop: "tool-calls" })
 * // {"type":"tool","tool":"lookup","id":"call-1","args":{}
 * @example
 * const codec = textCodec.spelledAs({ keys: { tool: "action", args: "input", id: false }, words: { answer: "final" } });
 * const reply = codec.encode(await run.nextTurn());
 */
export const textCodec: TextCodec = codecOf(usualSpelling);

function codecOf(spelling: Spelling): TextCodec {
  return {
    encode: (turn) => encode(turn, spelling),
    decode: (text) => decode(text, spelling),
    spelledAs: (changes) => codecOf(respell(spelling, changes)),
  };
}

function encode(turn: Turn, spelling: Spelling): string {
  const please = "give what `await run.nextTurn()` gives";
  validArgument(turn, { of: "encode", is: "the turn", please }, { proposals: "list" });
  const calls = turn.proposals.filter((proposal) => proposal.kind !== "text");
  if (calls.length === 0 && turn.stop !== "end") {
    const garbage = turn.proposals.map((proposal) => (proposal as Text).text).join("\n");
    if (!garbage.includes("{")) return garbage;
  }
  const spoken = calls.length === 0 || turn.stop === "end" ? turn.proposals : calls;
  const objects = spoken.map((proposal) => {
    if (proposal.kind === "text") return answerText(proposal, spelling);
    return proposal.kind === "load-skill" ? loadText(proposal, spelling) : callText(proposal, spelling);
  });
  const text = objects.length > 1 ? `[${objects.join(",")}]` : (objects[0] ?? "");
  const sound = spoken.every((proposal) => proposal.kind !== "tool-call" || parseJson(proposal.args) !== undefined);
  return sound || parseJson(text) === undefined ? text : text.slice(0, -1);
}

function answerText({ text }: Text, { keys, words }: Spelling): string {
  return objectText([
    [keys.type, JSON.stringify(words.answer)],
    [keys.text, JSON.stringify(text)],
  ]);
}

function loadText({ skill, callId }: LoadSkill, { keys, words }: Spelling): string {
  return objectText([
    [keys.type, JSON.stringify(words.loadSkill)],
    [keys.skill, JSON.stringify(skill)],
    [keys.id, JSON.stringify(callId)],
  ]);
}

function callText(call: ToolCall, { keys, words }: Spelling): string {
  const own = new Set<unknown>(Object.values(keys));
  const beside = Object.entries(call.extra ?? {}).filter(([key]) => !own.has(key));
  return objectText([
    [keys.type, JSON.stringify(words.tool)],
    [keys.tool, JSON.stringify(call.name)],
    [keys.id, JSON.stringify(call.callId)],
    ...beside.map(([key, value]) => [key, JSON.stringify(value)] as const),
    [keys.args, call.args],
  ]);
}

function objectText(members: readonly (readonly [key: string | false, value: string])[]): string {
  const spelled = members.filter(([key]) => key !== false).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  return `{${spelled.join(",")}}`;
}

function decode(text: string, spelling: Spelling): DecodedText {
  const value = parseJson(text);
  if (value === undefined) return malformed("it is not JSON");
  const objects = Array.isArray(value) ? writtenParts(text) : [text];
  const proposals: Draft[] = [];
  for (const object of objects) {
    const proposal = decodeObject(object, spelling);
    if (typeof proposal === "string") return malformed(proposal);
    proposals.push(proposal);
  }
  return { kind: "proposals", proposals };
}

/** The proposal in one object, or why there is none. */
function decodeObject(json: string, { keys, words }: Spelling): Draft | string {
  if (!isJsonObject(parseJson(json))) return "a proposal is not an object";
  const own = new Set<unknown>(Object.values(keys));
  const members = new Map<string, string>();
  for (const { key, value } of writtenMembers(json)) {
    if (own.has(key) && members.has(key)) return `${JSON.stringify(key)} is given twice`;
    members.set(key, value);
  }
  const given = (key: string | false): Json | undefined =>
    key === false ? undefined : parseJson(members.get(key) ?? "");

  const type = given(keys.type);
  if (type === words.answer) {
    const text = given(keys.text);
    return typeof text === "string" ? { kind: "text", text } : `${JSON.stringify(keys.text)} is not a text`;
  }
  if (type !== words.tool && type !== words.loadSkill) return `${JSON.stringify(keys.type)} names no kind of proposal`;
  const id = given(keys.id);
  if (id !== undefined && typeof id !== "string") return `${JSON.stringify(keys.id)} is not a text`;
  const identity = id === undefined ? {} : { callId: id };
  if (type === words.loadSkill) {
    const skill = given(keys.skill);
    if (typeof skill !== "string") return `${JSON.stringify(keys.skill)} is not a text`;
    return { kind: "load-skill", ...identity, skill };
  }
  const name = given(keys.tool);
  if (typeof name !== "string") return `${JSON.stringify(keys.tool)} is not a text`;
  const args = members.get(keys.args);
  if (args === undefined) return `${JSON.stringify(keys.args)} is missing`;
  const beside = [...members].filter(([key]) => !own.has(key)).map(([key, value]) => [key, parseJson(value)!] as const);
  const extra = beside.length === 0 ? {} : { extra: Object.fromEntries(beside) };
  return { kind: "tool-call", ...identity, name, args, ...extra };
}

function malformed(because: string): DecodedText {
  return { kind: "malformed", because };
}
