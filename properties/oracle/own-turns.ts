import type { Evidence } from "../../src/contract/property.ts";
import { type Decision, isAccompanied, type Script } from "../../src/contract/script.ts";
import { isModelFailure, type ModelFailure, type Proposal, type Turn } from "../../src/contract/turn.ts";
import { turnsAllowed } from "../../src/world/budget.ts";
import { licencesOf } from "../licences.ts";
import { approvalRequests } from "./approval-requests.ts";
import type { Delivered } from "./deliveries.ts";

type Place = Pick<Delivered, "step" | "position">;

/** The answers of the human where this call is the first of its turn to be asked about. */
export function answersInFront({ decisions }: Script, evidence: Evidence, call: Delivered): Script["decisions"] {
  const last = decisions.at(-1);
  const { callOf } = approvalRequests(evidence, licencesOf(evidence));
  const before: Decision[] = [];
  const own: Decision[] = [];
  const after: Decision[] = [];
  for (const event of evidence.trace) {
    if (event.type !== "approval-asked" || event.late) continue;
    const group = callOf.get(event.request) === call ? own : event.step < call.step ? before : after;
    group.push(decisions[event.request] ?? last ?? "deny");
  }
  return last === undefined || own.length === 0 ? decisions : [...before, ...own, ...after, last];
}

/**
 * The script in which each call of these turns has a turn of its own, in the same order, with a budget that is larger by the
 * added turns. What comes after the last of these turns is left out. `inFront`: this call comes before those of its siblings
 * that are not loads, for a run that ends at one of them.
 */
export function withOwnTurns(script: Script, steps: ReadonlySet<number>, inFront?: Place): Script | undefined {
  const last = Math.max(...steps);
  const turns: (Turn | ModelFailure)[] = [];
  let served = 0;
  let abortAt = script.abort?.at ?? 0;
  for (let index = 0; served <= last; index += 1) {
    const entry = entryAt(script, index);
    if (entry === undefined) return undefined;
    if (isModelFailure(entry)) {
      turns.push(entry);
      continue;
    }
    const groups = steps.has(served) ? groupsOf(entry.proposals) : [entry.proposals];
    const ordered = inFront?.step === served ? movedInFront(groups, entry.proposals[inFront.position]) : groups;
    turns.push(...ordered.map((proposals) => ({ ...entry, proposals })));
    if (script.abort !== undefined && index < script.abort.at) abortAt += groups.length - 1;
    served += 1;
  }
  const added = turns.filter((turn) => !isModelFailure(turn)).length - served;
  if (added === 0 || isAccompanied(script)) return undefined;
  const { maxSteps } = script.world;
  const isBounded = typeof maxSteps === "number" && turnsAllowed(maxSteps) > 0;
  const world = isBounded ? { ...script.world, maxSteps: maxSteps + added } : script.world;
  const abort = script.abort?.during === "model" ? { abort: { ...script.abort, at: abortAt } } : {};
  return { ...script, ...abort, world, turns, afterTurns: "end" };
}

/** What the model says at its n-th request: past the end perhaps the last turn again, with the ids that the kit mints. */
function entryAt({ turns, afterTurns }: Script, index: number): Turn | ModelFailure | undefined {
  const entry = turns[index];
  const last = turns.at(-1);
  if (entry !== undefined || afterTurns === "end" || last === undefined || isModelFailure(last)) return entry;
  const time = index - turns.length + 2;
  const proposals = last.proposals.map((proposal) =>
    proposal.kind === "text" ? proposal : { ...proposal, callId: `${proposal.callId}~${time}` },
  );
  return { ...last, proposals };
}

/** One call each; prose stays beside the call that follows it, or beside the last one. */
function groupsOf(proposals: readonly Proposal[]): readonly (readonly Proposal[])[] {
  const groups: Proposal[][] = [];
  let prose: Proposal[] = [];
  for (const proposal of proposals) {
    prose.push(proposal);
    if (proposal.kind === "text") continue;
    groups.push(prose);
    prose = [];
  }
  const end = groups.at(-1);
  if (end === undefined) return [prose];
  end.push(...prose);
  return groups;
}

function movedInFront(groups: readonly (readonly Proposal[])[], call: Proposal | undefined) {
  const own = groups.find((group) => group.some((proposal) => proposal === call));
  if (own === undefined) return groups;
  const isLoad = (group: readonly Proposal[]): boolean => group.some(({ kind }) => kind === "load-skill");
  const before = groups.slice(0, groups.indexOf(own));
  const rest = groups.filter((group) => group !== own && !(before.includes(group) && isLoad(group)));
  return [...before.filter(isLoad), own, ...rest];
}

/** The turns with several calls, loads among them. */
export function crowdedTurns(evidence: Evidence): ReadonlySet<number> {
  const { calls, loads } = licencesOf(evidence);
  const seen = new Set<number>();
  const crowded = new Set<number>();
  for (const { step } of [...calls, ...loads]) (seen.has(step) ? crowded : seen).add(step);
  return crowded;
}
