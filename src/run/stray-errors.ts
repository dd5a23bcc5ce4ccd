import { currentRecorder, isAnyRunGoing } from "./current-run.ts";
import { isKitRefusal } from "./kit-refusals.ts";
import { kindOf, messageOf } from "./plain.ts";

const EVENTS = ["unhandledRejection", "uncaughtException"] as const;
type Listener = (...args: unknown[]) => void;

let stages = 0;
let setAside = new Map<string, readonly Listener[]>();

/**
 * While a stage is open, an error that nobody handles is recorded for the run that it happened in, instead of ending the process. The
 * listeners of others, such as a test runner's, are set aside until the last stage is closed: they would call the test broken.
 */
export function catchStrayErrors(): void {
  stages += 1;
  if (stages > 1) return;
  setAside = new Map();
  for (const event of EVENTS) {
    setAside.set(event, process.rawListeners(event) as Listener[]);
    process.removeAllListeners(event);
  }
  process.on("unhandledRejection", onRejection);
  process.on("uncaughtException", onException);
}

export function stopCatchingStrayErrors(): void {
  stages -= 1;
  if (stages > 0) return;
  process.off("unhandledRejection", onRejection);
  process.off("uncaughtException", onException);
  for (const event of EVENTS) {
    for (const listener of [...(setAside.get(event) ?? [])].reverse())
      process.prependListener(event as "exit", listener);
  }
}

function onRejection(reason: unknown): void {
  if (!isKitRefusal(reason)) record(describe(reason));
}

function onException(error: unknown, ...more: unknown[]): void {
  if (isAnyRunGoing()) {
    record(`${describe(error)} (thrown where nobody could catch it)`);
    return;
  }
  const listeners = setAside.get("uncaughtException") ?? [];
  if (listeners.length === 0) throw error;
  for (const listener of listeners) listener(error, ...more);
}

function record(message: string): void {
  const recorder = currentRecorder();
  recorder?.record({ type: "unhandled-rejection", step: recorder.step, message });
}

function describe(reason: unknown): string {
  return typeof reason === "object" && reason !== null ? `${kindOf(reason)}: ${messageOf(reason)}` : messageOf(reason);
}
