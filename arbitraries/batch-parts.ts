import type { Behaviour } from "../src/contract/behaviour.ts";
import type { Decision } from "../src/contract/script.ts";
import type { Draft, Setting } from "../src/contract/script-class.ts";
import type { Permission } from "../src/world/policy.ts";
import { type Candidate, hidden, reachable } from "./candidates.ts";
import { callOf, loadOf } from "./draft.ts";
import { tellingTexts } from "./malformed-texts.ts";
import { nearMisses } from "./near-misses.ts";
import { at } from "./pick.ts";
import { undeclaredAt } from "./undeclared-call.ts";

/** One proposal of a batch, with what comes of it: what the human says to it, or what its handler does. */
export interface BatchPart {
  readonly draft: Draft;
  /** It is due to run. */
  readonly runs?: boolean;
  readonly decision?: Decision;
  readonly behaviour?: Behaviour;
}

/** One sort of proposal. `place` picks a tool and its arguments, by remainder; `undefined` where the setting has none such. */
export type BatchKind = (setting: Setting, place: number) => BatchPart | undefined;

export const free: BatchKind = (setting, place) => also(callTo(shown(setting, "allow"), place), { runs: true });
export const failing: BatchKind = (setting, place) =>
  also(free(setting, place), { behaviour: { kind: "throw", message: "The service is down." } });
export const slow: BatchKind = (setting, place) =>
  also(free(setting, place), { behaviour: { kind: "slow", value: "done" } });

/** Never settles: only where a deadline or an abort ends it. */
export const hung: BatchKind = (setting, place) => {
  const { abort, deadlineMs } = setting.claims;
  return abort === true || deadlineMs !== undefined
    ? also(free(setting, place), { behaviour: { kind: "hang" } })
    : undefined;
};

/** A call that a human is asked about; where approvals end the run, one that ends it. */
export const asked =
  (decision: Decision): BatchKind =>
  (setting, place) => {
    const { approvals, abort, deadlineMs } = setting.claims;
    const isAsked = approvals === "asked";
    if (!isAsked && decision !== "approve") return undefined;
    if (deadlineMs === undefined && (decision === "late-approve" || (decision === "hang" && abort !== true)))
      return undefined;
    const part = callTo(shown(setting, "ask"), place);
    return isAsked ? also(part, { decision, runs: decision === "approve" }) : part;
  };

/** A call that may run, if only after a yes. */
export const dueInBatch: BatchKind = (setting, place) => free(setting, place) ?? asked("approve")(setting, place);

/** Approved, and then the work itself fails. */
export const approvedInVain: BatchKind = (setting, place) => {
  const part = setting.claims.approvals === "asked" ? asked("approve")(setting, place) : undefined;
  return also(part, { behaviour: { kind: "effect-then-throw", message: "The reply was lost." } });
};

export const denied: BatchKind = (setting, place) => callTo(shown(setting, "deny"), place);
export const gone: BatchKind = (setting, place) => callTo(hidden(setting), place);

/** Behind a skill: whether it may run where the load stands in the same turn is left to the harness. */
export const locked: BatchKind = (setting, place) =>
  callTo(
    reachable(setting, "allow").filter((candidate) => candidate.load !== undefined),
    place,
  );

export const unknown: BatchKind = (setting, place) => {
  const name = undeclaredAt(["no_such_tool", "frobnicate", "constructor"], place, setting);
  return name === undefined ? undefined : { draft: callOf(name, {}) };
};

export const malformed: BatchKind = (setting, place) => spoilt(setting, "allow", place);
/** Nobody is to be asked about it. */
export const malformedAsked: BatchKind = (setting, place) => spoilt(setting, "ask", place);

export const mistyped: BatchKind = (setting, place) => {
  if (setting.claims.argumentSchemas !== true) return undefined;
  const target = at([...shown(setting, "allow"), ...shown(setting, "ask")], place);
  const wrong = target === undefined ? undefined : at(nearMisses(target.tool.inputSchema), place);
  return target === undefined || wrong === undefined ? undefined : { draft: callOf(target.tool.name, wrong.args) };
};

export const load: BatchKind = ({ world, claims }, place) => {
  const skill = claims.hiddenTools === "by-skill" ? at(world.skills, place) : undefined;
  return skill === undefined ? undefined : { draft: loadOf(skill) };
};

export const unknownLoad: BatchKind = ({ world, claims }) =>
  claims.hiddenTools !== "by-skill" || world.skills.includes("no-such-skill")
    ? undefined
    : { draft: loadOf("no-such-skill") };

function shown(setting: Setting, permission: Permission): readonly Candidate[] {
  return reachable(setting, permission).filter((candidate) => candidate.load === undefined);
}

function callTo(candidates: readonly Candidate[], place: number): BatchPart | undefined {
  const target = at(candidates, place);
  // Round the tools first, then round the arguments of each.
  return target && { draft: callOf(target.tool.name, at(target.args, Math.floor(place / candidates.length))!) };
}

function spoilt(setting: Setting, permission: Permission, place: number): BatchPart | undefined {
  const target = at(shown(setting, permission), place);
  const text = target && at(tellingTexts(JSON.stringify(target.args[0]), setting.shape), place);
  return target === undefined || text === undefined ? undefined : { draft: callOf(target.tool.name, text) };
}

function also(part: BatchPart | undefined, more: Partial<BatchPart>): BatchPart | undefined {
  return part && { ...part, ...more };
}
