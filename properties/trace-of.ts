import { type Behaviour, harmlessBehaviour } from "../src/contract/behaviour.ts";
import type { Claims, Shape } from "../src/contract/harness.ts";
import type { Evidence, Property } from "../src/contract/property.ts";
import type { Outcome, ToolResult } from "../src/contract/run-record.ts";
import type { Decision } from "../src/contract/script.ts";
import type { EventOf, TraceEvent } from "../src/contract/trace.ts";
import type { LoadSkill, Proposal, Text, ToolCall, Turn } from "../src/contract/turn.ts";
import type { Json } from "../src/world/json.ts";
import type { ToolSpec } from "../src/world/tool.ts";
import type { World } from "../src/world/world.ts";

/** One tool of each kind. "refund" comes with the skill "refunds". */
export const helpDesk: World = {
  tools: [
    toolNamed("look_up"),
    toolNamed("notify"),
    toolNamed("pay", { permission: "ask" }),
    toolNamed("wipe", { permission: "deny" }),
    toolNamed("secret", { offered: "never" }),
    toolNamed("refund", { offered: { afterSkill: "refunds" } }),
  ],
  skills: ["refunds", "reports"],
  maxSteps: 4,
};

export function toolNamed(name: string, facts: Partial<ToolSpec> = {}): ToolSpec {
  const inputSchema = { type: "object", properties: { order: { type: "string" } } };
  return { name, description: name, inputSchema, permission: "allow", offered: "always", ...facts };
}

/** Claims everything that these rules need; approvals end the run. */
export const allClaims: Claims = { approvals: "ends-run", deny: true, hiddenTools: "by-skill", results: true };

export function call(name: string, args: Json | { text: string } = {}, facts: Partial<ToolCall> = {}): Proposal {
  const isText = typeof args === "object" && args !== null && Object.hasOwn(args, "text");
  return {
    kind: "tool-call",
    callId: "",
    name,
    args: isText ? (args as { text: string }).text : JSON.stringify(args),
    ...facts,
  };
}

export function load(skill: string): LoadSkill {
  return { kind: "load-skill", callId: "", skill };
}

export function text(words: string): Text {
  return { kind: "text", text: words };
}

/** What the harness tells the model when it asks for a turn. */
type Told = Partial<Pick<EventOf<"asked">, "results" | "log" | "menu" | "spelledAs">>;

type EffectFacts = Partial<EventOf<"handler-started">> & { readonly settles?: false; readonly returns?: Json };

/**
 * Writes a trace by hand, as the recorder would have written it: mints call ids "call-1", "call-2", counts steps, effects
 * and requests. For tests alone.
 *
 * @example
 * traceOf().turn(call("look_up")).runs("look_up").ends("answered").evidence()
 */
export function traceOf(setting: { world?: World; claims?: Partial<Claims>; shape?: Shape } = {}): TraceBuilder {
  const { world = helpDesk, claims = {}, shape = {} } = setting;
  return new TraceBuilder({ world, claims: { ...allClaims, ...claims }, shape });
}

export class TraceBuilder {
  readonly #events: TraceEvent[] = [];
  readonly #setting: Omit<Evidence, "trace">;
  #step = -1;
  #ids = 0;
  #effects = 0;
  #requests = 0;

  constructor(setting: Omit<Evidence, "trace">) {
    this.#setting = setting;
  }

  /** A turn is asked for, with these results for the turn before, and delivered. */
  turn(...proposals: readonly Proposal[]): this {
    return this.turnWith({}, ...proposals);
  }

  turnWith({ stop = "tool-calls", ...told }: { stop?: Turn["stop"] } & Told, ...proposals: readonly Proposal[]): this {
    this.asks(told.results, told);
    for (const [position, draft] of proposals.entries()) {
      const proposal = "callId" in draft && draft.callId === "" ? { ...draft, callId: `call-${++this.#ids}` } : draft;
      this.event({ type: "proposed", position, proposal, stop });
    }
    return this;
  }

  /** A turn is asked for; nothing was delivered yet. */
  asks(results?: readonly ToolResult[], told: Told = {}): this {
    this.#step += 1;
    return this.event({ type: "asked", ...told, ...(results === undefined ? {} : { results }) });
  }

  runs(tool: string, args: Json = {}, { settles, returns = "done", ...facts }: EffectFacts = {}): this {
    const effect = this.#effects++;
    const behaviour: Behaviour = returns === "done" ? harmlessBehaviour : { kind: "return", value: returns };
    this.event({ type: "handler-started", effect, tool, args, behaviour, ...facts });
    return settles === false
      ? this
      : this.event({ type: "handler-settled", effect, tool, outcome: "returned", value: returns });
  }

  fails(tool: string, args: Json = {}): this {
    const behaviour: Behaviour = { kind: "throw", message: "no connection" };
    this.runs(tool, args, { behaviour, settles: false });
    return this.event({ type: "handler-settled", effect: this.#effects - 1, tool, outcome: "threw" });
  }

  human(decision: Decision, tool: string, args: Json = {}, callId?: string): this {
    const request = this.#requests++;
    const about = { request, tool, args, ...(callId === undefined ? {} : { callId }) };
    this.event({ type: "approval-asked", ...about });
    return this.event({ type: "approval-given", ...about, decision, granted: decision === "approve" });
  }

  ends(status: Outcome["status"], facts: Partial<EventOf<"ended">> = {}): this {
    return this.event({ type: "ended", status, ...facts });
  }

  crashes(facts: Partial<EventOf<"crashed">> = {}): this {
    return this.event({ type: "crashed", name: "TypeError", message: "x is not a function", ...facts });
  }

  /** Any event, of the current turn unless it says another step. */
  event(event: DistributedOmit<TraceEvent, "step"> & { step?: number }): this {
    this.#events.push({ step: Math.max(this.#step, 0), ...event } as TraceEvent);
    return this;
  }

  evidence(): Evidence {
    return { ...this.#setting, trace: [...this.#events] };
  }
}

type DistributedOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** What a property says, in short: "holds", "not exercised", or the causes of its violations. */
export function verdictOn(property: Property, builder: TraceBuilder, twin?: TraceBuilder): string {
  const verdicts = [property.judge(builder.evidence(), twin?.evidence())].flat();
  const words = verdicts.map((verdict) => {
    if (verdict.kind === "violated") return verdict.cause;
    if (verdict.kind === "unknown") return "unknown";
    return verdict.exercised ? "holds" : "not exercised";
  });
  return words.join(", ");
}
