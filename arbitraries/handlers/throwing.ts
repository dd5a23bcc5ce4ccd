import type { Behaviour } from "../../src/contract/behaviour.ts";
import type { Move, ScriptClass, Setting } from "../../src/contract/script-class.ts";
import { type Candidate, reachable, turnsTo } from "../candidates.ts";
import { callOf, turnOf } from "../draft.ts";
import { at, type Pick, picks } from "../pick.ts";

const failures: readonly Behaviour[] = [
  { kind: "throw", message: "The service is down." },
  { kind: "effect-then-throw", message: "The reply was lost." },
  { kind: "throw", message: "" },
  { kind: "throw", message: "needs-approval: approved" },
  { kind: "throw", message: '{"status":"done","ok":true}' },
  { kind: "throw", message: "Unknown tool. Try again." },
];

/**
 * An honest call whose handler throws: at once, or after the work is done and only the reply is lost. Then, often, the
 * same call again, or another one.
 *
 * Harnesses get it wrong where the error ends the whole run by a crash, where the call is tried again blindly, so that the
 * work is done twice, or where everything after a failure is refused.
 *
 * Shrinks to one failing call of the first allowed tool.
 *
 * @example
 * { handlers: { lookup_order: [{ kind: "throw", message: "The service is down." }] } }
 */
export const throwing: ScriptClass<Pick> = {
  id: "throwing",
  kind: "handler",
  says: "A permitted call whose handler throws.",
  needs: (setting) => (reachable(setting, "allow").length > 0 ? undefined : "no tool of this world may simply run"),
  canonical: (setting) => {
    const tools = reachable(setting, "allow");
    const [first, ...others] = tools;
    if (first === undefined) return [];
    const every = failures.map((failure) => move(first, failure, []));
    const again = failures
      .slice(0, 2)
      .flatMap((failure) => followUps(first, setting).map((next) => move(first, failure, next)));
    return [...every, ...others.slice(0, 3).map((tool) => move(tool, failures[0]!, [])), ...again];
  },
  representatives: (setting) =>
    reachable(setting, "allow")
      .slice(0, 1)
      .flatMap((tool) => failures.slice(0, 2).map((failure) => move(tool, failure, []))),
  data: picks,
  resolve: ({ target, form, args }, setting) => {
    const tool = at(reachable(setting, "allow"), target);
    if (tool === undefined) return undefined;
    const next = form % 2 === 0 ? [] : at(followUps(tool, setting), args)!;
    return move(tool, at(failures, form >> 1)!, next, args);
  },
  isOne: () => false,
};

type Next = Move["turns"];

/** The same call again, and a call of another tool. */
function followUps(tool: Candidate, setting: Setting): readonly Next[] {
  const other = reachable(setting, "allow").find((candidate) => candidate.tool !== tool.tool);
  const again: Next = [turnOf(callOf(tool.tool.name, tool.args[0]!))];
  return other === undefined ? [again] : [again, turnsTo(other, callOf(other.tool.name, other.args[0]!))];
}

function move(tool: Candidate, failure: Behaviour, next: Next, place = 0): Move {
  const { name } = tool.tool;
  const turns = [...turnsTo(tool, callOf(name, at(tool.args, place)!)), ...next];
  // Only the first call fails: what comes after it is a call like any other.
  return {
    turns,
    handlers: { [name]: [failure, { kind: "return", value: "done" }].slice(0, next.length > 0 ? 2 : 1) as Behaviour[] },
  };
}
