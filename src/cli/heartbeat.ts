/** What the process that checks a harness tells the one that watches over it. */
export type Heartbeat =
  | { readonly type: "alive"; readonly soFar: string }
  /** The harness is loaded, and its runs begin. */
  | { readonly type: "playing" }
  /** The command came to its end by itself. */
  | { readonly type: "finished" };

export const heartbeatMs = 500;

let say: ((beat: Heartbeat, sent?: () => void) => void) | undefined;
let soFar = (): string => "";

/** Begins to tell the parent process that the event loop of this one turns. Without a parent there is nobody to tell. */
export function startHeartbeat(): void {
  const send = process.send?.bind(process);
  if (send === undefined) return;
  // A harness that finds a parent process may think that it is its own.
  delete process.send;
  say = (beat, sent = () => {}) => void send(beat, undefined, {}, sent);
  setInterval(() => say?.({ type: "alive", soFar: soFar() }), heartbeatMs).unref();
  process.on("disconnect", () => process.exit(1));
  process.channel?.unref();
}

/** From now on a silence is the harness's. `words` says how far the check has come. */
export function tellPlaying(words: () => string): void {
  soFar = words;
  say?.({ type: "playing" });
}

export function tellFinished(): Promise<void> {
  return new Promise((resolve) => {
    if (say === undefined) resolve();
    else say({ type: "finished" }, resolve);
  });
}
