import type { Evidence } from "../../src/contract/property.ts";
import type { JsonSchema } from "../../src/world/input-schema.ts";
import { findTool } from "../../src/world/world.ts";
import type { Approvals } from "./approvals.ts";
import { type Among, CallIndex, type Happening } from "./call-index.ts";
import { type Delivered, type Deliveries, hasArguments } from "./deliveries.ts";
import { differenceFrom, nearest } from "./likeness.ts";
import { dependsOnArguments, type Gates, type Reason, reasonOrder } from "./shut-gates.ts";

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
  fits(call: Delivered, happening: Happening, books: Books): boolean;
}

/** All effects go through one pass after another, the best evidence first. */
const passes: readonly Pass[] = [
  {
    kind: "licence",
    among: "named",
    fits: (call, now, books) =>
      isSameTool(call, now) && isHere(call, now) && books.isFree(call, now) && isExact(call, now),
  },
  // The very arguments first, over the whole turn, so that what was normalised takes no call away from what was not.
  {
    kind: "licence",
    among: "here",
    fits: (call, now, books) => call.plain && books.isFree(call, now) && isLiteral(call, now),
  },
  { kind: "licence", among: "here", fits: (call, now, books) => books.isFree(call, now) && isLiteral(call, now) },
  {
    kind: "licence",
    among: "here",
    fits: (call, now, books) => call.plain && books.isFree(call, now) && isExact(call, now),
  },
  {
    kind: "licence",
    among: "named",
    fits: (call, now, books) => isSameTool(call, now) && books.isFree(call, now) && isExact(call, now),
  },
  {
    kind: "licence",
    among: "licensable",
    fits: (call, now, books) => call.plain && books.isFree(call, now) && isExact(call, now),
  },
  { kind: "licence", among: "here", fits: (call, now, books) => books.isFree(call, now) && isExact(call, now) },
  { kind: "licence", among: "licensable", fits: (call, now, books) => books.isFree(call, now) && isExact(call, now) },
  { kind: "unlicensed", among: "here", fits: isExact },
  // An id may stand at two calls of a turn: what fits a call that ran already is a repeat, and only where none of them is
  // of this tool does the id tell of another one.
  {
    kind: "changed",
    among: "named",
    fits: (call, now, books) => isHere(call, now) && isSameTool(call, now) && !books.ranAlready(now),
  },
  {
    kind: "misled",
    among: "named",
    fits: (call, now, books) => isHere(call, now) && !isSameTool(call, now) && !books.ranAlready(now),
  },
  // Malformed text has no arguments that could fit. Where the id names a call that ran already, it is not suspected; where
  // a call of another name fits exactly, nobody can tell which of the two it was.
  {
    kind: "unclear",
    among: "here",
    fits: (call, now, books) => isMalformed(call) && !books.ranAlready(now) && books.hasRival(now),
  },
  { kind: "unlicensed", among: "here", fits: (call, now, books) => isMalformed(call) && !books.ranAlready(now) },
  { kind: "repeated", among: "here", fits: isExact },
  { kind: "misled", among: "others", fits: (call, now, books) => call.tool === undefined && books.isAlike(call, now) },
  { kind: "misled", among: "others", fits: (call, now, books) => books.isAlike(call, now) },
  { kind: "unlicensed", among: "anywhere", fits: (call, now, books) => isExact(call, now) && !books.ranAlready(now) },
  { kind: "repeated", among: "anywhere", fits: isExact },
  { kind: "changed", among: "here", fits: () => true },
  { kind: "changed", among: "anywhere", fits: () => true },
];

/**
 * Credits every effect that did not come late to one proposal delivered before it. All effects go through one pass after
 * another, so that neither the order of execution nor a guilty effect takes a licence away from the call it belongs to.
 */
export function creditsOf(
  evidence: Evidence,
  { calls }: Deliveries,
  approvals: Approvals,
  gates: Gates,
): readonly Credit[] {
  let left: Happening[] = [];
  for (const [at, event] of evidence.trace.entries()) {
    if (event.type === "handler-started" && !event.late) left.push({ at, effect: event });
  }
  if (left.length === 0) return [];
  const books = new Books(evidence, calls, approvals, gates);
  const credits: Credit[] = [];
  for (const pass of passes) {
    left = left.filter((now) => {
      const call = books.choose(pass, now);
      if (call !== undefined) credits.push(books.credit(pass.kind, call, now));
      return call === undefined;
    });
    if (left.length === 0) break;
  }
  for (const now of left) credits.push(withReason({ ...now, kind: "invented" }, gates.shutFor(now)));
  return credits.length === 1 ? credits : credits.sort((a, b) => a.at - b.at);
}

