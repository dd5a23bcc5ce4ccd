import type { Draft, DraftTurn } from "../src/contract/script-class.ts";
import type { Json, JsonObject } from "../src/world/json.ts";

type CallDraft = Extract<Draft, { readonly kind: "tool-call" }>;
type Extra = { readonly [key: string]: Json };

const texts = new WeakMap<JsonObject, string>();

/** A call, its arguments given as an object or as raw text. */
export function callOf(name: string, args: JsonObject | string, extra?: Extra): CallDraft {
  const text = typeof args === "string" ? args : textOf(args);
  return extra === undefined ? { kind: "tool-call", name, args: text } : { kind: "tool-call", name, args: text, extra };
}

/** The same few objects are written down again and again. */
function textOf(args: JsonObject): string {
  let text = texts.get(args);
  if (text === undefined) {
    text = JSON.stringify(args);
    texts.set(args, text);
  }
  return text;
}

export function loadOf(skill: string): Draft {
  return { kind: "load-skill", skill };
}

/** One turn that asks for all of these. */
export function turnOf(...proposals: readonly Draft[]): DraftTurn {
  return { proposals, stop: "tool-calls" };
}
