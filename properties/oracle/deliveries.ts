import { isFailing } from "../../src/contract/behaviour.ts";
import type { Evidence } from "../../src/contract/property.ts";
import type { EventOf } from "../../src/contract/trace.ts";
import type { LoadSkill, ToolCall, Turn } from "../../src/contract/turn.ts";
import { turnsAllowed } from "../../src/world/budget.ts";
import { type Json, sameJson } from "../../src/world/json.ts";
import type { Permission } from "../../src/world/policy.ts";
import type { ToolSpec } from "../../src/world/tool.ts";
import type { World } from "../../src/world/world.ts";
import { readArguments } from "./argument-text.ts";
import { offeredTo, permissionOf, validityOf } from "./call-standing.ts";
import { sameArguments } from "./same-arguments.ts";
import { isTimelyYes } from "./timely-yes.ts";

/** Why a delivered call may not run, whatever the human says. In the order in which one of several is named. */
export type Fault = "not-offered" | "denied" | "malformed" | "cut-off" | "invalid-arguments";

/** A tool call that the model was let say. */
export interface Delivered {
  /** The index of its event in the trace. */
  readonly at: number;
  readonly step: number;
  readonly position: number;
  readonly stop: Turn["stop"];
  readonly call: ToolCall;
  /** `undefined`: no tool has this name. */
  readonly tool: ToolSpec | undefined;
  /** What its arguments may be, most literal first; none where they are malformed. */
  readonly values: readonly Json[];
  /** `open`: the claims, or the arguments, leave it to the harness. */
  readonly permission: Permission | "open";
  readonly faults: readonly Fault[];
  /** Nothing about it, taken alone, is left to the harness. */
  readonly plain: boolean;
  /** It must run (or be put to the human): nothing about it, nor about its turn, is left to the harness. */
  readonly due: boolean;
}

export interface DeliveredLoad {
  readonly at: number;
  readonly step: number;
  readonly load: LoadSkill;
  readonly known: boolean;
}

export interface Deliveries {
  readonly calls: readonly Delivered[];
  readonly loads: readonly DeliveredLoad[];
  /** The index at which each known skill was first loaded. */
  readonly firstLoad: ReadonlyMap<string, number>;
}

/** Whether these are the arguments of that call, or those arguments as its schema normalises them. */
export function hasArguments(call: Delivered, args: unknown, schema = call.tool?.inputSchema): boolean {
  return call.values.some((value) => sameJson(value, args) || sameArguments(schema, value, args));
}

/** Turns past the budget are served so that the overrun is seen; nobody has to act on them. */
export function stepsToActOn({ world, claims, shape }: Evidence): number {
  const bounded = shape.loop !== "none" && (claims.budget ?? "run") === "run";
  return bounded ? turnsAllowed(world.maxSteps) : Number.POSITIVE_INFINITY;
}

/** Whether a call is due is known once its whole turn is. */
type Draft = Omit<Delivered, "due"> & { due: boolean };

type ProposedAt = readonly [at: number, event: EventOf<"proposed">];

