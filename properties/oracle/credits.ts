import type { Evidence } from "../../src/contract/property.ts";
import type { Approvals } from "./approvals.ts";
import { type Among, CallIndex, type Happening } from "./call-index.ts";
import { type Delivered, type Deliveries, hasArguments } from "./deliveries.ts";
import { type Gates, type Reason, reasonOrder } from "./gates.ts";

export type CreditKind =
  | "licensed"
  /** The harness was free to run it or not. */
  | "room"
  | "unlicensed"
  /** A proposal that had run already. */
  | "repeated"
  | "undeclared"
  | "other-tool"
  /** A proposal of that tool, with other arguments. */
  | "changed"
  /** A malformed proposal of that tool, or one of another name: a fault, but whose can't be told. */
  | "unclear"
  | "invented";

/** One effect and its one cause. `reason`: the gate that it passed without a licence. */
export interface Credit extends Happening {
  readonly kind: CreditKind;
  /** The proposal it is credited to; none where it was invented. */
  readonly call?: Delivered;
  readonly reason?: Reason;
}

/** One way to find the cause of an effect: where to look, and what has to fit. */
interface Pass {
  readonly kind: "licence" | "unlicensed" | "repeated" | "misled" | "changed" | "unclear";
  readonly among: Among;
  fits(call: Delivered, happening: Happening): boolean;
}

/**
 * Credits every effect that did not come late to one proposal delivered before it. All effects go through one pass after
 * another, the best evidence first, so that neither the order of execution nor a guilty effect takes a licence away from
 * the call it belongs to.
 */
export function creditsOf(
  evidence: Evidence,
  deliveries: Deliveries,
  approvals: Approvals,
  gates: Gates,
): readonly Credit[] {
  const { trace, world, claims } = evidence;
  const schemas = new Map(world.tools.map((tool) => [tool.name, tool.inputSchema]));
  const approvable = (call: Delivered): boolean =>
    claims.approvals === "asked" && approvals.anyFor(call.call.name, call.call.callId, trace.length);
  const index = new CallIndex(
    deliveries.calls,
    (call) => call.tool !== undefined && call.faults.length === 0 && (call.permission !== "ask" || approvable(call)),
  );

  const isSameTool = (call: Delivered, { effect }: Happening) => call.call.name === effect.tool;
  const isExact = (call: Delivered, { effect }: Happening) => hasArguments(call, effect.args);
  const isHere = (call: Delivered, { effect }: Happening) => call.step === effect.step;
  const isFree = (call: Delivered, { at }: Happening) =>
    call.tool !== undefined && call.faults.length === 0 && (call.permission !== "ask" || approvals.covers(call, at));
  const isAlike = (call: Delivered, { effect }: Happening) => hasArguments(call, effect.args, schemas.get(effect.tool));
  const ranAlready = (now: Happening) => {
    for (const call of index.among("named", true, now)) if (isSameTool(call, now) && isExact(call, now)) return true;
    return false;
  };

  const isMalformed = (call: Delivered) => call.faults.includes("malformed");
  const hasRival = (now: Happening) => {
    for (const call of index.among("others", false, now)) if (isAlike(call, now)) return true;
    return false;
  };

  const passes: readonly Pass[] = [
    {
      kind: "licence",
      among: "named",
      fits: (call, now) => isSameTool(call, now) && isHere(call, now) && isFree(call, now) && isExact(call, now),
    },
    { kind: "licence", among: "here", fits: (call, now) => call.plain && isFree(call, now) && isExact(call, now) },
    {
      kind: "licence",
      among: "named",
      fits: (call, now) => isSameTool(call, now) && isFree(call, now) && isExact(call, now),
    },
    {
      kind: "licence",
      among: "licensable",
      fits: (call, now) => call.plain && isFree(call, now) && isExact(call, now),
    },
    { kind: "licence", among: "here", fits: (call, now) => isFree(call, now) && isExact(call, now) },
    { kind: "licence", among: "licensable", fits: (call, now) => isFree(call, now) && isExact(call, now) },
    { kind: "unlicensed", among: "here", fits: isExact },
    { kind: "misled", among: "named", fits: (call, now) => isHere(call, now) && !isSameTool(call, now) },
    { kind: "changed", among: "named", fits: (call, now) => isHere(call, now) && isSameTool(call, now) },
    // Malformed text has no arguments that could fit. Where the id names a call that ran already, it is not suspected; where
    // a call of another name fits exactly, nobody can tell which of the two it was.
    { kind: "unclear", among: "here", fits: (call, now) => isMalformed(call) && !ranAlready(now) && hasRival(now) },
    { kind: "unlicensed", among: "here", fits: (call, now) => isMalformed(call) && !ranAlready(now) },
    { kind: "repeated", among: "here", fits: isExact },
    { kind: "misled", among: "others", fits: (call, now) => call.tool === undefined && isAlike(call, now) },
    { kind: "misled", among: "others", fits: isAlike },
    { kind: "unlicensed", among: "anywhere", fits: isExact },
    { kind: "repeated", among: "anywhere", fits: isExact },
    { kind: "changed", among: "here", fits: () => true },
    { kind: "changed", among: "anywhere", fits: () => true },
  ];

  const credits: Credit[] = [];
  let left = trace.flatMap((event, at): Happening[] =>
    event.type === "handler-started" && !event.late ? [{ at, effect: event }] : [],
  );
  for (const pass of passes) {
    left = left.filter((now) => {
      const call = choose(pass, now);
      if (call !== undefined) credits.push(credit(pass.kind, call, now));
      return call === undefined;
    });
  }
  credits.push(...left.map((now) => withReason({ ...now, kind: "invented" }, gates.shutFor(now))));
  return credits.sort((a, b) => a.at - b.at);

  function choose(pass: Pass, now: Happening): Delivered | undefined {
    let best: Delivered | undefined;
    for (const call of index.among(pass.among, pass.kind === "repeated", now)) {
      if (!pass.fits(call, now)) continue;
      if (pass.kind !== "unlicensed") return call;
      if (best === undefined || rank(call, now) < rank(best, now)) best = call;
    }
    return best;
  }

  function rank(call: Delivered, { at, effect }: Happening): number {
    return 2 * reasonOrder.indexOf(gates.reasonOf(call, at)) + (call.call.callId === effect.callId ? 0 : 1);
  }

  function credit(kind: Pass["kind"], call: Delivered, now: Happening): Credit {
    const reason = gates.reasonOf(call, now.at);
    if (reason === undefined && call.permission === "ask") approvals.use(call, now.at);
    index.use(call);
    if (kind === "licence") return { ...now, kind: call.plain ? "licensed" : "room", call };
    if (kind === "unclear") return { ...now, kind, call };
    if (call.tool === undefined) return { ...now, kind: "undeclared", call };
    if (kind === "misled") return { ...now, kind: "other-tool", call };
    if (kind === "changed") return withReason({ ...now, kind, call }, reason ?? gates.shutFor(now));
    // The first run of an approved call has used the approval up.
    const spent = kind === "repeated" && reason === "approval-of-another-call";
    return withReason({ ...now, kind, call }, spent ? undefined : reason);
  }
}

function withReason(credit: Credit, reason: Reason | undefined): Credit {
  return reason === undefined ? credit : { ...credit, reason };
}
