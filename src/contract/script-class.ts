import type { Arbitrary } from "fast-check";
import type { JsonObject } from "../world/json.ts";
import type { World } from "../world/world.ts";
import type { Behaviour } from "./behaviour.ts";
import type { Claims, Shape } from "./harness.ts";
import type { Decision, Script } from "./script.ts";
import type { LoadSkill, ModelFailure, Proposal, Text, ToolCall, Turn } from "./turn.ts";

/** Where a move is played: what it is resolved against. `loaded`: the skills that earlier proposals of the run loaded. */
export interface Setting {
  readonly world: World;
  readonly claims: Claims;
  readonly shape: Shape;
  readonly loaded: ReadonlySet<string>;
  /** Whether the harness's own schema of a tool refuses these arguments (a refinement, say). Absent where it does not tell. */
  readonly refuses?: (tool: string, args: JsonObject) => boolean;
}

/** A proposal whose call id is minted when the script is woven, unless it brings its own. */
export type Draft =
  | (Omit<ToolCall, "callId"> & { readonly callId?: string })
  | (Omit<LoadSkill, "callId"> & { readonly callId?: string })
  | Text;

export interface DraftTurn {
  readonly proposals: readonly Draft[];
  readonly stop: Turn["stop"];
  /** How the model's own requests fail, one after another, before this turn comes. */
  readonly failing?: readonly ModelFailure["failure"][];
}

/** A piece of a script: what one class contributes. Several moves, one after another or in one turn, are a script. */
export interface Move {
  readonly turns: readonly DraftTurn[];
  readonly handlers?: { readonly [tool: string]: readonly Behaviour[] };
  /** One for each call that is due to be asked about, in order. */
  readonly decisions?: readonly Decision[];
  /** `keep-failing`: after the turns every request of the model fails. */
  readonly afterTurns?: "repeat-last" | "keep-failing";
  /** Counted within this move alone: its first request, handler or approval has the number 0. */
  readonly abort?: NonNullable<Script["abort"]>;
  /** The model tampers with what it is shown, from the first turn of the run on. */
  readonly modelEditsInput?: true;
}

/**
 * One way to misbehave (or to behave), as a catalogue entry. `Data` is plain data without positions: it is drawn first
 * and resolved against the world afterwards, so that it shrinks well.
 */
export interface ScriptClass<Data = unknown> {
  /** The file's name. */
  readonly id: string;
  /** `turn`: what it is shows in how turns follow one another, or why they stop, not in any single proposal. */
  readonly kind: "proposal" | "turn" | "handler" | "operator";
  /** What it is in the reader's world, in one sentence. */
  readonly says: string;
  /** Why it is not generated in this setting (a missing claim, no such tool in the world); `undefined` where it is. */
  needs(setting: Setting): string | undefined;
  /** Every fixed case of this world, the simplest first: what the enumeration plays one by one. */
  canonical(setting: Setting): readonly Move[];
  /** The few cases that stand for the class in pairs. */
  representatives(setting: Setting): readonly Move[];
  /**
   * The one or two cases that stand for the class in triples. Only for the few classes that every harness tells apart, about
   * eight cases in all: what comes before, between and after matters most for them.
   */
  core?(setting: Setting): readonly Move[];
  readonly data: Arbitrary<Data>;
  /** `undefined`: this world has no place for it. */
  resolve(data: Data, setting: Setting): Move | undefined;
  /** Whether a proposal is one of this class; how reports tag it. Classes of other kinds say false. */
  isOne(proposal: Proposal, setting: Setting): boolean;
}
