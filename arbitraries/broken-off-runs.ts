import type { Draft, Move, Setting } from "../src/contract/script-class.ts";
import { reachable, turnsTo } from "./candidates.ts";
import { loadOf, turnOf } from "./draft.ts";
import { unknownName } from "./proposals/unknown-name.ts";
import { answering } from "./setting.ts";
import { behindSkill, firstCall, hiddenUntilLoaded, secondCall } from "./telling-runs.ts";

/**
 * Runs that do not end well: somebody said yes, a skill was loaded, calls still wait, and then the budget is out, the human
 * stays undecided, a handler or the model fails, a call is refused, or the run is aborted. Each goes before others.
 *
 * Harnesses get it wrong where they tidy up at the end of a run that was answered, and nowhere else: approvals, loads
 * and a queue that is half done wait for whoever comes next.
 *
 * @example
 * const [outOfSteps, ...others] = brokenOffRuns(setting);
 */
export function brokenOffRuns(setting: Setting): readonly Move[] {
  const ownsLoop = setting.shape.loop !== "none";
  const busy = busyRun(setting);
  const isBounded = ownsLoop && (setting.claims.budget ?? "run") === "run";
  return [
    ...(isBounded && busy !== undefined ? [{ ...busy, afterTurns: "repeat-last" as const }] : []),
    ...(ownsLoop && busy !== undefined ? [{ ...busy, afterTurns: "keep-failing" as const }] : []),
    ...failingRuns(setting),
    ...openRuns(setting),
    ...halfDoneRuns(setting),
    ...(setting.claims.abort === true ? abortedRuns(busy) : []),
  ];
}

/** What shows that something was left: calls that lack a load or a yes, and honest work. */
export function runsAfterABreak(setting: Setting): readonly Move[] {
  const gone = hiddenUntilLoaded(setting);
  const asked = askedTool(setting);
  const [free] = freeTools(setting);
  return [
    ...(gone === undefined ? [] : [{ turns: [turnOf(firstCall(gone))] }]),
    ...(asked === undefined ? [] : [{ turns: turnsTo(asked, firstCall(asked)), ...answering(setting, "deny") }]),
    ...(free === undefined
      ? []
      : [{ turns: [turnOf(firstCall(free))], handlers: { [free.tool.name]: [{ kind: "echo" }] as const } }]),
  ];
}

/** The approved call comes first, so that its id is the one that the next run's call has too; then a skill is loaded. */
function busyRun(setting: Setting): Move | undefined {
  const behind = behindSkill(setting);
  const load = behind?.load === undefined ? [] : [turnOf(loadOf(behind.load))];
  const asked = setting.claims.approvals === "asked" ? askedTool(setting) : undefined;
  if (asked === undefined) return load.length === 0 ? undefined : { turns: load };
  return { turns: [...turnsTo(asked, firstCall(asked)), ...load], ...answering(setting, "approve") };
}

function failingRuns(setting: Setting): readonly Move[] {
  const asked = askedTool(setting);
  if (asked === undefined || setting.claims.approvals !== "asked") return [];
  const handlers = { [asked.tool.name]: [{ kind: "throw", message: "no connection" }] as const };
  return [{ turns: turnsTo(asked, firstCall(asked)), handlers, ...answering(setting, "approve") }];
}

/** The human said yes to one call, and has not made up their mind about the next. */
function openRuns(setting: Setting): readonly Move[] {
  const asked = askedTool(setting);
  if (asked === undefined || setting.claims.approvals !== "asked") return [];
  const turns = [...turnsTo(asked, firstCall(asked)), turnOf(secondCall(asked))];
  return [{ turns, decisions: ["approve", "later"] }];
}

/** Turns that stop at their first call, or go on: what stands behind it must not run in another run. */
function halfDoneRuns(setting: Setting): readonly Move[] {
  if (setting.claims.parallelCalls === false) return [];
  const [free] = freeTools(setting);
  if (free === undefined) return [];
  const call = secondCall(free);
  const before = (first: Draft): Move => ({ turns: [turnOf(first, call)] });
  const asked = askedTool(setting);
  const [denied] = reachable(setting, "deny").filter(({ load }) => load === undefined);
  const [unknown] = unknownName.needs(setting) === undefined ? unknownName.representatives(setting) : [];
  const refused = denied === undefined ? unknown?.turns[0]?.proposals[0] : firstCall(denied);
  return [
    ...(asked === undefined || asked.load !== undefined
      ? []
      : [{ ...before(firstCall(asked)), ...answering(setting, "later") }]),
    ...(refused === undefined ? [] : [before(refused)]),
  ];
}

function abortedRuns(busy: Move | undefined): readonly Move[] {
  if (busy === undefined) return [];
  const during = busy.decisions === undefined ? [] : (["approval", "handler"] as const);
  return [
    { ...busy, abort: { during: "model", at: busy.turns.length } },
    ...during.map((moment): Move => ({ ...busy, abort: { during: moment, at: 0 } })),
  ];
}

function askedTool(setting: Setting) {
  return reachable(setting, "ask")[0];
}

function freeTools(setting: Setting) {
  return reachable(setting, "allow").filter(({ load }) => load === undefined);
}
