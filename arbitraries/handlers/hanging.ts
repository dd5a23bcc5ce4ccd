import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { answerTo } from "../callable-moves.ts";
import { type Candidate, reachable } from "../candidates.ts";
import { hangingOnce, hangingTwice } from "../hanging-scenes.ts";
import { at, type Pick, picks } from "../pick.ts";

/**
 * An honest call whose handler never settles, the first time or only the second, alone or beside a call that works; until
 * the harness's own deadline, or until the run is aborted. Then, often, another call, which may hang as well.
 *
 * Harnesses get it wrong where they wait for ever, where the call is made again in the hope of an answer, where the
 * sibling's result is lost with it, or where what ends a wait works once a run.
 *
 * Shrinks to one call of the first allowed tool that never settles.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "hang" }] }, abort: { during: "handler", at: 0 } }
 */
export const hanging: ScriptClass<Pick> = {
  id: "hanging",
  kind: "handler",
  says: "A permitted call whose handler never settles, until a deadline or an abort.",
  needs: (setting) => {
    if (!canEnd(setting)) return "neither a deadline nor an abort is claimed";
    return performers(setting).length > 0 ? undefined : "no tool of this world may run";
  },
  canonical: (setting) => {
    const [first] = performers(setting);
    if (first === undefined) return [];
    const [asked] = setting.claims.approvals === "asked" ? reachable(setting, "ask") : [];
    return [...ways(first, setting, 0), ...(asked === undefined ? [] : ways(asked, setting, 0).slice(0, 1))];
  },
  // A deadline each time would cost too much.
  representatives: (setting) => (setting.claims.abort === true ? hanging.canonical(setting).slice(0, 1) : []),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(performers(setting), target);
    return tool === undefined ? undefined : at(ways(tool, setting, args), form);
  },
  isOne: () => false,
};

function canEnd({ claims }: Setting): boolean {
  return claims.abort === true || claims.deadlineMs !== undefined;
}

function performers(setting: Setting): readonly Candidate[] {
  if (!canEnd(setting)) return [];
  return [...reachable(setting, "allow"), ...(setting.claims.approvals === "asked" ? reachable(setting, "ask") : [])];
}

/** Until the run is aborted, until the deadline: one that hangs in each way, then two. */
function ways(target: Candidate, setting: Setting, place: number): readonly Move[] {
  const { abort, deadlineMs } = setting.claims;
  const answer = answerTo(target, setting, "approve");
  return [hangingOnce, hangingTwice].flatMap((scenesOf) => {
    const scenes = scenesOf(target, setting, place);
    const aborted = scenes.map(
      ({ turns, handlers, last }): Move => ({ turns, handlers, ...answer, abort: { during: "handler", at: last } }),
    );
    const waited = scenes.map(({ turns, handlers }): Move => ({ turns, handlers, ...answer }));
    return [...(abort === true ? aborted : []), ...(deadlineMs === undefined ? [] : waited)];
  });
}
