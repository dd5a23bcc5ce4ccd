import type { Behaviour } from "../../src/contract/behaviour.ts";
import type { Evidence } from "../../src/contract/property.ts";
import type { EventOf } from "../../src/contract/trace.ts";
import { depthOf, type Json } from "../../src/world/json.ts";
import { type Licences, licencesOf } from "../licences.ts";
import type { Credit } from "./credits.ts";
import { type Delivered, hasArguments } from "./deliveries.ts";

/** A value that nests deeper than this need not be written down by anybody. */
const DEEPEST = 100;

/** One invocation of a handler, from its start to what came of it. */
interface Run {
  readonly startedAt: number;
  /** Infinite where it was never seen to settle. */
  readonly settledAt: number;
  readonly behaviour: Behaviour;
  /** `odd`: it returned what is not JSON, or nests too deep to be written. */
  readonly outcome: "returned" | "threw" | "odd";
  readonly value?: Json;
}

/** What became of one call. */
export interface CallStory {
  readonly call: Delivered;
  readonly runs: readonly Run[];
  /** Nobody can take its runs for those of a sibling, nor its id for that of another call of its turn. */
  readonly isSure: boolean;
  /** Another call, or a load, has the same id. */
  readonly isReused: boolean;
  /** The index at which its id was proposed again; the end of the trace where it was not. */
  readonly until: number;
}

/** What a call had come to at some point of the trace. */
export type Standing = "not-run" | "open" | "returned" | "threw" | "odd";

export function standingOf({ runs }: CallStory, before: number): Standing {
  if (runs.length === 0) return "not-run";
  const settled = runs.filter((run) => run.settledAt < before);
  for (const outcome of ["returned", "odd", "threw"] as const) {
    if (settled.some((run) => run.outcome === outcome)) return outcome;
  }
  return "open";
}

const known = new WeakMap<Licences, readonly CallStory[]>();

/** What became of each tool call of a run, in the order in which they were proposed. */
export function storiesOf(evidence: Evidence): readonly CallStory[] {
  const licences = licencesOf(evidence);
  let stories = known.get(licences);
  if (stories === undefined) {
    stories = tell(evidence, licences);
    known.set(licences, stories);
  }
  return stories;
}

function tell({ trace, shape }: Evidence, { calls, loads, credits, creditsOf }: Licences): readonly CallStory[] {
  const settled = new Map<number, { at: number; event: EventOf<"handler-settled"> }>();
  for (const [at, event] of trace.entries()) {
    if (event.type === "handler-settled" && !settled.has(event.effect)) settled.set(event.effect, { at, event });
  }
  const byTurn = groupedBy(calls, (call) => call.step);
  const effects = groupedBy(credits, (credit) => credit.call?.step ?? credit.effect.step);
  const byId = new Map<string, { readonly at: number; readonly step: number }[]>();
  for (const call of calls) push(byId, call.call.callId, call);
  for (const load of loads) push(byId, load.load.callId, load);

  const ownId = ({ call, step }: Delivered): boolean => {
    const same = byId.get(call.callId) ?? [];
    return (
      same.length === 1 || (shape.idsAcrossTurns !== false && same.filter((one) => one.step === step).length === 1)
    );
  };
  /** The handler was given the id of the call that it was credited to, and no sibling has it. */
  const isNamed = ({ call, effect }: Credit): boolean =>
    call !== undefined && effect.callId === call.call.callId && ownId(call);

  const runOf = ({ at, effect }: Credit): Run => {
    const end = settled.get(effect.effect);
    const { value, odd } = end?.event ?? {};
    const isOdd = odd !== undefined || (typeof value === "object" && depthOf(value) > DEEPEST);
    const outcome = end?.event.outcome === "threw" ? "threw" : isOdd ? "odd" : "returned";
    const settledAt = end?.at ?? Number.POSITIVE_INFINITY;
    const run: Run = { startedAt: at, settledAt, behaviour: effect.behaviour, outcome };
    return value === undefined ? run : { ...run, value };
  };

  const isClear = (call: Delivered): boolean => {
    const here = effects.get(call.step) ?? [];
    const siblings = byTurn.get(call.step) ?? [];
    if (siblings.length === 1 && here.every((credit) => credit.call === call)) return true;
    return here.every((credit) => {
      if (isNamed(credit)) return true;
      if (!clearKinds.has(credit.kind)) return false;
      return credit.effect.tool !== call.call.name || !siblings.some((other) => isRival(call, other));
    });
  };

  return calls.map((call) => {
    const same = byId.get(call.call.callId) ?? [];
    const isReused = same.length > 1;
    return {
      call,
      runs: (creditsOf.get(call) ?? []).map(runOf),
      isSure: ownId(call) && isClear(call),
      isReused,
      until: (isReused ? same.find((other) => other.at > call.at)?.at : undefined) ?? trace.length,
    };
  });
}

const clearKinds: ReadonlySet<Credit["kind"]> = new Set(["licensed", "room", "unlicensed"]);

/** Another call that the same effect may come from. */
function isRival(call: Delivered, other: Delivered): boolean {
  if (other === call || other.call.name !== call.call.name) return false;
  return (
    call.values.some((value) => hasArguments(other, value)) || other.values.some((value) => hasArguments(call, value))
  );
}

function groupedBy<Item>(items: readonly Item[], keyOf: (item: Item) => number): ReadonlyMap<number, readonly Item[]> {
  const groups = new Map<number, Item[]>();
  for (const item of items) push(groups, keyOf(item), item);
  return groups;
}

function push<Key, Item>(groups: Map<Key, Item[]>, key: Key, item: Item): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}
