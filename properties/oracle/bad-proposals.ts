import { isFailing } from "../../src/contract/behaviour.ts";
import type { Trace } from "../../src/contract/trace.ts";
import type { Licences } from "../licences.ts";
import type { Delivered } from "./deliveries.ts";

/** A proposal that a harness may have to refuse, and what is wrong with it. */
export interface BadProposal {
  readonly at: number;
  readonly step: number;
  /** In words that follow "a call": "of the denied tool "refund"". */
  readonly words: string;
  /** It is a known tool or a skill, and must be refused: not merely odd, and not only waiting for a human. */
  readonly refusable: boolean;
}

/** Every delivered proposal that is not plainly honest, in order. */
export function badProposals({ calls, loads, gates, creditsOf }: Licences, trace: Trace): readonly BadProposal[] {
  const bad = calls.flatMap((call): BadProposal[] => {
    const accepted = creditsOf.get(call)?.filter(({ kind }) => kind === "licensed" || kind === "room") ?? [];
    const mightRun =
      accepted.length > 0 || (call.tool !== undefined && gates.reasonOf(call, trace.length) === undefined);
    if (mightRun && call.plain) return [];
    // The harness was free to run it, and did: what came of its handler's failure is not the proposal's doing.
    if (accepted.some(({ effect }) => isFailing(effect.behaviour))) return [];
    const refusable = call.tool !== undefined && call.faults.length > 0 && call.faults[0] !== "cut-off";
    return [{ at: call.at, step: call.step, words: wordsFor(call, mightRun), refusable }];
  });
  const unknown = loads.filter((load) => !load.known);
  bad.push(
    ...unknown.map(({ at, step, load }) => ({
      at,
      step,
      words: `a load of the unknown skill "${load.skill}"`,
      refusable: true,
    })),
  );
  return bad.sort((a, b) => a.at - b.at);
}

function wordsFor(call: Delivered, mightRun: boolean): string {
  const name = `"${call.call.name}"`;
  if (call.tool === undefined) return `a call of ${name}, which no tool declares`;
  const [fault] = call.faults;
  if (fault === "not-offered") return `a call of the hidden tool ${name}`;
  if (fault === "denied") return `a call of the denied tool ${name}`;
  if (fault === "malformed") return `a call of ${name} with malformed arguments`;
  if (fault === "cut-off") return `a call of ${name} in a cut-off turn`;
  if (fault === "invalid-arguments") return `a call of ${name} with invalid arguments`;
  if (call.permission === "ask" && !mightRun) return `a call of ${name} that was not approved`;
  return `an odd call of ${name}`;
}
