import type { EventOf } from "../../src/contract/trace.ts";
import type { Delivered } from "./deliveries.ts";

/** An effect, and its index in the trace. */
export interface Happening {
  readonly at: number;
  readonly effect: EventOf<"handler-started">;
}

/** Where the cause of an effect is looked for. */
export type Among =
  /** Calls with the id that the handler was given. */
  | "named"
  /** Calls of the tool that ran, in the turn being acted on. */
  | "here"
  /** Calls of the tool that ran, in any turn. */
  | "anywhere"
  /** The same, those alone that some effect may have a licence from. */
  | "licensable"
  /** Calls of other names, in the turn being acted on. */
  | "others";

/** Most runs are so short that walking through them is quicker than keeping an index. */
const FEW = 6;

/** Finds the calls an effect may come from without walking through a long run each time. */
export class CallIndex {
  readonly #calls: readonly Delivered[];
  readonly #isIndexed: boolean;
  readonly #used = new Set<Delivered>();
  readonly #lists = new Map<string, Delivered[]>();
  readonly #isLicensable: (call: Delivered) => boolean;

  constructor(calls: readonly Delivered[], isLicensable: (call: Delivered) => boolean) {
    this.#calls = calls;
    this.#isLicensable = isLicensable;
    this.#isIndexed = calls.length > FEW;
    if (!this.#isIndexed) return;
    for (const call of calls) for (const key of this.#keysOf(call)) this.#list(`unused ${key}`).push(call);
  }

  /** The calls delivered before the effect, the latest turn's last. `used`: those that an effect was credited to. */
  among(among: Among, used: boolean, now: Happening): Iterable<Delivered> {
    if (this.#isIndexed) return this.#indexed(among, used, now);
    const { at, effect } = now;
    return this.#calls.filter(
      (call) => call.at < at && this.#used.has(call) === used && this.#belongs(call, among, effect),
    );
  }

  *#indexed(among: Among, used: boolean, { at, effect }: Happening): Generator<Delivered> {
    const key = `${used ? "used" : "unused"} ${keyFor(among, effect)}`;
    for (const call of this.#lists.get(key) ?? []) {
      if (call.at < at && (among !== "others" || call.call.name !== effect.tool)) yield call;
    }
  }

  use(call: Delivered): void {
    if (this.#used.has(call)) return;
    this.#used.add(call);
    if (!this.#isIndexed) return;
    for (const key of this.#keysOf(call)) {
      const unused = this.#list(`unused ${key}`);
      unused.splice(unused.indexOf(call), 1);
      this.#list(`used ${key}`).push(call);
    }
  }

  #belongs(call: Delivered, among: Among, effect: EventOf<"handler-started">): boolean {
    const { callId, name } = call.call;
    if (among === "named") return effect.callId !== undefined && callId === effect.callId;
    if (among === "others") return call.step === effect.step && name !== effect.tool;
    if (name !== effect.tool) return false;
    if (among === "here") return call.step === effect.step;
    return among === "anywhere" || this.#isLicensable(call);
  }

  #list(key: string): Delivered[] {
    const list = this.#lists.get(key) ?? [];
    this.#lists.set(key, list);
    return list;
  }

  #keysOf(call: Delivered): readonly string[] {
    const { callId, name } = call.call;
    const keys = [`id ${callId}`, `turn ${call.step}`, `turn ${call.step} tool ${name}`, `tool ${name}`];
    return this.#isLicensable(call) ? [...keys, `licensable ${name}`] : keys;
  }
}

function keyFor(among: Among, effect: EventOf<"handler-started">): string {
  if (among === "named") return effect.callId === undefined ? "nothing" : `id ${effect.callId}`;
  if (among === "others") return `turn ${effect.step}`;
  if (among === "here") return `turn ${effect.step} tool ${effect.tool}`;
  return among === "licensable" ? `licensable ${effect.tool}` : `tool ${effect.tool}`;
}
