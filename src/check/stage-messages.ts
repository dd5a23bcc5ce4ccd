import type { Script } from "../contract/script.ts";
import type { Trace, TraceEvent } from "../contract/trace.ts";
import type { PortionOptions } from "../run/stage.ts";

/** What a stage in another process is asked for. Plain data, for it travels as JSON. */
export type StageRequest =
  | { readonly type: "open"; readonly runTimeoutMs: number; readonly witnessFile: string }
  | {
      readonly type: "play";
      /** One script alone on a quiet event loop; or a portion that shares one wait. */
      readonly alone: boolean;
      readonly scripts: readonly Script[];
      readonly options: PortionOptions;
    }
  | { readonly type: "close" };

/** What it says. `alive` comes by itself for as long as the other process's event loop turns. */
export type StageReply =
  | { readonly type: "alive" }
  | { readonly type: "opened" }
  | { readonly type: "played"; readonly traces: readonly Trace[]; readonly hints: readonly string[] }
  | { readonly type: "closed" }
  | {
      readonly type: "refused";
      readonly code: string;
      readonly message: string;
      readonly facts: Readonly<Record<string, unknown>>;
    };

/** What the other process writes down as it happens, a line each: a script begins, or something was seen of its run. */
export type Witnessed = { readonly began: true } | TraceEvent;

/** How often a process that plays says that it is alive. */
export const aliveEveryMs = 100;
