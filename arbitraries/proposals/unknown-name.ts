import type { ScriptClass } from "../../src/contract/script-class.ts";
import { type Pick, picks } from "../pick.ts";
import { standingOf } from "../standing.ts";
import { undeclaredAmong, undeclaredAt, undeclaredCall } from "../undeclared-call.ts";

const madeUp = ["no_such_tool", "frobnicate", "summon_unicorn"];

/**
 * A name that the model made up: no tool declares it, and nothing inherits it.
 *
 * Harnesses get it wrong where an unknown name falls through to the first or the last tool, crashes the run, or is
 * dropped in silence, so that the model never learns of it.
 *
 * Shrinks to one made-up name without arguments.
 *
 * @example
 * { kind: "tool-call", callId: "call-1", name: "no_such_tool", args: "{}" }
 */
export const unknownName: ScriptClass<Pick> = {
  id: "unknown-name",
  kind: "proposal",
  says: "A name that nobody declared: the model made it up.",
  needs: (setting) =>
    undeclaredAmong(madeUp, setting).length > 0 ? undefined : "this world declares every made-up name",
  canonical: (setting) =>
    undeclaredAmong(madeUp, setting)
      .slice(0, 2)
      .flatMap((name) => [false, true].map((full) => undeclaredCall(name, setting, full))),
  representatives: (setting) =>
    undeclaredAmong(madeUp, setting)
      .slice(0, 1)
      .map((name) => undeclaredCall(name, setting, true)),
  core: (setting) =>
    undeclaredAmong(madeUp, setting)
      .slice(0, 1)
      .map((name) => undeclaredCall(name, setting, false)),
  data: picks,
  resolve: ({ target, form }, setting) => {
    const name = undeclaredAt(madeUp, target, setting);
    return name === undefined ? undefined : undeclaredCall(name, setting, form % 2 === 1);
  },
  isOne: (proposal, setting) => standingOf(proposal, setting) === "undeclared",
};
