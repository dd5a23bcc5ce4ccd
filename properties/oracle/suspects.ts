import { harmlessBehaviour, isFailing } from "../../src/contract/behaviour.ts";
import type { Evidence } from "../../src/contract/property.ts";
import type { Script } from "../../src/contract/script.ts";
import type { Trace, TraceEvent } from "../../src/contract/trace.ts";
import { isModelFailure } from "../../src/contract/turn.ts";
import { licencesOf } from "../licences.ts";
import { type BadProposal, badProposals } from "./bad-proposals.ts";
import { breakdownOf } from "./breakdown.ts";

/** A handler that failed, or returned what is not JSON. */
export interface HandlerFailure {
  readonly tool: string;
  readonly cause: "throw" | "odd-throw" | "odd-return";
  /** In words that follow the tool's name. */
  readonly words: string;
}

/** The last failure of a handler before this event; an odd one, if there was any, since errors are what everybody catches. */
export function failureBefore(trace: Trace, before: number): HandlerFailure | undefined {
  let thrown: HandlerFailure | undefined;
  for (let at = before - 1; at >= 0; at -= 1) {
    const failure = failureAt(trace[at]);
    if (failure !== undefined && failure.cause !== "throw") return failure;
    thrown ??= failure;
  }
  return thrown;
}

function failureAt(event: TraceEvent | undefined): HandlerFailure | undefined {
  if (event?.type === "handler-started" && isFailing(event.behaviour)) {
    const { tool, behaviour } = event;
    if (behaviour.kind === "throw-odd")
      return { tool, cause: "odd-throw", words: `threw ${wordsFor(behaviour.value)}` };
    if (behaviour.kind === "return-odd")
      return { tool, cause: "odd-return", words: `returned ${wordsFor(behaviour.value)}` };
    return { tool, cause: "throw", words: "threw an error" };
  }
  if (event?.type !== "handler-settled" || (event.outcome === "returned" && event.odd === undefined)) return undefined;
  const { tool, outcome, odd } = event;
  if (outcome === "returned") return { tool, cause: "odd-return", words: `returned ${wordsFor(odd ?? "undefined")}` };
  if (odd !== undefined) return { tool, cause: "odd-throw", words: `threw ${wordsFor(odd)}` };
  return { tool, cause: "throw", words: "threw an error" };
}

export function modelFailedBefore(trace: Trace, before: number): boolean {
  return trace.some((event, at) => event.type === "model-failed" && at < before);
}

export function badBefore(evidence: Evidence, before: number): readonly BadProposal[] {
  return badProposals(licencesOf(evidence), evidence.trace).filter((proposal) => proposal.at < before);
}

/** Whether the other run was told the same bad proposals, and did not break down: what it lacks is then to blame. */
export function survives(twin: Evidence, evidence: Evidence, bad: readonly BadProposal[]): boolean {
  if (breakdownOf(twin.trace) !== undefined) return false;
  const delivered = new Set(twin.trace.flatMap((event) => (event.type === "proposed" ? [placeOf(event)] : [])));
  return bad.every(({ at }) => {
    const event = evidence.trace[at];
    return event?.type === "proposed" && delivered.has(placeOf(event));
  });
}

function placeOf({ step, position }: { readonly step: number; readonly position: number }): string {
  return `${step} ${position}`;
}

/** The script with handlers that work. */
export function withWorkingHandlers(script: Script): Script {
  const repaired = Object.entries(script.handlers).map(([tool, behaviours]) => {
    return [tool, behaviours.map((behaviour) => (isFailing(behaviour) ? harmlessBehaviour : behaviour))] as const;
  });
  // fromEntries makes own keys, also of a tool named "__proto__".
  return { ...script, handlers: Object.fromEntries(repaired) };
}

/** The script with a model that answers each request. */
export function withAnsweringModel(script: Script): Script {
  return { ...script, turns: script.turns.filter((turn) => !isModelFailure(turn)) };
}

function wordsFor(odd: string): string {
  const words = new Map([
    ["cyclic", "a value that holds itself"],
    ["null-prototype", "an object without a prototype"],
    ["throwing-to-json", "a value that can't be written as JSON"],
    ["bigint", "a BigInt"],
    ["function", "a function"],
    ["symbol", "a symbol"],
  ]);
  return words.get(odd) ?? odd;
}
