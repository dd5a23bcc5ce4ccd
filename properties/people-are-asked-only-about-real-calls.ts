import type { Property } from "../src/contract/property.ts";
import type { EventOf } from "../src/contract/trace.ts";
import { permissionsOf } from "../src/world/policy.ts";
import { type Licences, licencesOf } from "./licences.ts";
import { approvalRequests } from "./oracle/approval-requests.ts";
import { type Delivered, type Fault, hasArguments } from "./oracle/deliveries.ts";
import { shownArguments } from "./oracle/shown-arguments.ts";
import { ofUntampered } from "./oracle/untampered.ts";
import { inTurn, verdictOf, violated } from "./oracle/verdicts.ts";

/**
 * What people are bothered with. A human who is asked about calls that can't run learns to say yes without reading, and is
 * shown names and arguments that nobody has checked. Harnesses get this wrong where they ask first and validate later, or
 * where whatever is not known to be allowed is put to the human.
 *
 * **Rule** The human is asked only about a call that could run: declared, offered, well formed, valid.
 *
 * **Holds when** each request is for a delivered call that nothing but the human keeps from running. A denied call could not
 * run, so it is not put to anybody; one that is allowed anyway may be. Arguments have to be valid only where validation is
 * claimed. What the contract leaves to harnesses may be asked about: a call after its load in the same turn, odd arguments
 * that are not invalid, a repeated id. That a call is asked about twice is another rule's.
 *
 * **Often broken by** an approval step in front of the lookup; `permissions[name] ?? "ask"`.
 *
 * @example
 * // the policy asks about "refund"
 * // proposed: { "kind": "tool-call", "callId": "call-1", "name": "refund", "args": "{\"order\":" }
 * // violated where the human is asked about it
 */
export const peopleAreAskedOnlyAboutRealCalls: Property = ofUntampered({
  id: "people-are-asked-only-about-real-calls",
  level: "should",
  rule: "The human is asked only about a call that could run: declared, offered, well formed, valid.",
  holdsWhen: "each request is for a proposed call that nothing but the human keeps from running",
  oftenBrokenBy: "an approval step in front of the lookup, or a policy that asks about every unknown name",
  needs: (claims) => (claims.approvals === "asked" ? undefined : "approvals that are asked for are not claimed"),
  judge(evidence) {
    const licences = licencesOf(evidence);
    const { callOf } = approvalRequests(evidence, licences);
    const violations = evidence.trace.flatMap((event, at) => {
      if (event.type !== "approval-asked" || event.late) return [];
      const matched = callOf.get(event.request);
      const meant = matched !== undefined && couldRun(matched) ? [matched] : callsMeant(licences, at, event);
      if (meant.some(couldRun)) return [];
      const { cause, words } = faultOf(meant[0]);
      return violated(at, cause, `The human was asked ${inTurn(event.step)} about "${event.tool}", ${words}.`);
    });
    return verdictOf(violations, licences.calls.some(isTempting));
  },
});

function couldRun({ tool, faults }: Delivered): boolean {
  return tool !== undefined && faults.length === 0;
}

/** A call that could not run, and that a careless harness would ask about. */
function isTempting(call: Delivered): boolean {
  if (couldRun(call)) return false;
  return call.tool === undefined || call.permission === "deny" || permissionsOf(call.tool.permission).includes("ask");
}

/** The calls that a request may be for, the likeliest first; none where nothing like it was proposed. */
function callsMeant(
  { calls }: Licences,
  before: number,
  { callId, tool, args, step }: EventOf<"approval-asked"> & { readonly step: number },
): readonly Delivered[] {
  const shown = shownArguments(args);
  const known = calls.filter((call) => call.at < before);
  const ofTool = known.filter((call) => call.call.name === tool);
  const here = ofTool.filter((call) => call.step === step);
  const named = here.filter((call) => call.call.callId === callId);
  // An id that the harness minted may be that of another call by chance.
  const likely = [...named, ...here.filter((call) => hasArguments(call, shown))];
  const candidates = [likely, here, known.filter((call) => call.step === step && call.call.callId === callId), ofTool];
  return candidates.find((some) => some.length > 0) ?? [];
}

const words: Readonly<Record<Fault, string>> = {
  "not-offered": "a hidden tool that was not offered",
  denied: "which the policy denied, so that no answer could let it run",
  malformed: "though the arguments were malformed",
  "cut-off": "though the turn was cut off",
  "invalid-arguments": "though the arguments were not valid",
};

function faultOf(call: Delivered | undefined): { readonly cause: string; readonly words: string } {
  if (call === undefined) return { cause: "not-proposed", words: "which the model had not called" };
  if (call.tool === undefined) return { cause: "undeclared-name", words: "a name that no tool declares" };
  const [fault = "malformed"] = call.faults;
  return { cause: fault, words: words[fault] };
}