/** Reads off the world and the delivered proposals what each call was worth when it was proposed. */
export function deliveriesOf(evidence: Evidence): Deliveries {
  const { world, claims, shape } = evidence;
  const tools = toolsByName(world);
  const skills = new Set(world.skills);
  const calls: Delivered[] = [];
  const loads: DeliveredLoad[] = [];
  const firstLoad = new Map<string, number>();
  /** Skills that earlier turns loaded: true where no correct harness can have left the load out. */
  const loaded = new Map<string, boolean>();
  const idsBefore = new Set<string>();
  const { turns, failing, unsettled } = survey(evidence);
  const stepsDue = stepsToActOn(evidence);

  for (const [step, turn] of turns) {
    const ids = turn.flatMap(([, { proposal }]) => (proposal.kind === "text" ? [] : [proposal.callId]));
    const repeated = ids.length > 1 ? repeatedIn(ids) : NONE;
    // No service sends a call without an id: a harness may refuse one.
    const isOwn = (id: string): boolean =>
      id !== "" && !repeated.has(id) && (shape.idsAcrossTurns !== false || !idsBefore.has(id));
    const crowded = claims.parallelCalls === false && ids.length > 1;
    const loadedHere = new Set<string>();
    const drafts: Draft[] = [];
    let allSure = !crowded && !failing.has(step) && step < stepsDue;

    for (const [at, { proposal, position, stop, normalised, refusedBySchema }] of turn) {
      if (proposal.kind === "text") continue;
      const settled = stop === "tool-calls" && isOwn(proposal.callId) && !crowded;
      if (proposal.kind === "load-skill") {
        const known = skills.has(proposal.skill);
        loads.push({ at, step, load: proposal, known });
        allSure &&= known && settled && claims.hiddenTools === "by-skill" && !loaded.has(proposal.skill);
        if (known) loadedHere.add(proposal.skill);
        if (known && !firstLoad.has(proposal.skill)) firstLoad.set(proposal.skill, at);
        continue;
      }
      const tool = tools.get(proposal.name);
      const reading = readArguments(proposal.args, shape.emptyArguments === "empty-object");
      const values = normalised === undefined ? reading.values : [...reading.values, normalised];
      const offered = tool === undefined ? "no" : offeredTo(tool, loaded, loadedHere);
      const valid = validityOf(tool, reading.values, normalised, refusedBySchema);
      const permission = tool === undefined ? "open" : permissionOf(claims, tool, values);
      const faults: Fault[] = [];
      if (tool !== undefined && offered === "no" && claims.hiddenTools !== "none") faults.push("not-offered");
      if (permission === "deny") faults.push("denied");
      if (reading.values.length === 0) faults.push("malformed");
      else if (stop === "length" && claims.stopReason) faults.push("cut-off");
      if (valid === "no" && claims.argumentSchemas && reading.values.length > 0) faults.push("invalid-arguments");
      const sound = tool !== undefined && faults.length === 0 && offered === "yes" && valid === "yes";
      const plain = sound && permission !== "open" && reading.plain && settled && !hasMoreFields(proposal);
      drafts.push({ at, step, position, stop, call: proposal, tool, values, permission, faults, plain, due: false });
    }

    const asks = drafts.filter((draft) => draft.permission === "ask").length;
    allSure &&=
      drafts.every((draft) => draft.plain) && (asks < 2 || claims.approvals === "ends-run" || !unsettled.has(step));
    // A turn with a call that waits for a human may pause: its other calls may run before, after or not at all.
    for (const draft of drafts) {
      draft.due = allSure && (draft.permission === "ask" || asks === 0);
      calls.push(draft);
    }
    const turnIsPlain = allSure && asks === 0;
    for (const skill of loadedHere) loaded.set(skill, turnIsPlain || loaded.get(skill) === true);
    if (shape.idsAcrossTurns === false) for (const id of ids) idsBefore.add(id);
  }
  return { calls, loads, firstLoad };
}

/** A harness that reads calls strictly refuses fields that it does not know beside the arguments. */
function hasMoreFields({ extra }: ToolCall): boolean {
  return extra !== undefined && Object.keys(extra).length > 0;
}

const NONE: ReadonlySet<string> = new Set();

function repeatedIn(ids: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(ids.filter((id) => seen.size === seen.add(id).size));
}

/** The proposals by turn, the turns in which a handler failed, and those in which a human did not say yes in time. */
function survey({ trace, claims }: Evidence) {
  const turns = new Map<number, ProposedAt[]>();
  const failing = new Set<number>();
  /** The turns of the requests to which no timely yes came. */
  const waiting = new Map<number, number>();
  let isAborted = false;
  for (const [at, event] of trace.entries()) {
    if (event.late) continue;
    if (event.type === "proposed") {
      const turn = turns.get(event.step) ?? [];
      turn.push([at, event]);
      turns.set(event.step, turn);
    } else if (event.type === "handler-started" && isFailing(event.behaviour)) failing.add(event.step);
    else if (event.type === "handler-settled" && (event.outcome === "threw" || event.odd)) failing.add(event.step);
    else if (event.type === "approval-asked") waiting.set(event.request, event.step);
    else if (event.type === "approval-given" && !isAborted && isTimelyYes(event, claims)) waiting.delete(event.request);
    else if (event.type === "aborted") isAborted = true;
  }
  return { turns, failing, unsettled: new Set(waiting.values()) };
}

const indexes = new WeakMap<World, ReadonlyMap<string, ToolSpec>>();

/** Many scripts share one world. */
function toolsByName(world: World): ReadonlyMap<string, ToolSpec> {
  let index = indexes.get(world);
  if (index === undefined) {
    index = new Map(world.tools.toReversed().map((tool) => [tool.name, tool]));
    indexes.set(world, index);
  }
  return index;
}