/** Which calls of one run are used up, and what is known of the others. */
class Books {
  private readonly evidence: Evidence;
  private readonly approvals: Approvals;
  private readonly gates: Gates;
  private readonly index: CallIndex;

  constructor(evidence: Evidence, calls: readonly Delivered[], approvals: Approvals, gates: Gates) {
    this.evidence = evidence;
    this.approvals = approvals;
    this.gates = gates;
    this.index = new CallIndex(calls, (call) => this.isLicensable(call));
  }

  choose(pass: Pass, now: Happening): Delivered | undefined {
    const fitting = this.fitting(pass, now);
    if (pass.kind === "licence") return nearest(fitting, (call) => differenceFrom(call, now.effect.args));
    if (pass.kind === "unlicensed") return nearest(fitting, (call) => this.rank(call, now));
    for (const call of fitting) return call;
    return undefined;
  }

  private *fitting(pass: Pass, now: Happening): Generator<Delivered> {
    for (const call of this.index.among(pass.among, pass.kind === "repeated", now)) {
      if (pass.fits(call, now, this)) yield call;
    }
  }

  credit(kind: Pass["kind"], call: Delivered, now: Happening): Credit {
    const reason = this.gates.reasonOf(call, now.at);
    if (reason === undefined && call.permission === "ask") this.approvals.use(call, now.at);
    this.index.use(call);
    if (kind === "licence") return { ...now, kind: call.plain ? "licensed" : "room", call };
    if (kind === "unclear") return { ...now, kind, call };
    if (call.tool === undefined) return { ...now, kind: "undeclared", call };
    if (kind === "misled") return { ...now, kind: "other-tool", call };
    if (kind === "changed") return withReason({ ...now, kind, call }, this.reasonForChanged(call, now));
    // The first run of an approved call has used the approval up.
    const spent = kind === "repeated" && reason === "approval-of-another-call";
    return withReason({ ...now, kind, call }, spent ? undefined : reason);
  }

  isFree(call: Delivered, { at }: Happening): boolean {
    if (call.tool === undefined || call.faults.length > 0) return false;
    return call.permission !== "ask" || this.approvals.covers(call, at);
  }

  /** As the tool that ran would read the arguments. */
  isAlike(call: Delivered, { effect }: Happening): boolean {
    return hasArguments(call, effect.args, this.schemaOf(effect.tool));
  }

  ranAlready(now: Happening): boolean {
    for (const call of this.index.among("named", true, now))
      if (isSameTool(call, now) && isExact(call, now)) return true;
    return false;
  }

  hasRival(now: Happening): boolean {
    for (const call of this.index.among("others", false, now)) if (this.isAlike(call, now)) return true;
    return false;
  }

  private isLicensable(call: Delivered): boolean {
    if (call.tool === undefined || call.faults.length > 0) return false;
    if (call.permission !== "ask") return true;
    const { claims, trace } = this.evidence;
    return claims.approvals === "asked" && this.approvals.anyFor(call.call.name, call.call.callId, trace.length);
  }

  /** Where the policy depends on the arguments, it was not asked about those that ran: they were changed, that is all. */
  private reasonForChanged(call: Delivered, now: Happening): Reason | undefined {
    if (call.tool !== undefined && dependsOnArguments(call.tool))
      return call.faults.find((fault) => fault !== "denied");
    return this.gates.reasonOf(call, now.at) ?? this.gates.shutFor(now);
  }

  private rank(call: Delivered, { at, effect }: Happening): number {
    const reason = reasonOrder.indexOf(this.gates.reasonOf(call, at));
    return 2 * reason + (call.call.callId === effect.callId ? 0 : 1);
  }

  private schemaOf(tool: string): JsonSchema | undefined {
    return findTool(this.evidence.world, tool)?.inputSchema;
  }
}

function isSameTool(call: Delivered, { effect }: Happening): boolean {
  return call.call.name === effect.tool;
}

function isHere(call: Delivered, { effect }: Happening): boolean {
  return call.step === effect.step;
}

function isLiteral(call: Delivered, { effect }: Happening): boolean {
  return differenceFrom(call, effect.args) === 0;
}

function isExact(call: Delivered, { effect }: Happening): boolean {
  return hasArguments(call, effect.args);
}

function isMalformed(call: Delivered): boolean {
  return call.faults.includes("malformed");
}

function withReason(credit: Credit, reason: Reason | undefined): Credit {
  return reason === undefined ? credit : { ...credit, reason };
}
