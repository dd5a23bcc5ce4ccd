import type { Evidence } from "../../src/contract/property.ts";
import type { Script } from "../../src/contract/script.ts";
import { isModelFailure, type Proposal } from "../../src/contract/turn.ts";
import { licencesOf } from "../licences.ts";
import { approvalRequests } from "./approval-requests.ts";
import type { BadProposal } from "./bad-proposals.ts";
import { StandIns } from "./stand-ins.ts";

/**
 * The script as far as it was played, with honest calls of the same ids in the place of these proposals: what breaks this
 * run too is none of their fault. Where no honest call is to be had they are left out, and turns that hold nothing else with
 * them; so are the human's answers to the requests about them.
 */
export function withoutBadProposals(script: Script, evidence: Evidence, bad: readonly BadProposal[]): Script {
  const { trace, shape, claims } = evidence;
  const written = script.turns.filter((turn) => !isModelFailure(turn)).length;
  const lastStep = trace.reduce((last, event) => (event.type === "proposed" ? Math.max(last, event.step) : last), 0);
  const places = new Map<string, number>();
  for (const { at } of bad) {
    const event = trace[at];
    // The last turn may have been served again and again.
    if (event?.type === "proposed") places.set(`${Math.min(event.step, written - 1)} ${event.position}`, at);
  }
  const calls = new Map(licencesOf(evidence).calls.map((call) => [call.at, call]));
  const standIns = new StandIns(script, evidence);
  const ids = new Set<string>();

  const honest = (proposal: Proposal, step: number, position: number): readonly Proposal[] => {
    const at = places.get(`${step} ${position}`);
    if (proposal.kind === "text") return [proposal];
    const { callId } = proposal;
    const isRepeated = ids.has(callId);
    ids.add(callId);
    if (at === undefined) return [proposal];
    const wording = standIns.wordingFor(calls.get(at));
    // The same proposal comes under ordinary ids elsewhere; here, nobody can tell which of the two it is.
    if (wording === undefined) return isOdd(callId) ? [proposal] : [];
    return [{ kind: "tool-call", callId: isRepeated ? `${callId}-${step}-${position}` : callId, ...pick(wording) }];
  };

  const turns: Script["turns"][number][] = [];
  let failures = trace.filter((event) => event.type === "model-failed").length;
  let step = -1;
  let isLastGone = false;
  for (const turn of script.turns) {
    if (isModelFailure(turn)) {
      failures -= 1;
      if (failures >= 0) turns.push(turn);
      continue;
    }
    step += 1;
    if (step > lastStep) break;
    if (shape.idsAcrossTurns !== false) ids.clear();
    const mended = turn.proposals.flatMap((proposal, position) => honest(proposal, step, position));
    const proposals = claims.parallelCalls === false ? withOneCall(mended) : mended;
    const isTouched = turn.proposals.some((_, position) => places.has(`${step} ${position}`));
    isLastGone = isTouched && proposals.length === 0;
    if (!isLastGone) turns.push({ proposals, stop: isTouched ? "tool-calls" : turn.stop });
  }
  const isWhole = lastStep >= written - 1 && !isLastGone;
  const decisions = decisionsWithout(script, evidence, bad);
  return { ...script, turns, afterTurns: isWhole ? script.afterTurns : "end", decisions };
}

function pick({ name, args }: { readonly name: string; readonly args: string }) {
  return { name, args };
}

function withOneCall(proposals: readonly Proposal[]): readonly Proposal[] {
  const first = proposals.find((proposal) => proposal.kind !== "text");
  return proposals.filter((proposal) => proposal.kind === "text" || proposal === first);
}

/** Ids that a harness may stumble over whatever is proposed under them. */
function isOdd(callId: string): boolean {
  return callId in Object.prototype || !/^[\w~.:-]{1,64}$/.test(callId);
}

function decisionsWithout(script: Script, evidence: Evidence, bad: readonly BadProposal[]): Script["decisions"] {
  const last = script.decisions.at(-1);
  if (last === undefined) return [];
  const { callOf } = approvalRequests(evidence, licencesOf(evidence));
  const gone = new Set(bad.map(({ at }) => at));
  const kept = script.decisions.filter((_, request) => {
    const call = callOf.get(request);
    return call === undefined || !gone.has(call.at);
  });
  return [...kept, last];
}
