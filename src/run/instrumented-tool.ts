import { type Behaviour, harmlessBehaviour } from "../contract/behaviour.ts";
import type { CallContext, Tool } from "../contract/harness.ts";
import type { Script } from "../contract/script.ts";
import type { Json } from "../world/json.ts";
import type { ToolSpec } from "../world/tool.ts";
import { loopTurns } from "./event-loop.ts";
import type { Interruption } from "./interruption.ts";
import { oddValue } from "./odd-values.ts";
import { messageOf, plain } from "./plain.ts";
import type { Recorder } from "./recorder.ts";
import { spoil } from "./spoil.ts";
import { tamper } from "./tamper.ts";

const SLOW_TURNS = 3;

export interface ToolSetting {
  readonly script: Script;
  readonly recorder: Recorder;
  readonly interruption: Interruption;
  /** Invocations are known from an answer alone. */
  readonly isTold: boolean;
  /** The harness has to wait for its deadline now. */
  onHang(): void;
}

/** One invocation, as its events tell of it. */
interface Effect {
  readonly step: number;
  readonly effect: number;
  readonly tool: string;
}

/**
 * The tools of one run: each invocation is witnessed before anything else can happen to its arguments, and then does what the
 * script says. Injected functions and invocations that are only reported (`run.toolCalled`) go the same way.
 */
export class InstrumentedTools {
  readonly tools: Tool[];
  readonly #setting: ToolSetting;
  readonly #invocations = new Map<string, number>();
  #effects = 0;

  constructor(specs: readonly ToolSpec[], setting: ToolSetting) {
    this.#setting = setting;
    // Written out: made for every run, and a spread costs several times as much.
    this.tools = specs.map(({ name, description, inputSchema, permission, offered }) => ({
      name,
      description,
      inputSchema,
      permission,
      offered,
      execute: (args, call) => this.#invoke(name, args, call),
    }));
  }

  /** For tools that can't be injected. Works when taken out of its object. */
  readonly toolCalled = (tool: string, args: unknown, call?: CallContext): Promise<unknown> =>
    this.#invoke(typeof tool === "string" ? tool : messageOf(tool), args, call);

  #invoke(tool: string, args: unknown, call: CallContext | undefined): Promise<unknown> {
    const { recorder, interruption } = this.#setting;
    // A harness that tries again for ever would otherwise never give the event loop a chance to end the run.
    if (this.#effects > 1_000 + 4 * recorder.delivered) return new Promise(() => {});
    const { step } = recorder;
    const number = this.#effects;
    const effect: Effect = { step, effect: number, tool };
    this.#effects += 1;
    const seen = plain(args);
    const behaviour = this.#behaviourOf(tool);
    const callId = callIdOf(call);
    recorder.record(
      callId === undefined
        ? { type: "handler-started", step, effect: number, tool, args: seen, behaviour }
        : { type: "handler-started", step, effect: number, tool, args: seen, behaviour, callId },
    );
    if (interruption.isPlanned("handler", effect.effect)) interruption.fireSoon();
    return this.#perform(behaviour, effect, args, seen);
  }

  /** The script's list counts the invocations of a tool; past its end the last one stays. */
  #behaviourOf(tool: string): Behaviour {
    const invocation = this.#invocations.get(tool) ?? 0;
    this.#invocations.set(tool, invocation + 1);
    const { handlers } = this.#setting.script;
    const list = Object.hasOwn(handlers, tool) ? (handlers[tool] ?? []) : [];
    return list[Math.min(invocation, list.length - 1)] ?? harmlessBehaviour;
  }

  async #perform(behaviour: Behaviour, effect: Effect, args: unknown, seen: Json): Promise<unknown> {
    const { recorder } = this.#setting;
    switch (behaviour.kind) {
      case "return":
        return this.#returned(effect, behaviour.value);
      case "echo":
        return this.#returned(effect, seen);
      case "slow":
        await loopTurns(SLOW_TURNS);
        return this.#returned(effect, behaviour.value);
      case "throw":
        throw this.#threw(effect, behaviour.message);
      case "effect-then-throw":
        await undefined;
        throw this.#threw(effect, behaviour.message);
      case "hang":
        recorder.record({ type: "handler-hangs", ...effect });
        this.#setting.onHang();
        return new Promise(() => {});
      case "mutate-arguments":
        spoil(args, "edited by the handler");
        return this.#returned(effect, "done");
      case "tamper":
        tamper(this.tools, behaviour.edit, effect.tool);
        recorder.record({ type: "tampered", step: effect.step, tool: effect.tool, edit: behaviour.edit });
        return this.#returned(effect, "done");
      case "throw-odd":
        recorder.record({ type: "handler-settled", ...effect, outcome: "threw", odd: behaviour.value });
        throw oddValue(behaviour.value);
      case "return-odd":
        recorder.record({ type: "handler-settled", ...effect, outcome: "returned", odd: behaviour.value });
        return oddValue(behaviour.value);
    }
  }

  #returned(effect: Effect, value: Json): Json {
    const { step, effect: number, tool } = effect;
    const { recorder, isTold } = this.#setting;
    recorder.record(
      isTold
        ? { type: "handler-settled", step, effect: number, tool, outcome: "returned", told: true }
        : { type: "handler-settled", step, effect: number, tool, outcome: "returned", value },
    );
    return plain(value);
  }

  #threw(effect: Effect, message: string): Error {
    this.#setting.recorder.record({ type: "handler-settled", ...effect, outcome: "threw", value: message });
    return new Error(message);
  }
}

function callIdOf(call: unknown): string | undefined {
  try {
    if (typeof call !== "object" || call === null) return undefined;
    const callId: unknown = (call as CallContext).callId;
    return typeof callId === "string" ? callId : undefined;
  } catch {
    return undefined;
  }
}
