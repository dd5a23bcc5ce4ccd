import type { Behaviour } from "../src/contract/behaviour.ts";
import type { Decision } from "../src/contract/script.ts";
import type { Draft, Move, Setting } from "../src/contract/script-class.ts";
import { type Candidate, hidden, reachable, turnsTo } from "./candidates.ts";
import { callOf, loadOf, turnOf } from "./draft.ts";
import { unknownName } from "./proposals/unknown-name.ts";
import { answering } from "./setting.ts";

/**
 * The runs that show best what one run leaves behind for another: what is refused comes first, then what a harness may
 * remember (results, steps, failures, approvals), loads last. Each is as small as it can be.
 *
 * Harnesses get it wrong where what belongs to a run outlives it, which only a second run of the same harness shows.
 *
 * @example
 * const [refused, ...others] = tellingRuns(setting);
 */
export function tellingRuns(setting: Setting): readonly Move[] {
  return [...refusedRuns(setting), ...workingRuns(setting), ...approvedRuns(setting), ...loadingRuns(setting)];
}

/** Those that go side by side with others, with handlers that take their time, so that something can come in between. */
export function overlappingRuns(setting: Setting): readonly Move[] {
  const gone = hiddenUntilLoaded(setting);
  const [asked] = reachable(setting, "ask");
  return [
    ...(gone === undefined ? [] : [{ turns: [turnOf(firstCall(gone))] }]),
    ...(asked === undefined ? [] : decidedRuns(asked, setting)),
    ...workingRuns(setting).slice(0, 4),
    ...loadingRuns(setting).slice(1),
  ].map(slowly);
}

/** Of one tool, with other arguments each, so that it shows where one goes on in the place of the other. */
function decidedRuns(asked: Candidate, setting: Setting): readonly Move[] {
  return [
    deciding(setting, turnsTo(asked, secondCall(asked)), "deny"),
    deciding(setting, turnsTo(asked, firstCall(asked)), "approve"),
  ];
}

function refusedRuns(setting: Setting): readonly Move[] {
  const gone = hiddenUntilLoaded(setting);
  const [denied] = reachable(setting, "deny");
  const unknown = unknownName.needs(setting) === undefined ? unknownName.representatives(setting).slice(0, 1) : [];
  return [
    ...(gone === undefined ? [] : [{ turns: [turnOf(firstCall(gone))] }]),
    ...(denied === undefined ? [] : [{ turns: turnsTo(denied, firstCall(denied)) }]),
    ...unknown,
  ];
}

function workingRuns(setting: Setting): readonly Move[] {
  const { budget = "run", parallelCalls } = setting.claims;
  const [first, second] = reachable(setting, "allow").filter(({ load }) => load === undefined);
  if (first === undefined) return [];
  const call = firstCall(first);
  const { name } = first.tool;
  const another = secondCall(first);
  const beside = second === undefined ? another : firstCall(second);
  const echoing = { handlers: { [name]: [{ kind: "echo" }] as const } };
  const bounded = budget === "run" && setting.shape.loop !== "none";
  return [
    { turns: [turnOf(call)], ...echoing },
    { turns: [turnOf(another), turnOf(call)], ...echoing },
    ...(parallelCalls === false ? [] : [{ turns: [turnOf(call, beside)], ...echoing }]),
    ...(bounded ? [{ turns: [turnOf(call)], afterTurns: "repeat-last" as const }] : []),
    { turns: [turnOf(call)], handlers: { [name]: [{ kind: "throw", message: "no connection" }] } },
  ];
}

function approvedRuns(setting: Setting): readonly Move[] {
  const [asked] = reachable(setting, "ask");
  if (asked === undefined) return [];
  const turns = turnsTo(asked, firstCall(asked));
  if (setting.claims.approvals !== "asked") return [{ turns }];
  const again = [...turns, turnOf(firstCall(asked))];
  return [
    deciding(setting, turns, "deny"),
    deciding(setting, turns, "approve"),
    deciding(setting, turnsTo(asked, secondCall(asked)), "later"),
    { turns: again, decisions: ["deny", "approve"] },
  ];
}

function loadingRuns(setting: Setting): readonly Move[] {
  const behind = behindSkill(setting);
  if (behind?.load === undefined) return [];
  return [{ turns: [turnOf(loadOf(behind.load))] }, { turns: turnsTo(behind, firstCall(behind)) }];
}

export function behindSkill(setting: Setting): Candidate | undefined {
  return reachable(setting, "allow").find(({ load }) => load !== undefined);
}

/** The tool that those who load open for themselves alone; where there is none, any that is hidden. */
export function hiddenUntilLoaded(setting: Setting): Candidate | undefined {
  return behindSkill(setting) ?? hidden(setting)[0];
}

function deciding(setting: Setting, turns: Move["turns"], decision: Decision): Move {
  return { turns, ...answering(setting, decision) };
}

export function firstCall({ tool, args }: Candidate): Extract<Draft, { kind: "tool-call" }> {
  return callOf(tool.name, args[0]!);
}

export function secondCall({ tool, args }: Candidate): Extract<Draft, { kind: "tool-call" }> {
  return callOf(tool.name, args[1 % args.length]!);
}

/** Each with something else to return, so that a result that goes astray is told from the right one. */
function slowly(move: Move, index: number): Move {
  const called = move.turns.flatMap(({ proposals }) =>
    proposals.flatMap((it) => (it.kind === "tool-call" ? it.name : [])),
  );
  const late: Behaviour = { kind: "slow", value: `result ${index + 1}` };
  return { ...move, handlers: Object.fromEntries(called.map((name) => [name, [late]])) };
}
